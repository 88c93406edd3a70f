--
-- PostgreSQL database dump
--

\restrict xGNVlyYDrhaCaZ5VqAQ9vvY13XLH8OULxxXjepbn5S2MtGifehEVFy0hMMPM2so

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Data for Name: user_account; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.user_account (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined, time_zone) VALUES (1, 'scrypt$16384$lJbawAieil598xOx9022a7$8$5$lh9c+S3P51DEtzlixTzbqadunHZ1DCXsqvPIrRmRJX9/VT4+sxvLg3cvQ2EqtP090LrhmsPojqWbfQYPfBndaA==', NULL, false, 'owner@example.org', '', '', 'owner@example.org', false, true, '2026-11-16 07:42:32.562783+00', '');


--
-- Data for Name: study; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study (id, name, public_id, link_key_number, created_at, owner_id, deleted_at, title, state) VALUES (1, 'upgraded', 'b63417bc2cf7', 1, '2026-11-15 12:00:00+00', 1, NULL, 'Tiny study', 'open');


--
-- Data for Name: study_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study_version (id, n, text, sha256, corpus_sha256, loaded_at, study_id, contents, same_meaning, change) VALUES (1, 1, 'labelwright: 1
name: upgraded
title: Tiny study
seed: 7
corpus:
  reader: chat_messages
  path: dialogues.jsonl
scales:
  useful:
    points:
    - code: 1
      name: Not useful
      score: 0
    - code: 2
      name: Somewhat useful
      score: 0.5
    - code: 3
      name: Very useful
      score: 1
aspects:
  usefulness:
    title: Usefulness
    aim: secret-aim
designs:
  reply:
    title: Judge one reply
    lead: Judge the marked reply.
    instructions: ''Read the conversation.


      Judge the marked reply.''
    questions:
    - name: useful
      type: scale
      aspect: usefulness
      aim: secret-question-aim
      text: How useful is the marked reply?
      scale: useful
    - name: comment
      type: text
      text: Comment
      required: false
      max_words: 20
conditions:
  SECRET0:
    context:
      turns_before: 0
  SECRET3:
    context:
      turns_before: 3
      next_turn: true
redundancy: 2
pools:
  own:
    platform: link
    raters: 4
    pay:
      cents: 40
quality:
- rule: too_fast
  seconds: 15
items:
  per_dialogue: 1
', '035feacbcf005939d8b4c3e67d0191baaf6bf4189a3d0645e49c087909b6b8ce', 'b408ab403f17b5f4fb67eb68f7daa87f7cd55248c88f9ab1a6d2b0bb353aba35', '2026-11-15 12:00:00+00', 1, '{"SECRET0": ["c12c5c8de736cba3605b2835d140c936", "c12c5c8de736cba3605b2835d140c936"], "SECRET3": ["c377ce7a28ee6c78f32c20b9006602e4", "c377ce7a28ee6c78f32c20b9006602e4"]}', '', '{}');
INSERT INTO public.study_version (id, n, text, sha256, corpus_sha256, loaded_at, study_id, contents, same_meaning, change) VALUES (2, 2, 'labelwright: 1
name: upgraded
title: Tiny study
seed: 7
corpus:
  reader: chat_messages
  path: dialogues.jsonl
scales:
  useful:
    points:
    - code: 1
      name: Not useful
      score: 0
    - code: 2
      name: Somewhat useful
      score: 0.5
    - code: 3
      name: Very useful
      score: 1
aspects:
  usefulness:
    title: Usefulness
    aim: secret-aim
designs:
  reply:
    title: Judge one reply
    lead: Judge the marked reply.
    instructions: ''Read the conversation.


      Judge the marked reply.''
    questions:
    - name: useful
      type: scale
      aspect: usefulness
      aim: secret-question-aim
      text: How useful is the marked reply?
      scale: useful
    - name: comment
      type: text
      text: Comment
      required: false
      max_words: 20
conditions:
  SECRET0:
    context:
      turns_before: 0
  SECRET3:
    context:
      turns_before: 3
      next_turn: true
redundancy: 3
pools:
  own:
    platform: link
    raters: 8
    pay:
      cents: 50
quality:
- rule: too_fast
  seconds: 15
items:
  per_dialogue: 1
', 'b6025923c0d3e49f81b70dd89b2d2554d2beb445033e5f586e275700717fce30', '52ff61198d20897ce32a4f9f49e512e378101c1da8f8dc787148964d4c969a99', '2026-11-16 06:23:05.37611+00', 1, '{"SECRET0": ["c12c5c8de736cba3605b2835d140c936", "c12c5c8de736cba3605b2835d140c936"], "SECRET3": ["c377ce7a28ee6c78f32c20b9006602e4", "c377ce7a28ee6c78f32c20b9006602e4"]}', '', '{"stay": 18, "lines": ["18 ratings stay; 2 new tasks.", "Condition \"SECRET0\" has other items: 1 task new, 3 ratings to collect, USD 1.50; 5 more ratings of existing tasks, USD 2.50.", "Condition \"SECRET3\" has other items: 1 task new, 3 ratings to collect, USD 1.50; 5 more ratings of existing tasks, USD 2.50.", "The number of ratings per item changed; this keeps every rating.", "The number of raters of pool \"own\" changed; this keeps every rating.", "The pay of pool \"own\" changed; this keeps every rating.", "Still to collect: 18 ratings, USD 9.00."], "new_tasks": 2}');


--
-- Data for Name: agreed_cost; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: person; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: place; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (15, 0, '', 'SECRET3', 4, 'filled', 1, 1, 1, 10, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (3, 0, '', 'SECRET0', 2, 'filled', 1, 1, 1, 1, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (17, 0, '', 'SECRET3', 6, 'filled', 1, 1, 1, 7, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (2, 1, '', 'SECRET0', 1, 'filled', 1, 1, 1, 4, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (12, 1, '', 'SECRET3', 1, 'filled', 1, 1, 1, 8, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (4, 1, '', 'SECRET0', 3, 'filled', 1, 1, 1, 1, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (16, 1, '', 'SECRET3', 5, 'filled', 1, 1, 1, 10, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (7, 0, '', 'SECRET0', 6, 'filled', 1, 1, 1, 2, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (5, 0, '', 'SECRET0', 4, 'filled', 1, 1, 1, 3, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (13, 0, '', 'SECRET3', 2, 'filled', 1, 1, 1, 9, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (8, 1, '', 'SECRET0', 7, 'filled', 1, 1, 1, 2, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (19, 0, '', 'SECRET3', 8, 'filled', 1, 1, 1, 6, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (9, 0, '', 'SECRET0', 8, 'filled', 1, 1, 1, 5, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (14, 1, '', 'SECRET3', 3, 'filled', 1, 1, 1, 9, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (6, 1, '', 'SECRET0', 5, 'filled', 1, 1, 1, 3, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (18, 1, '', 'SECRET3', 7, 'filled', 1, 1, 1, 7, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (10, 1, '', 'SECRET0', 9, 'filled', 1, 1, 1, 5, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (20, 1, '', 'SECRET3', 9, 'filled', 1, 1, 1, 6, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (11, 0, '', 'SECRET3', 0, 'open', 1, 1, 1, 8, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (1, 0, '', 'SECRET0', 0, 'open', 1, 1, 1, 4, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (21, 2, '', 'SECRET0', 10, 'open', 1, 1, 1, 4, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (22, 2, '', 'SECRET0', 13, 'open', 1, 1, 1, 1, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (23, 2, '', 'SECRET0', 16, 'open', 1, 1, 1, 3, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (25, 1, '', 'SECRET0', 20, 'open', 1, 1, 1, 11, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (26, 2, '', 'SECRET0', 21, 'open', 1, 1, 1, 11, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (27, 2, '', 'SECRET0', 22, 'open', 1, 1, 1, 2, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (28, 2, '', 'SECRET0', 25, 'open', 1, 1, 1, 5, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (29, 2, '', 'SECRET3', 10, 'open', 1, 1, 1, 8, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (30, 2, '', 'SECRET3', 13, 'open', 1, 1, 1, 9, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (31, 2, '', 'SECRET3', 16, 'open', 1, 1, 1, 10, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (32, 2, '', 'SECRET3', 19, 'open', 1, 1, 1, 7, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (33, 0, '', 'SECRET3', 22, 'open', 1, 1, 1, 12, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (24, 0, '', 'SECRET0', 19, 'leased', 1, 1, 1, 11, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (34, 1, '', 'SECRET3', 23, 'open', 1, 1, 1, 12, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (35, 2, '', 'SECRET3', 24, 'open', 1, 1, 1, 12, false, false);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id, closing, gold) VALUES (36, 2, '', 'SECRET3', 25, 'open', 1, 1, 1, 6, false, false);


--
-- Data for Name: rater; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (2, 'blossom-seahorse', 'person', 'J7gNfdX0n_0lykN3', '2027-01-14 12:00:00+00', NULL, NULL, NULL, 1, NULL, 'rOMufKyTh4Cjp');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (6, 'orange-kingbird', 'person', '9VI6C0AhH7_DKMB6', '2027-01-14 12:00:00+00', NULL, NULL, NULL, 1, NULL, 'rAlTziUq1yQjH');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (4, 'grove-heron', 'person', 'qxNWkY7HXSztcfSd', '2027-01-14 12:00:00+00', '2026-11-15 14:06:48.619798+00', NULL, NULL, 1, 1, 'rJL1j5sWSlB9c');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (5, 'papyrus-oryx', 'person', 'UhssvNSW4xCUaEua', '2027-01-14 12:00:00+00', '2026-11-15 18:06:22.911027+00', NULL, NULL, 1, 1, 'r2eMDS4BdXf_M');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (1, 'citrus-salmon', 'person', '3QJX7sv6FRK4zzDx', '2027-01-14 12:00:00+00', '2026-11-16 03:17:42.591663+00', NULL, NULL, 1, 1, 'rEu0rPlu_GPZA');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (3, 'pond-deer', 'person', 'OE0ytyY9wHbp4WtD', '2027-01-14 12:00:00+00', '2026-11-16 05:03:27.869074+00', NULL, NULL, 1, 1, 'rS7HEhpdr64tg');


--
-- Data for Name: assignment; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (3, 'submitted', '2026-11-15 14:08:16.054153+00', '2026-11-15 14:38:16.054153+00', '00:00:00', '2026-11-15 14:08:50.248411+00', 34.194258, '\x0a18b060752b238ac2230e07b86e57d1dd3f56feb3c2441126a0164095804e78', 'owed', 'used', false, 1, 15, 4, 1, 10, 'd4d68d9e-e94e-47ce-a593-54e25b0a7891');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (4, 'submitted', '2026-11-15 14:09:00.513153+00', '2026-11-15 14:39:00.513153+00', '00:00:00', '2026-11-15 14:09:42.168965+00', 41.655812, '\xd30122443aa61a923af83f4dfe0a950584038c8b7ed0739fe69b82fdd8082128', 'owed', 'used', false, 1, 3, 4, 1, 1, '0ac4ca96-bc2c-4488-94c7-342a88c88a1b');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (5, 'submitted', '2026-11-15 14:09:47.348279+00', '2026-11-15 14:39:47.348279+00', '00:00:00', '2026-11-15 14:10:18.185146+00', 30.836867, '\x057874eb9b236a4f1eab6c6623126c018b45e60bdfec29fd65302aa843cb1113', 'owed', 'used', false, 1, 17, 4, 1, 7, '080b28b9-7f22-4a01-a8b3-d7c9f7fd4d63');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (6, 'submitted', '2026-11-15 18:06:22.911027+00', '2026-11-15 18:36:22.911027+00', '00:00:00', '2026-11-15 18:08:18.161733+00', 115.250706, '\x8d626f1c1364329dca1214eccfdc6f7a11d995a6a52522c1c75dd284c517788c', 'owed', 'used', false, 1, 2, 5, 1, 4, 'a99d3248-2fa1-4c55-b0cb-df419a3a1b3b');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (7, 'submitted', '2026-11-15 18:08:29.399181+00', '2026-11-15 18:38:29.399181+00', '00:00:00', '2026-11-15 18:09:56.851482+00', 87.452301, '\x3e114a83fc2d3045613d8f8163c917f82975d49ab39c2715df436ea4a24feec3', 'owed', 'used', false, 1, 12, 5, 1, 8, '4f8ff007-8f5b-45a3-aa7d-22ec0bd96b93');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (8, 'submitted', '2026-11-15 18:09:59.213942+00', '2026-11-15 18:39:59.213942+00', '00:00:00', '2026-11-15 18:12:37.309906+00', 158.095964, '\xf01275c3f0621d079fbec43ef9529c0ff9f0f43b404de0b23ec72173d20d5fd4', 'owed', 'used', false, 1, 4, 5, 1, 1, '8dff73ff-f729-4a68-b740-8bec55c98544');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (9, 'submitted', '2026-11-15 18:12:43.548391+00', '2026-11-15 18:42:43.548391+00', '00:00:00', '2026-11-15 18:14:26.63781+00', 103.089419, '\xd5c6aa0a2e46de2afdc7dc41b433e3c4ed5f94d02d37c1140403a50c7af9a053', 'owed', 'used', false, 1, 16, 5, 1, 10, 'c052373d-677b-491b-80b9-d5b5ac8ca8db');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (10, 'submitted', '2026-11-15 18:14:29.264502+00', '2026-11-15 18:44:29.264502+00', '00:00:00', '2026-11-15 18:17:02.778821+00', 153.514319, '\x7a9d43435d86edb2883f5e4dbb5e1627cf1aa78df2a2bc3cf01ce1e33ffde446', 'owed', 'used', false, 1, 7, 5, 1, 2, '5f41d214-1e0e-4181-9a36-a812ae8cb01a');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (11, 'submitted', '2026-11-16 03:17:42.591663+00', '2026-11-16 03:47:42.591663+00', '00:00:00', '2026-11-16 03:19:34.718794+00', 112.127131, '\x3e158288acb5e23592fc3f4948764c6eb15e8978eaf7443b7882f465f8483c85', 'owed', 'used', false, 1, 5, 1, 1, 3, '7e537b76-d2d5-4c0f-85e7-b3f093fdd7b8');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (12, 'submitted', '2026-11-16 03:19:37.134423+00', '2026-11-16 03:49:37.134423+00', '00:00:00', '2026-11-16 03:20:19.908248+00', 42.773825, '\xe990219ddeada4e682993fe2e1c42eb7c5d55ec54bc136074e88e6427b64e00e', 'owed', 'used', false, 1, 13, 1, 1, 9, '7d7771b6-aa55-40e6-ad20-4d1e7e5a825c');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (13, 'submitted', '2026-11-16 03:20:22.47948+00', '2026-11-16 03:50:22.47948+00', '00:00:00', '2026-11-16 03:22:46.031622+00', 143.552142, '\x6cc66cfb91ca10f6662fff48162673fb36d8152854e56920a55878d56133bc21', 'owed', 'used', false, 1, 8, 1, 1, 2, '49e5c98a-d7ed-4ae4-838d-3d82953edf2c');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (14, 'submitted', '2026-11-16 03:22:50.110234+00', '2026-11-16 03:52:50.110234+00', '00:00:00', '2026-11-16 03:25:17.530614+00', 147.42038, '\x7b83ecd7604185c53cd253e4dd3a9b5fed55c03c11c45bfe9c105e5ea4d787c0', 'owed', 'used', false, 1, 19, 1, 1, 6, '3d6c5627-b820-4c9c-8851-26db4a316b05');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (15, 'submitted', '2026-11-16 03:25:20.757125+00', '2026-11-16 03:55:20.757125+00', '00:00:00', '2026-11-16 03:27:24.013937+00', 123.256812, '\xf90df51f5e2f2db0b3ba484dbe8ac2281c2586b0c81e7e6d9304be395d256bdd', 'owed', 'used', false, 1, 9, 1, 1, 5, '0a694f37-329a-4e35-a2c5-35a7ad772564');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (16, 'submitted', '2026-11-16 05:03:27.869074+00', '2026-11-16 05:33:27.869074+00', '00:00:00', '2026-11-16 05:06:05.429559+00', 157.560485, '\xccc979a4ac457fd9bb8a72fe684efcdf5b4bc4cf0ac81cfe1574e44abf535542', 'owed', 'used', false, 1, 14, 3, 1, 9, '1180af6b-7766-4b04-9ac0-5c72b6623dbe');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (17, 'submitted', '2026-11-16 05:06:07.764695+00', '2026-11-16 05:36:07.764695+00', '00:00:00', '2026-11-16 05:09:11.580813+00', 183.816118, '\x95741d025513d452d6e1f9b4482eaa5762006f2b2add55678f2b8edd1cbca13b', 'owed', 'used', false, 1, 6, 3, 1, 3, '399b9a11-b583-472f-a39f-d25eafb72178');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (18, 'submitted', '2026-11-16 05:09:15.637778+00', '2026-11-16 05:39:15.637778+00', '00:00:00', '2026-11-16 05:14:18.202316+00', 302.564538, '\x79bcf20a3eb43dfc216b619c7795d6a156dc6c63cafae308f6f3f5f64e39cb76', 'owed', 'used', false, 1, 18, 3, 1, 7, 'd49e1cc3-1d2b-453b-ae65-55db1a38b7d6');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (19, 'submitted', '2026-11-16 05:14:25.22423+00', '2026-11-16 05:44:25.22423+00', '00:00:00', '2026-11-16 05:17:51.333382+00', 206.109152, '\xfce390c547dd234294bca4d37965baa3acf6cb37e7982b13d185752c817c3d08', 'owed', 'used', false, 1, 10, 3, 1, 5, '542df1af-582a-4953-a002-112366836ba0');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (20, 'submitted', '2026-11-16 05:18:08.578019+00', '2026-11-16 05:48:08.578019+00', '00:00:00', '2026-11-16 05:23:05.37611+00', 296.798091, '\x273507339af4857925da45897f7611437d5162ee6c5da4246d04f928d2b61384', 'owed', 'used', false, 1, 20, 3, 1, 6, '6dc9bf96-8c2c-4987-ad0f-4616d86200de');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (1, 'approved', '2026-11-15 14:06:48.619798+00', '2026-11-15 14:36:48.619798+00', '00:00:00', '2026-11-15 14:07:39.399614+00', 50.779816, '\xde63ba6af3417f563f19138bf0a70e83592918627639fabc39b7a72df83076b0', 'owed', 'left_out', false, 1, 11, 4, 1, 8, 'b89e1e8c-5bbd-4450-a96a-6f6a1079e56e');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (2, 'rejected', '2026-11-15 14:07:42.079359+00', '2026-11-15 14:37:42.079359+00', '00:00:00', '2026-11-15 14:08:11.202733+00', 29.123374, '\xa8bbe7cffadd3425093a2cbff463ebd0b0fc9e0ac0d2cc1aa686577e6ab3788d', 'none', 'left_out', false, 1, 1, 4, 1, 4, '0858c772-cd2d-4a37-9029-819164812a2e');
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id) VALUES (21, 'open', '2026-11-16 07:23:05.37611+00', '2026-11-16 07:53:05.37611+00', '00:00:00', NULL, NULL, '\x8905451dac8b3c99299c00f89c48a9ee936d6721dd6c1e027579da51d56d5762', 'none', 'none', false, 1, 24, 4, 2, 11, '8fb4bd46-809e-4d24-8ded-2b6eb8bb745e');


--
-- Data for Name: answer; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (1, 0, 'useful', 'usefulness', '3', 3, 1, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (2, 0, 'useful', 'usefulness', '2', 2, 2, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (3, 0, 'comment', '', '"Clear and to the point."', NULL, 2, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (4, 0, 'useful', 'usefulness', '3', 3, 3, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (5, 0, 'useful', 'usefulness', '3', 3, 4, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (6, 0, 'useful', 'usefulness', '3', 3, 5, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (7, 0, 'useful', 'usefulness', '1', 1, 6, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (8, 0, 'comment', '', '"Clear and to the point."', NULL, 6, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (9, 0, 'useful', 'usefulness', '2', 2, 7, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (10, 0, 'useful', 'usefulness', '3', 3, 8, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (11, 0, 'useful', 'usefulness', '3', 3, 9, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (12, 0, 'useful', 'usefulness', '3', 3, 10, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (13, 0, 'useful', 'usefulness', '1', 1, 11, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (14, 0, 'useful', 'usefulness', '1', 1, 12, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (15, 0, 'comment', '', '"I am not sure that this is true."', NULL, 12, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (16, 0, 'useful', 'usefulness', '3', 3, 13, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (17, 0, 'comment', '', '"It does not fit what was asked."', NULL, 13, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (18, 0, 'useful', 'usefulness', '3', 3, 14, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (19, 0, 'useful', 'usefulness', '3', 3, 15, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (20, 0, 'comment', '', '"I would have to ask again."', NULL, 15, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (21, 0, 'useful', 'usefulness', '2', 2, 16, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (22, 0, 'comment', '', '"I am not sure that this is true."', NULL, 16, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (23, 0, 'useful', 'usefulness', '2', 2, 17, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (24, 0, 'useful', 'usefulness', '3', 3, 18, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (25, 0, 'useful', 'usefulness', '3', 3, 19, 1);
INSERT INTO public.answer (id, "position", question, aspect, value, code, assignment_id, study_id) VALUES (26, 0, 'useful', 'usefulness', '3', 3, 20, 1);


--
-- Data for Name: api_token; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (1, 'command line', 'load', 'upgraded', '{}', '{"sha256": "035feacbcf005939d8b4c3e67d0191baaf6bf4189a3d0645e49c087909b6b8ce", "version": 1}', '2026-11-15 12:00:00+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (2, 'command line', 'add_raters', 'own', '{}', '{"raters": 6}', '2026-11-15 12:00:00+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (3, 'owner', 'verdict', 'grove-heron', '{"paid": "owed", "data_use": "used"}', '{"paid": "owed", "reason": "Too fast.", "data_use": "left_out"}', '2026-11-16 05:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (4, 'owner', 'verdict', 'grove-heron', '{"paid": "owed", "data_use": "used"}', '{"paid": "none", "reason": "Random.", "data_use": "left_out"}', '2026-11-16 05:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (5, 'owner', 'message', 'grove-heron', '{}', '{"kind": "note"}', '2026-11-16 05:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (6, 'command line', 'load', 'upgraded', '{"version": 1}', '{"sha256": "b6025923c0d3e49f81b70dd89b2d2554d2beb445033e5f586e275700717fce30", "version": 2}', '2026-11-16 06:23:05.37611+00', 1);


--
-- Data for Name: batch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.batch (id, number, topic, state, items, tasks, group_tasks, wanted, opens_at, closes_at, opened_at, closed_at, purpose, study_id, version_id, condition_wanted) VALUES (1, 0, '', 'open', 6, 6, '{"": 6}', 36, '2026-11-15 12:00:00+00', NULL, '2026-11-15 12:00:00+00', NULL, 'collect', 1, 2, '{"SECRET0": 18, "SECRET3": 18}');


--
-- Data for Name: batch_work; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.batch_work (done, first_offered_at, last_submitted_at, completed_at, batch_id, study_id, rater_id, gold) VALUES (5, '2026-11-15 14:06:48.619798+00', '2026-11-15 14:10:18.185146+00', '2026-11-15 14:10:18.185146+00', 1, 1, 4, 0);
INSERT INTO public.batch_work (done, first_offered_at, last_submitted_at, completed_at, batch_id, study_id, rater_id, gold) VALUES (5, '2026-11-15 18:06:22.911027+00', '2026-11-15 18:17:02.778821+00', '2026-11-15 18:17:02.778821+00', 1, 1, 5, 0);
INSERT INTO public.batch_work (done, first_offered_at, last_submitted_at, completed_at, batch_id, study_id, rater_id, gold) VALUES (5, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:27:24.013937+00', '2026-11-16 03:27:24.013937+00', 1, 1, 1, 0);
INSERT INTO public.batch_work (done, first_offered_at, last_submitted_at, completed_at, batch_id, study_id, rater_id, gold) VALUES (5, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 1, 1, 3, 0);


--
-- Data for Name: code_attempt; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: dialogue; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.dialogue (id, key, sha256, turns, meta, study_id) VALUES (1, 'd0', '322be3ea6b728618cb65e437d2de890eacf50ac8bc5e309450efd7f7f22cc9b4', '[{"text": "A film like number 0?", "speaker": "user"}, {"text": "Try number 0.", "system": "alpha", "speaker": "system"}]', '{}', 1);
INSERT INTO public.dialogue (id, key, sha256, turns, meta, study_id) VALUES (2, 'd1', 'b17c4e05617080fbcdb93e3ca955b01a8fd0dbf95dfcae52646d45fd7b2d06cd', '[{"text": "A film like number 1?", "speaker": "user"}, {"text": "Try number 1.", "system": "alpha", "speaker": "system"}]', '{}', 1);
INSERT INTO public.dialogue (id, key, sha256, turns, meta, study_id) VALUES (3, 'd2', 'b648ff68777ae00b03ad6d384ce838a70ec306b07c8bf25ef791593b63b2c635', '[{"text": "A film like number 2?", "speaker": "user"}, {"text": "Try number 4.", "system": "alpha", "speaker": "system"}]', '{}', 1);
INSERT INTO public.dialogue (id, key, sha256, turns, meta, study_id) VALUES (4, 'd3', 'bfe5e8c2463db55d47de1e01232d62c8f837e87c1f5b22da7ec36bc4e7bf1323', '[{"text": "A film like number 3?", "speaker": "user"}, {"text": "Try number 9.", "system": "alpha", "speaker": "system"}]', '{}', 1);
INSERT INTO public.dialogue (id, key, sha256, turns, meta, study_id) VALUES (5, 'd4', '331bd49d1edee8a84e844e84cc6910a8ade1c97398b2f9f05e7949f876446281', '[{"text": "A film like number 4?", "speaker": "user"}, {"text": "Try number 16.", "system": "alpha", "speaker": "system"}]', '{}', 1);
INSERT INTO public.dialogue (id, key, sha256, turns, meta, study_id) VALUES (11, 'd5', '93de170264f0e333cc7fefd7138de0f1c673da181cbe6bf01b9858c36164d842', '[{"text": "A film like number 5?", "speaker": "user"}, {"text": "Try number 25.", "system": "alpha", "speaker": "system"}]', '{}', 1);


--
-- Data for Name: generation; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: item; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.item (id, key, kind, target, system, discussed_at, payload, dialogue_id, study_id) VALUES (1, 'd0#1', 'exchange', 1, 'alpha', NULL, '{}', 1, 1);
INSERT INTO public.item (id, key, kind, target, system, discussed_at, payload, dialogue_id, study_id) VALUES (2, 'd1#1', 'exchange', 1, 'alpha', NULL, '{}', 2, 1);
INSERT INTO public.item (id, key, kind, target, system, discussed_at, payload, dialogue_id, study_id) VALUES (3, 'd2#1', 'exchange', 1, 'alpha', NULL, '{}', 3, 1);
INSERT INTO public.item (id, key, kind, target, system, discussed_at, payload, dialogue_id, study_id) VALUES (4, 'd3#1', 'exchange', 1, 'alpha', NULL, '{}', 4, 1);
INSERT INTO public.item (id, key, kind, target, system, discussed_at, payload, dialogue_id, study_id) VALUES (5, 'd4#1', 'exchange', 1, 'alpha', NULL, '{}', 5, 1);
INSERT INTO public.item (id, key, kind, target, system, discussed_at, payload, dialogue_id, study_id) VALUES (11, 'd5#1', 'exchange', 1, 'alpha', NULL, '{}', 11, 1);


--
-- Data for Name: context; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: context_discard; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: context_verdict; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: corpus_file; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: draft; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.draft (assignment_id, revision, save_id, answers, saved_at, study_id) VALUES (21, 1, 'first', '{"0": {"useful": 2}}', '2026-11-16 07:23:05.37611+00', 1);


--
-- Data for Name: edited_file; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: exposure; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d4#1', 1, 4);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d2#1', 1, 4);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d3#1', 1, 4);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d0#1', 1, 4);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d1#1', 1, 4);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d2#1', 1, 5);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d4#1', 1, 5);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d0#1', 1, 5);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d3#1', 1, 5);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d1#1', 1, 5);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d4#1', 1, 1);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d2#1', 1, 1);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d1#1', 1, 1);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d0#1', 1, 1);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d3#1', 1, 1);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d2#1', 1, 3);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d4#1', 1, 3);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d1#1', 1, 3);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d3#1', 1, 3);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d0#1', 1, 3);
INSERT INTO public.exposure (spoil_key, study_id, rater_id) VALUES ('d5#1', 1, 4);


--
-- Data for Name: flag; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: generation_budget; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: gold_result; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: item_change; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.item_change (id, item_id, study_id) VALUES (22, 1, 1);
INSERT INTO public.item_change (id, item_id, study_id) VALUES (23, 2, 1);
INSERT INTO public.item_change (id, item_id, study_id) VALUES (24, 3, 1);
INSERT INTO public.item_change (id, item_id, study_id) VALUES (25, 4, 1);
INSERT INTO public.item_change (id, item_id, study_id) VALUES (26, 5, 1);
INSERT INTO public.item_change (id, item_id, study_id) VALUES (27, 5, 1);
INSERT INTO public.item_change (id, item_id, study_id) VALUES (28, 5, 1);
INSERT INTO public.item_change (id, item_id, study_id) VALUES (29, 3, 1);
INSERT INTO public.item_change (id, item_id, study_id) VALUES (30, 3, 1);
INSERT INTO public.item_change (id, item_id, study_id) VALUES (31, NULL, 1);


--
-- Data for Name: item_label; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.item_label (condition, question, n, code, share, disagreement, item_id, study_id) VALUES ('SECRET0', 'useful', 2, 3, 1, 0, 1, 1);
INSERT INTO public.item_label (condition, question, n, code, share, disagreement, item_id, study_id) VALUES ('SECRET3', 'useful', 1, 3, 1, NULL, 1, 1);
INSERT INTO public.item_label (condition, question, n, code, share, disagreement, item_id, study_id) VALUES ('SECRET0', 'useful', 2, 3, 1, 0, 2, 1);
INSERT INTO public.item_label (condition, question, n, code, share, disagreement, item_id, study_id) VALUES ('SECRET3', 'useful', 1, 3, 1, NULL, 2, 1);
INSERT INTO public.item_label (condition, question, n, code, share, disagreement, item_id, study_id) VALUES ('SECRET0', 'useful', 2, NULL, 0.5, 1, 3, 1);
INSERT INTO public.item_label (condition, question, n, code, share, disagreement, item_id, study_id) VALUES ('SECRET3', 'useful', 1, 1, 1, NULL, 3, 1);
INSERT INTO public.item_label (condition, question, n, code, share, disagreement, item_id, study_id) VALUES ('SECRET0', 'useful', 1, 3, 1, NULL, 4, 1);
INSERT INTO public.item_label (condition, question, n, code, share, disagreement, item_id, study_id) VALUES ('SECRET3', 'useful', 2, 3, 1, 0, 4, 1);
INSERT INTO public.item_label (condition, question, n, code, share, disagreement, item_id, study_id) VALUES ('SECRET0', 'useful', 1, 1, 1, NULL, 5, 1);
INSERT INTO public.item_label (condition, question, n, code, share, disagreement, item_id, study_id) VALUES ('SECRET3', 'useful', 2, NULL, 0.5, 1, 5, 1);


--
-- Data for Name: item_line; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.item_line (condition, key, systems, gold, stored, wanted, flags, disagreement, unclear, item_id, study_id) VALUES ('SECRET0', 'd0#1', '{alpha}', false, 2, 2, 0, 0, 0, 1, 1);
INSERT INTO public.item_line (condition, key, systems, gold, stored, wanted, flags, disagreement, unclear, item_id, study_id) VALUES ('SECRET3', 'd0#1', '{alpha}', false, 2, 2, 0, NULL, 0, 1, 1);
INSERT INTO public.item_line (condition, key, systems, gold, stored, wanted, flags, disagreement, unclear, item_id, study_id) VALUES ('SECRET0', 'd1#1', '{alpha}', false, 2, 2, 0, 0, 0, 2, 1);
INSERT INTO public.item_line (condition, key, systems, gold, stored, wanted, flags, disagreement, unclear, item_id, study_id) VALUES ('SECRET3', 'd1#1', '{alpha}', false, 2, 2, 0, NULL, 0, 2, 1);
INSERT INTO public.item_line (condition, key, systems, gold, stored, wanted, flags, disagreement, unclear, item_id, study_id) VALUES ('SECRET0', 'd2#1', '{alpha}', false, 2, 2, 0, 1, 1, 3, 1);
INSERT INTO public.item_line (condition, key, systems, gold, stored, wanted, flags, disagreement, unclear, item_id, study_id) VALUES ('SECRET3', 'd2#1', '{alpha}', false, 2, 2, 0, NULL, 0, 3, 1);
INSERT INTO public.item_line (condition, key, systems, gold, stored, wanted, flags, disagreement, unclear, item_id, study_id) VALUES ('SECRET0', 'd3#1', '{alpha}', false, 2, 2, 0, NULL, 0, 4, 1);
INSERT INTO public.item_line (condition, key, systems, gold, stored, wanted, flags, disagreement, unclear, item_id, study_id) VALUES ('SECRET3', 'd3#1', '{alpha}', false, 2, 2, 0, 0, 0, 4, 1);
INSERT INTO public.item_line (condition, key, systems, gold, stored, wanted, flags, disagreement, unclear, item_id, study_id) VALUES ('SECRET0', 'd4#1', '{alpha}', false, 2, 2, 0, NULL, 0, 5, 1);
INSERT INTO public.item_line (condition, key, systems, gold, stored, wanted, flags, disagreement, unclear, item_id, study_id) VALUES ('SECRET3', 'd4#1', '{alpha}', false, 2, 2, 0, 1, 1, 5, 1);


--
-- Data for Name: item_tally; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (1, 'SECRET0', 'useful', 3, 2, 1, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (8, 'SECRET0', 'useful', 1, 1, 3, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (4, 'SECRET3', 'useful', 3, 2, 4, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (10, 'SECRET3', 'useful', 2, 1, 5, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (7, 'SECRET0', 'useful', 3, 2, 2, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (13, 'SECRET3', 'useful', 1, 1, 3, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (15, 'SECRET0', 'useful', 1, 1, 5, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (11, 'SECRET3', 'useful', 3, 2, 1, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (2, 'SECRET3', 'useful', 3, 2, 2, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (18, 'SECRET3', 'useful', 2, 1, 3, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (14, 'SECRET0', 'useful', 3, 2, 4, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (20, 'SECRET0', 'useful', 2, 1, 5, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (5, 'SECRET3', 'useful', 3, 0, 5, 1, 1, 'person');
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id, version_id, rater_kind) VALUES (3, 'SECRET0', 'useful', 2, 0, 3, 1, 1, 'person');


--
-- Data for Name: item_words; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.item_words (item_id, words, study_id) VALUES (1, '''0'':8,11 ''1'':2 ''a'':4 ''alpha'':3 ''d0'':1 ''film'':5 ''like'':6 ''number'':7,10 ''try'':9', 1);
INSERT INTO public.item_words (item_id, words, study_id) VALUES (2, '''1'':2,8,11 ''a'':4 ''alpha'':3 ''d1'':1 ''film'':5 ''like'':6 ''number'':7,10 ''try'':9', 1);
INSERT INTO public.item_words (item_id, words, study_id) VALUES (3, '''1'':2 ''2'':8 ''4'':11 ''a'':4 ''alpha'':3 ''d2'':1 ''film'':5 ''like'':6 ''number'':7,10 ''try'':9', 1);
INSERT INTO public.item_words (item_id, words, study_id) VALUES (4, '''1'':2 ''3'':8 ''9'':11 ''a'':4 ''alpha'':3 ''d3'':1 ''film'':5 ''like'':6 ''number'':7,10 ''try'':9', 1);
INSERT INTO public.item_words (item_id, words, study_id) VALUES (5, '''1'':2 ''16'':11 ''4'':8 ''a'':4 ''alpha'':3 ''d4'':1 ''film'':5 ''like'':6 ''number'':7,10 ''try'':9', 1);


--
-- Data for Name: joining; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: key_check; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: login_session; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: pool; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.pool (id, name, study_id, public_id) VALUES (1, 'own', 1, 'rZ-XXlIkMae_1');


--
-- Data for Name: message; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.message (id, kind, author, text, shown, question_shown, sent_at, read_at, answers_id, study_id, pool_id, rater_id) VALUES (1, 'note', 'owner', 'Please read more slowly.', false, '', '2026-11-16 05:23:05.37611+00', NULL, NULL, 1, NULL, 4);
INSERT INTO public.message (id, kind, author, text, shown, question_shown, sent_at, read_at, answers_id, study_id, pool_id, rater_id) VALUES (2, 'note', '', 'I will.', false, '', '2026-11-16 05:23:05.37611+00', NULL, NULL, 1, NULL, 4);


--
-- Data for Name: mail; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: member; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.member (number, rater_group, state, joined_at, qualified, decided_at, score, study_id, pool_id, rater_id) VALUES (0, '', 'active', '2026-11-15 12:00:00+00', NULL, NULL, NULL, 1, 1, 1);
INSERT INTO public.member (number, rater_group, state, joined_at, qualified, decided_at, score, study_id, pool_id, rater_id) VALUES (1, '', 'active', '2026-11-15 12:00:00+00', NULL, NULL, NULL, 1, 1, 2);
INSERT INTO public.member (number, rater_group, state, joined_at, qualified, decided_at, score, study_id, pool_id, rater_id) VALUES (2, '', 'active', '2026-11-15 12:00:00+00', NULL, NULL, NULL, 1, 1, 3);
INSERT INTO public.member (number, rater_group, state, joined_at, qualified, decided_at, score, study_id, pool_id, rater_id) VALUES (3, '', 'active', '2026-11-15 12:00:00+00', NULL, NULL, NULL, 1, 1, 4);
INSERT INTO public.member (number, rater_group, state, joined_at, qualified, decided_at, score, study_id, pool_id, rater_id) VALUES (4, '', 'active', '2026-11-15 12:00:00+00', NULL, NULL, NULL, 1, 1, 5);
INSERT INTO public.member (number, rater_group, state, joined_at, qualified, decided_at, score, study_id, pool_id, rater_id) VALUES (5, '', 'active', '2026-11-15 12:00:00+00', NULL, NULL, NULL, 1, 1, 6);


--
-- Data for Name: message_item; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: mined_phrase; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: note; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: offered; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (3, '', 'SECRET3', 1, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (4, '', 'SECRET0', 1, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (5, '', 'SECRET3', 2, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (6, '', 'SECRET0', 2, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (7, '', 'SECRET3', 3, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (8, '', 'SECRET0', 3, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (9, '', 'SECRET3', 4, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (1, '', 'SECRET3', 0, -1, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (2, '', 'SECRET0', 0, -1, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (10, '', 'SECRET0', 4, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (13, '', 'SECRET3', 6, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (14, '', 'SECRET0', 6, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (15, '', 'SECRET3', 7, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (16, '', 'SECRET0', 7, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (11, '', 'SECRET3', 5, 10, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (12, '', 'SECRET0', 5, 11, 1, 1, 1);


--
-- Data for Name: open_link; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: prepared_export; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: rater_change; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rater_change (id, rater_id, study_id) VALUES (21, 3, 1);
INSERT INTO public.rater_change (id, rater_id, study_id) VALUES (22, 4, 1);
INSERT INTO public.rater_change (id, rater_id, study_id) VALUES (23, 4, 1);
INSERT INTO public.rater_change (id, rater_id, study_id) VALUES (24, 4, 1);
INSERT INTO public.rater_change (id, rater_id, study_id) VALUES (25, 4, 1);
INSERT INTO public.rater_change (id, rater_id, study_id) VALUES (26, 4, 1);
INSERT INTO public.rater_change (id, rater_id, study_id) VALUES (27, 4, 1);
INSERT INTO public.rater_change (id, rater_id, study_id) VALUES (28, NULL, 1);


--
-- Data for Name: rater_count; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('conditions', '', 2, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET0', 3, NULL, 6, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('tasks', '', 5, NULL, -1, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('batch', '1', 5, NULL, -1, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('day', '2026-11-15', 5, NULL, -1, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET0', 3, NULL, 19, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('tasks', '', 6, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET3', 3, NULL, 6, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('day', '2026-11-15', 5, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('submitted', '', 5, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('conditions', '', 2, NULL, -1, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('batch', '1', 6, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('submitted', '', 5, NULL, -1, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET3', 2, NULL, 5, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('submitted', '', 5, NULL, -1, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('conditions', '', 2, NULL, -1, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('conditions', '', 2, NULL, -1, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET3', 3, NULL, 9, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('tasks', '', 5, NULL, -1, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('batch', '1', 5, NULL, -1, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET3', 2, NULL, 8, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('day', '2026-11-16', 5, NULL, -1, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('submitted', '', 5, NULL, -1, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('day', '2026-11-16', 1, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET0', 3, NULL, 8, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('tasks', '', 5, NULL, -1, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('batch', '1', 5, NULL, -1, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('day', '2026-11-16', 5, NULL, -1, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET0', 2, NULL, 9, 3, 1);


--
-- Data for Name: rater_line; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (2, 'blossom-seahorse', 'invited', '{own}', 0, NULL, '{}', 0, 0, 0, 0, 0, 0, '[]', NULL, NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (6, 'orange-kingbird', 'invited', '{own}', 0, NULL, '{}', 0, 0, 0, 0, 0, 0, '[]', NULL, NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (4, 'grove-heron', 'done', '{own}', 5, 34.194258, '{30.836867,41.655812,34.194258,29.123374,50.779816}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-15 14:10:18.185146+00', NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (5, 'papyrus-oryx', 'done', '{own}', 5, 115.250706, '{153.514319,103.089419,158.095964,87.452301,115.250706}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-15 18:17:02.778821+00', NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (1, 'citrus-salmon', 'done', '{own}', 5, 123.256812, '{123.256812,147.42038,143.552142,42.773825,112.127131}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-16 03:27:24.013937+00', NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (3, 'pond-deer', 'active', '{own}', 5, 206.109152, '{296.798091,206.109152,302.564538,183.816118,157.560485}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-16 05:23:05.37611+00', NULL, NULL, NULL, 0, 1);


--
-- Data for Name: rater_sheet; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: reviewer_link; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: study_change; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study_change (id, study_id) VALUES (12, 1);


--
-- Data for Name: study_figures; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: study_rehearsal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: tally; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tally (id, condition, question, code, n, study_id, version_id, rater_kind, left_out) VALUES (4, 'SECRET0', 'useful', 1, 2, 1, 1, 'person', '');
INSERT INTO public.tally (id, condition, question, code, n, study_id, version_id, rater_kind, left_out) VALUES (10, 'SECRET3', 'useful', 1, 1, 1, 1, 'person', '');
INSERT INTO public.tally (id, condition, question, code, n, study_id, version_id, rater_kind, left_out) VALUES (2, 'SECRET0', 'useful', 3, 6, 1, 1, 'person', '');
INSERT INTO public.tally (id, condition, question, code, n, study_id, version_id, rater_kind, left_out) VALUES (6, 'SECRET3', 'useful', 2, 2, 1, 1, 'person', '');
INSERT INTO public.tally (id, condition, question, code, n, study_id, version_id, rater_kind, left_out) VALUES (3, 'SECRET3', 'useful', 3, 6, 1, 1, 'person', '');
INSERT INTO public.tally (id, condition, question, code, n, study_id, version_id, rater_kind, left_out) VALUES (17, 'SECRET3', 'useful', 3, 1, 1, 1, 'person', 'left_out');
INSERT INTO public.tally (id, condition, question, code, n, study_id, version_id, rater_kind, left_out) VALUES (1, 'SECRET0', 'useful', 2, 1, 1, 1, 'person', '');
INSERT INTO public.tally (id, condition, question, code, n, study_id, version_id, rater_kind, left_out) VALUES (19, 'SECRET0', 'useful', 2, 1, 1, 1, 'person', 'left_out');


--
-- Data for Name: task; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (1, 'SECRET0', 1, 1, 'c12c5c8de736cba3605b2835d140c93602d93051e56c6cdc0650422227b1aacd', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (2, 'SECRET0', 1, 1, 'c12c5c8de736cba3605b2835d140c936138544738b61d5efe507b24d0ba51779', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (3, 'SECRET0', 1, 1, 'c12c5c8de736cba3605b2835d140c9363bbe0fdef27b9d6a68af6f490b844e44', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (4, 'SECRET0', 1, 1, 'c12c5c8de736cba3605b2835d140c936e245cc3b857cce0a841f9d862700c6ad', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (5, 'SECRET0', 1, 1, 'c12c5c8de736cba3605b2835d140c936f43d21ac8a774a35a174b119b9efd565', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (6, 'SECRET3', 1, 1, 'c377ce7a28ee6c78f32c20b9006602e402d93051e56c6cdc0650422227b1aacd', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (7, 'SECRET3', 1, 1, 'c377ce7a28ee6c78f32c20b9006602e4138544738b61d5efe507b24d0ba51779', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (8, 'SECRET3', 1, 1, 'c377ce7a28ee6c78f32c20b9006602e43bbe0fdef27b9d6a68af6f490b844e44', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (9, 'SECRET3', 1, 1, 'c377ce7a28ee6c78f32c20b9006602e4e245cc3b857cce0a841f9d862700c6ad', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (10, 'SECRET3', 1, 1, 'c377ce7a28ee6c78f32c20b9006602e4f43d21ac8a774a35a174b119b9efd565', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (11, 'SECRET0', 1, 1, 'c12c5c8de736cba3605b2835d140c9361e3aa17003338d378558fa175dcc101f', NULL);
INSERT INTO public.task (id, condition, items, study_id, content, base_id) VALUES (12, 'SECRET3', 1, 1, 'c377ce7a28ee6c78f32c20b9006602e41e3aa17003338d378558fa175dcc101f', NULL);


--
-- Data for Name: task_item; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd0#1', NULL, 'item', 1, 1, 6);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd0#1', NULL, 'item', 1, 1, 1);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd1#1', NULL, 'item', 2, 1, 7);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd1#1', NULL, 'item', 2, 1, 2);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd2#1', NULL, 'item', 3, 1, 9);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd2#1', NULL, 'item', 3, 1, 4);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd3#1', NULL, 'item', 4, 1, 10);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd3#1', NULL, 'item', 4, 1, 5);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd4#1', NULL, 'item', 5, 1, 8);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd4#1', NULL, 'item', 5, 1, 3);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd5#1', NULL, 'item', 11, 1, 12);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd5#1', NULL, 'item', 11, 1, 11);


--
-- Data for Name: team_invitation; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: teammate; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: token_bucket; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: verdict; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.verdict (id, author, pay, data_use, reason, at, assignment_id, replaces_id, study_id) VALUES (1, 'owner', true, 'left_out', 'Too fast.', '2026-11-16 05:23:05.37611+00', 1, NULL, 1);
INSERT INTO public.verdict (id, author, pay, data_use, reason, at, assignment_id, replaces_id, study_id) VALUES (2, 'owner', false, 'left_out', 'Random.', '2026-11-16 05:23:05.37611+00', 2, NULL, 1);


--
-- Data for Name: visit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xde63ba6af3417f563f19138bf0a70e83592918627639fabc39b7a72df83076b0', '2026-11-15 14:06:48.619798+00', 1, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xa8bbe7cffadd3425093a2cbff463ebd0b0fc9e0ac0d2cc1aa686577e6ab3788d', '2026-11-15 14:07:42.079359+00', 2, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x0a18b060752b238ac2230e07b86e57d1dd3f56feb3c2441126a0164095804e78', '2026-11-15 14:08:16.054153+00', 3, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xd30122443aa61a923af83f4dfe0a950584038c8b7ed0739fe69b82fdd8082128', '2026-11-15 14:09:00.513153+00', 4, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x057874eb9b236a4f1eab6c6623126c018b45e60bdfec29fd65302aa843cb1113', '2026-11-15 14:09:47.348279+00', 5, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x8d626f1c1364329dca1214eccfdc6f7a11d995a6a52522c1c75dd284c517788c', '2026-11-15 18:06:22.911027+00', 6, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x3e114a83fc2d3045613d8f8163c917f82975d49ab39c2715df436ea4a24feec3', '2026-11-15 18:08:29.399181+00', 7, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xf01275c3f0621d079fbec43ef9529c0ff9f0f43b404de0b23ec72173d20d5fd4', '2026-11-15 18:09:59.213942+00', 8, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xd5c6aa0a2e46de2afdc7dc41b433e3c4ed5f94d02d37c1140403a50c7af9a053', '2026-11-15 18:12:43.548391+00', 9, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x7a9d43435d86edb2883f5e4dbb5e1627cf1aa78df2a2bc3cf01ce1e33ffde446', '2026-11-15 18:14:29.264502+00', 10, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x3e158288acb5e23592fc3f4948764c6eb15e8978eaf7443b7882f465f8483c85', '2026-11-16 03:17:42.591663+00', 11, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xe990219ddeada4e682993fe2e1c42eb7c5d55ec54bc136074e88e6427b64e00e', '2026-11-16 03:19:37.134423+00', 12, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x6cc66cfb91ca10f6662fff48162673fb36d8152854e56920a55878d56133bc21', '2026-11-16 03:20:22.47948+00', 13, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x7b83ecd7604185c53cd253e4dd3a9b5fed55c03c11c45bfe9c105e5ea4d787c0', '2026-11-16 03:22:50.110234+00', 14, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xf90df51f5e2f2db0b3ba484dbe8ac2281c2586b0c81e7e6d9304be395d256bdd', '2026-11-16 03:25:20.757125+00', 15, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xccc979a4ac457fd9bb8a72fe684efcdf5b4bc4cf0ac81cfe1574e44abf535542', '2026-11-16 05:03:27.869074+00', 16, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x95741d025513d452d6e1f9b4482eaa5762006f2b2add55678f2b8edd1cbca13b', '2026-11-16 05:06:07.764695+00', 17, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x79bcf20a3eb43dfc216b619c7795d6a156dc6c63cafae308f6f3f5f64e39cb76', '2026-11-16 05:09:15.637778+00', 18, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xfce390c547dd234294bca4d37965baa3acf6cb37e7982b13d185752c817c3d08', '2026-11-16 05:14:25.22423+00', 19, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x273507339af4857925da45897f7611437d5162ee6c5da4246d04f928d2b61384', '2026-11-16 05:18:08.578019+00', 20, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x8905451dac8b3c99299c00f89c48a9ee936d6721dd6c1e027579da51d56d5762', '2026-11-16 07:23:05.37611+00', 21, 1);


--
-- Data for Name: waiting_address; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook_delivery; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: withdrawal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Name: agreed_cost_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.agreed_cost_id_seq', 1, false);


--
-- Name: answer_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.answer_id_seq', 26, true);


--
-- Name: api_token_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.api_token_id_seq', 1, false);


--
-- Name: assignment_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.assignment_id_seq', 21, true);


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.audit_id_seq', 6, true);


--
-- Name: batch_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.batch_id_seq', 1, true);


--
-- Name: code_attempt_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.code_attempt_id_seq', 1, false);


--
-- Name: context_discard_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.context_discard_id_seq', 1, false);


--
-- Name: context_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.context_id_seq', 1, false);


--
-- Name: context_verdict_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.context_verdict_id_seq', 1, false);


--
-- Name: corpus_file_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.corpus_file_id_seq', 1, false);


--
-- Name: dialogue_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.dialogue_id_seq', 11, true);


--
-- Name: flag_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.flag_id_seq', 1, false);


--
-- Name: generation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.generation_id_seq', 1, false);


--
-- Name: gold_result_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.gold_result_id_seq', 1, false);


--
-- Name: item_change_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.item_change_id_seq', 31, true);


--
-- Name: item_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.item_id_seq', 11, true);


--
-- Name: item_tally_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.item_tally_id_seq', 22, true);


--
-- Name: joining_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.joining_id_seq', 1, false);


--
-- Name: mail_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.mail_id_seq', 1, false);


--
-- Name: message_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.message_id_seq', 2, true);


--
-- Name: message_item_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.message_item_id_seq', 1, false);


--
-- Name: mined_phrase_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.mined_phrase_id_seq', 1, false);


--
-- Name: note_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.note_id_seq', 1, false);


--
-- Name: offered_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.offered_id_seq', 32, true);


--
-- Name: open_link_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.open_link_id_seq', 1, false);


--
-- Name: person_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.person_id_seq', 1, false);


--
-- Name: place_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.place_id_seq', 36, true);


--
-- Name: pool_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.pool_id_seq', 1, true);


--
-- Name: prepared_export_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.prepared_export_id_seq', 1, false);


--
-- Name: rater_change_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rater_change_id_seq', 28, true);


--
-- Name: rater_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rater_id_seq', 6, true);


--
-- Name: rater_sheet_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rater_sheet_id_seq', 1, false);


--
-- Name: reviewer_link_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.reviewer_link_id_seq', 1, false);


--
-- Name: study_change_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.study_change_id_seq', 12, true);


--
-- Name: study_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.study_id_seq', 1, true);


--
-- Name: study_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.study_version_id_seq', 2, true);


--
-- Name: tally_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.tally_id_seq', 19, true);


--
-- Name: task_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.task_id_seq', 12, true);


--
-- Name: team_invitation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.team_invitation_id_seq', 1, false);


--
-- Name: teammate_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.teammate_id_seq', 1, false);


--
-- Name: user_account_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.user_account_id_seq', 1, true);


--
-- Name: verdict_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.verdict_id_seq', 2, true);


--
-- Name: waiting_address_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.waiting_address_id_seq', 1, false);


--
-- Name: webhook_delivery_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.webhook_delivery_id_seq', 1, false);


--
-- Name: webhook_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.webhook_id_seq', 1, false);


--
-- PostgreSQL database dump complete
--

\unrestrict xGNVlyYDrhaCaZ5VqAQ9vvY13XLH8OULxxXjepbn5S2MtGifehEVFy0hMMPM2so

