--
-- PostgreSQL database dump
--

\restrict epJhucrigCp3fFlNYZvMx0ZB45g01pvdcaWFGrF3phcJ7VI6YCvcZf1S1grIB9O

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

INSERT INTO public.user_account (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined, time_zone) VALUES (1, 'scrypt$16384$PA5WRzioibM9u84oZzmCzT$8$5$lPoeuRSN1CNqaHrd+mHRngU5xVihadxW2EFB2QO2LdIR/y+ByrTV4bzoDGiurxd9mj5xr9oH2mXlIcOm2pQ1rg==', NULL, false, 'owner@example.org', '', '', 'owner@example.org', false, true, '2026-11-16 19:37:46.942148+00', '');


--
-- Data for Name: study; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study (id, name, public_id, link_key_number, created_at, owner_id, deleted_at, title, state) VALUES (1, 'upgraded', '7993c7283cb2', 1, '2026-11-15 12:00:00+00', 1, NULL, 'Tiny study', 'open');


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
plan:
  main:
    aspect: usefulness
', '6cca6eb7330abbea0d6eaa4d0ca2c74a7428e82d08a3c7a655941e38c7f51e4b', 'b408ab403f17b5f4fb67eb68f7daa87f7cd55248c88f9ab1a6d2b0bb353aba35', '2026-11-15 12:00:00+00', 1, '{"SECRET0": ["c12c5c8de736cba3605b2835d140c936", "c12c5c8de736cba3605b2835d140c936"], "SECRET3": ["c377ce7a28ee6c78f32c20b9006602e4", "c377ce7a28ee6c78f32c20b9006602e4"]}', '', '{}');
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
', 'b6025923c0d3e49f81b70dd89b2d2554d2beb445033e5f586e275700717fce30', '52ff61198d20897ce32a4f9f49e512e378101c1da8f8dc787148964d4c969a99', '2026-11-16 06:23:05.37611+00', 1, '{"SECRET0": ["c12c5c8de736cba3605b2835d140c936", "c12c5c8de736cba3605b2835d140c936"], "SECRET3": ["c377ce7a28ee6c78f32c20b9006602e4", "c377ce7a28ee6c78f32c20b9006602e4"]}', '', '{"stay": 18, "lines": ["18 ratings stay; 2 new tasks.", "Condition \"SECRET0\" has other items: 1 task new, 3 ratings to collect, USD 1.50; 5 more ratings of existing tasks, USD 2.50.", "Condition \"SECRET3\" has other items: 1 task new, 3 ratings to collect, USD 1.50; 5 more ratings of existing tasks, USD 2.50.", "The number of ratings per item changed; this keeps every rating.", "The analysis plan changed; this keeps every rating.", "The number of raters of pool \"own\" changed; this keeps every rating.", "The pay of pool \"own\" changed; this keeps every rating.", "Still to collect: 18 ratings, USD 9.00."], "new_tasks": 2}');


--
-- Data for Name: agreed_cost; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: analysis_plan; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analysis_plan (id, canonical, sha256, registered_at, ratings_before, study_id, version_id) VALUES (1, '{"plan":{"main":{"aspect":"usefulness"}},"rules":{"too_fast":[{"rule":"too_fast"}]}}', '45c047c1902cccc2b48cfdac88b24da3bf075d1e1868df054d9a29111e9e0ab6', '2026-11-15 12:00:00+00', 0, 1, 1);
INSERT INTO public.analysis_plan (id, canonical, sha256, registered_at, ratings_before, study_id, version_id) VALUES (2, '', '', '2026-11-16 06:23:05.37611+00', 20, 1, 2);


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

INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (2, 'marble-eland', 'person', '9XfI5NgRD_YkU_uJ', '2027-01-14 12:00:00+00', NULL, NULL, NULL, 1, NULL, 'r0YFk_skD0oqQ');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (6, 'echoing-toucan', 'person', 'ucBaPa1GVuvU-SQi', '2027-01-14 12:00:00+00', NULL, NULL, NULL, 1, NULL, 'r32nWA9oX88n7');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (4, 'slate-linnet', 'person', 'VR52fezhk566213f', '2027-01-14 12:00:00+00', '2026-11-15 14:06:48.619798+00', NULL, NULL, 1, 1, 'rq1rwy4dqqk_L');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (5, 'marigold-monarch', 'person', '6e_wvrJ1O7E7_MsO', '2027-01-14 12:00:00+00', '2026-11-15 18:06:22.911027+00', NULL, NULL, 1, 1, 'rmVE0NVzPM1V8');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (1, 'hazel-redpoll', 'person', 'MTi1O5j0lWaau-Mh', '2027-01-14 12:00:00+00', '2026-11-16 03:17:42.591663+00', NULL, NULL, 1, 1, 'r8j1eWhH7GlDY');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (3, 'cobalt-chipmunk', 'person', 'yI0AFQtssxR0v64B', '2027-01-14 12:00:00+00', '2026-11-16 05:03:27.869074+00', NULL, NULL, 1, 1, 'rGzUVE_Q5rF1G');


--
-- Data for Name: assignment; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (3, 'submitted', '2026-11-15 14:08:16.054153+00', '2026-11-15 14:38:16.054153+00', '00:00:00', '2026-11-15 14:08:50.248411+00', 34.194258, '\xaace471babaad922af7cf827391b3243a3442baf5ba283f3757c8371fbbc0ee9', 'owed', 'used', false, 1, 15, 4, 1, 10, 'e72c037c-76bf-4927-9c35-f1a29e9208dc', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (4, 'submitted', '2026-11-15 14:09:00.513153+00', '2026-11-15 14:39:00.513153+00', '00:00:00', '2026-11-15 14:09:42.168965+00', 41.655812, '\x757f198670947b00435c3e6a402b9fc45c5d67ed4c822cb48272b42c52529958', 'owed', 'used', false, 1, 3, 4, 1, 1, 'ebd51e7c-436b-4c4c-acc9-23f99fa58999', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (5, 'submitted', '2026-11-15 14:09:47.348279+00', '2026-11-15 14:39:47.348279+00', '00:00:00', '2026-11-15 14:10:18.185146+00', 30.836867, '\x98944e830669bd010b6eeb5c2eed921c373772e89dfd42cdf2e9da93a9498d20', 'owed', 'used', false, 1, 17, 4, 1, 7, '04aa42bf-8b64-40ea-8e16-914f4c2593f7', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (6, 'submitted', '2026-11-15 18:06:22.911027+00', '2026-11-15 18:36:22.911027+00', '00:00:00', '2026-11-15 18:08:18.161733+00', 115.250706, '\x784a8cb21409881dc375dfe69942558b2cf09c2523fc57ccb2b14e2535d2d362', 'owed', 'used', false, 1, 2, 5, 1, 4, '85d245a5-e95c-4fb0-8a76-98c64d38738d', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (7, 'submitted', '2026-11-15 18:08:29.399181+00', '2026-11-15 18:38:29.399181+00', '00:00:00', '2026-11-15 18:09:56.851482+00', 87.452301, '\x7aa3aeb99ca302c26d035ae2c13bbdef5e78332e90392e943b5b65ec98738a7d', 'owed', 'used', false, 1, 12, 5, 1, 8, 'c94c822f-f4fd-491b-87eb-1fc5d46795a4', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (8, 'submitted', '2026-11-15 18:09:59.213942+00', '2026-11-15 18:39:59.213942+00', '00:00:00', '2026-11-15 18:12:37.309906+00', 158.095964, '\xa45c0057e212d8ef1d0f990125475f6d3c83602b3152b125b992fb3233c7c051', 'owed', 'used', false, 1, 4, 5, 1, 1, '5f2a5881-fcc9-44e6-8e8e-2d536282fe72', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (9, 'submitted', '2026-11-15 18:12:43.548391+00', '2026-11-15 18:42:43.548391+00', '00:00:00', '2026-11-15 18:14:26.63781+00', 103.089419, '\x696a2dcf5f7a20ddf7135f35a4e812868b7b0ef0296efb3421164aaa34269f25', 'owed', 'used', false, 1, 16, 5, 1, 10, '661c4e26-be0c-484e-a787-5f1bb6d3009d', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (10, 'submitted', '2026-11-15 18:14:29.264502+00', '2026-11-15 18:44:29.264502+00', '00:00:00', '2026-11-15 18:17:02.778821+00', 153.514319, '\x2e00ff998205e635d58ca0dd807c1982f6bde6d03d485248825113fa242ca65b', 'owed', 'used', false, 1, 7, 5, 1, 2, '8c37bfc3-7289-4339-a195-0fa771405282', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (11, 'submitted', '2026-11-16 03:17:42.591663+00', '2026-11-16 03:47:42.591663+00', '00:00:00', '2026-11-16 03:19:34.718794+00', 112.127131, '\x7fa17c9921db725bd31779962608bb4cd9c37ea819e8b145ce5fd41eae84f6ce', 'owed', 'used', false, 1, 5, 1, 1, 3, '9a2267eb-ce1b-408c-9748-58754c2ee72c', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (12, 'submitted', '2026-11-16 03:19:37.134423+00', '2026-11-16 03:49:37.134423+00', '00:00:00', '2026-11-16 03:20:19.908248+00', 42.773825, '\x9785a93721249ff6a3a42abfdb49df0d0fd738180dcd0e476bccf10b192ee523', 'owed', 'used', false, 1, 13, 1, 1, 9, '227bd2ee-c48a-4cba-acb9-76f6eb967bfc', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (1, 'approved', '2026-11-15 14:06:48.619798+00', '2026-11-15 14:36:48.619798+00', '00:00:00', '2026-11-15 14:07:39.399614+00', 50.779816, '\x1c2f1c097358c5d82abd0f20f74c413b7c4ea399a49e549634e257125453c3c7', 'owed', 'left_out', false, 1, 11, 4, 1, 8, '99c40c9d-7159-4a34-8681-e67a9d5b5a95', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (2, 'rejected', '2026-11-15 14:07:42.079359+00', '2026-11-15 14:37:42.079359+00', '00:00:00', '2026-11-15 14:08:11.202733+00', 29.123374, '\xe389a4d1ac20c52d0dd59d0d3d3875db7724bf73388b8267c0300f5e4df629cc', 'none', 'left_out', false, 1, 1, 4, 1, 4, 'e5c4be26-7a81-4795-909b-53bb9d112046', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (13, 'submitted', '2026-11-16 03:20:22.47948+00', '2026-11-16 03:50:22.47948+00', '00:00:00', '2026-11-16 03:22:46.031622+00', 143.552142, '\xeeb7699e29b1a608e8ce7ff372f5503786fcc393409302850febf3b3a5b7baf0', 'owed', 'used', false, 1, 8, 1, 1, 2, '49b6a0ac-f48a-4494-965f-a1078b24560b', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (14, 'submitted', '2026-11-16 03:22:50.110234+00', '2026-11-16 03:52:50.110234+00', '00:00:00', '2026-11-16 03:25:17.530614+00', 147.42038, '\x74ca420d155f1f708f2a4e3da903cef0bcf5ccc78455eb751d558102698838e7', 'owed', 'used', false, 1, 19, 1, 1, 6, '7f9966b2-f245-4381-99c2-fa2d7dfe6f5c', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (15, 'submitted', '2026-11-16 03:25:20.757125+00', '2026-11-16 03:55:20.757125+00', '00:00:00', '2026-11-16 03:27:24.013937+00', 123.256812, '\xcff5e7c6c8f0ef031c3676b8b98602348c59e327b2bd636b12852f3c27a3df5e', 'owed', 'used', false, 1, 9, 1, 1, 5, 'e17325f2-1357-480f-b999-4564c16ff647', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (16, 'submitted', '2026-11-16 05:03:27.869074+00', '2026-11-16 05:33:27.869074+00', '00:00:00', '2026-11-16 05:06:05.429559+00', 157.560485, '\x6ac36163c824bead3811acf23c2b985e7f13c9b7a25bb20cc81cf4667eb303a5', 'owed', 'used', false, 1, 14, 3, 1, 9, 'eb78f7bf-d548-42e5-a08f-ec9d2a705183', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (17, 'submitted', '2026-11-16 05:06:07.764695+00', '2026-11-16 05:36:07.764695+00', '00:00:00', '2026-11-16 05:09:11.580813+00', 183.816118, '\x96705133d3de88cb8f67883f35066e5408eb19d258afdf1c191fadac8b6167ab', 'owed', 'used', false, 1, 6, 3, 1, 3, 'fe9f98f8-7f96-4977-b01b-bbe1dde21308', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (18, 'submitted', '2026-11-16 05:09:15.637778+00', '2026-11-16 05:39:15.637778+00', '00:00:00', '2026-11-16 05:14:18.202316+00', 302.564538, '\xfcb0eb538cc7fe25bf6bce53e3e9e0f16ed5e40fe5ce0ead6947a237d2a7b39a', 'owed', 'used', false, 1, 18, 3, 1, 7, 'a6242125-e545-42e0-a2ee-f5a0c4c4a485', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (19, 'submitted', '2026-11-16 05:14:25.22423+00', '2026-11-16 05:44:25.22423+00', '00:00:00', '2026-11-16 05:17:51.333382+00', 206.109152, '\x0d3886d9c96f990e7cc07fd7ab5c396011012cdc3d05a4206a16f554caed51c2', 'owed', 'used', false, 1, 10, 3, 1, 5, '9d47f3b3-9558-44fd-ac8f-b4c0515c259c', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (20, 'submitted', '2026-11-16 05:18:08.578019+00', '2026-11-16 05:48:08.578019+00', '00:00:00', '2026-11-16 05:23:05.37611+00', 296.798091, '\x560f392fa552b01d8a67ea619764aa6016ebdf309f085785b31b5fd39dfcdfa8', 'owed', 'used', false, 1, 20, 3, 1, 6, '6069ee61-3ac5-4632-adcd-142ab5e19a96', NULL);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by) VALUES (21, 'open', '2026-11-16 07:23:05.37611+00', '2026-11-16 07:53:05.37611+00', '00:00:00', NULL, NULL, '\x7d51cb399cb31d549a8646d0ffa3e2f2cd78ee30ad491b555dc3be895c85d65f', 'none', 'none', false, 1, 24, 4, 2, 11, 'e8cc4797-a3ea-4c21-b2ab-d0d82bf2a496', NULL);


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
-- Data for Name: arrival; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (1, 'command line', 'load', 'upgraded', '{}', '{"sha256": "6cca6eb7330abbea0d6eaa4d0ca2c74a7428e82d08a3c7a655941e38c7f51e4b", "version": 1}', '2026-11-15 12:00:00+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (2, 'command line', 'analysis_plan', 'version 1', '{}', '{"hash": "45c047c1902cccc2b48cfdac88b24da3bf075d1e1868df054d9a29111e9e0ab6", "ratings_before": 0}', '2026-11-15 12:00:00+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (3, 'command line', 'add_raters', 'own', '{}', '{"raters": 6}', '2026-11-15 12:00:00+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (4, 'owner', 'verdict', 'slate-linnet', '{"paid": "owed", "data_use": "used"}', '{"paid": "owed", "reason": "Too fast.", "data_use": "left_out"}', '2026-11-16 05:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (5, 'owner@example.org', 'verdict', 'slate-linnet', '{"paid": "owed", "data_use": "used"}', '{"paid": "none", "reason": "Random.", "data_use": "left_out"}', '2026-11-16 05:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (6, 'owner', 'message', 'slate-linnet', '{}', '{"kind": "note"}', '2026-11-16 05:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (7, 'command line', 'load', 'upgraded', '{"version": 1}', '{"sha256": "b6025923c0d3e49f81b70dd89b2d2554d2beb445033e5f586e275700717fce30", "version": 2}', '2026-11-16 06:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (8, 'command line', 'analysis_plan', 'version 2', '{"hash": "45c047c1902cccc2b48cfdac88b24da3bf075d1e1868df054d9a29111e9e0ab6"}', '{"hash": "", "ratings_before": 20}', '2026-11-16 06:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (9, 'owner@example.org', 'theme', 'Unclear', '{}', '{}', '2026-11-16 05:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (10, 'owner@example.org', 'assign_theme', 'Unclear', '{}', '{"texts": 1}', '2026-11-16 05:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (11, 'owner@example.org', 'report', 'upgraded', '{}', '{}', '2026-11-16 05:23:05.37611+00', 1);


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
-- Data for Name: case_change; Type: TABLE DATA; Schema: public; Owner: -
--



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
-- Data for Name: data_sheet; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: dispute; Type: TABLE DATA; Schema: public; Owner: -
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
-- Data for Name: payment_run; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: platform_call; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: payment; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (1, 'task|99c40c9d-7159-4a34-8681-e67a9d5b5a95', '1464-EAB5-A400-6AD7', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-15 18:06:22.911027+00', '2026-11-15 18:06:22.911027+00', 1, 1, 4, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (3, 'task|e72c037c-76bf-4927-9c35-f1a29e9208dc', '64E3-471E-ED8D-ECFA', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-15 18:06:22.911027+00', '2026-11-15 18:06:22.911027+00', 3, 1, 4, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (4, 'task|ebd51e7c-436b-4c4c-acc9-23f99fa58999', '1292-4FC1-4984-C16B', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-15 18:06:22.911027+00', '2026-11-15 18:06:22.911027+00', 4, 1, 4, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (5, 'task|04aa42bf-8b64-40ea-8e16-914f4c2593f7', '193B-CE1C-DFF0-75AD', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-15 18:06:22.911027+00', '2026-11-15 18:06:22.911027+00', 5, 1, 4, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (6, 'task|85d245a5-e95c-4fb0-8a76-98c64d38738d', '83D0-88C1-E843-DA59', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:17:42.591663+00', 6, 1, 5, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (7, 'task|c94c822f-f4fd-491b-87eb-1fc5d46795a4', '051C-A5B6-A1C5-8A8C', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:17:42.591663+00', 7, 1, 5, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (8, 'task|5f2a5881-fcc9-44e6-8e8e-2d536282fe72', 'C879-3FC3-22B5-10B5', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:17:42.591663+00', 8, 1, 5, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (9, 'task|661c4e26-be0c-484e-a787-5f1bb6d3009d', '302B-D576-A466-E381', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:17:42.591663+00', 9, 1, 5, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (10, 'task|8c37bfc3-7289-4339-a195-0fa771405282', '0108-F66D-D90A-D74B', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:17:42.591663+00', 10, 1, 5, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (11, 'task|9a2267eb-ce1b-408c-9748-58754c2ee72c', '8FF8-603F-D483-316F', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:03:27.869074+00', 11, 1, 1, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (12, 'task|227bd2ee-c48a-4cba-acb9-76f6eb967bfc', 'B159-7DEA-60CF-6CC6', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:03:27.869074+00', 12, 1, 1, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (13, 'task|49b6a0ac-f48a-4494-965f-a1078b24560b', '8EB4-43CC-6355-5BEA', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:03:27.869074+00', 13, 1, 1, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (14, 'task|7f9966b2-f245-4381-99c2-fa2d7dfe6f5c', 'BD90-D722-9B1A-F03A', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:03:27.869074+00', 14, 1, 1, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (15, 'task|e17325f2-1357-480f-b999-4564c16ff647', '5D70-D041-BDE4-36F5', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:03:27.869074+00', 15, 1, 1, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (16, 'task|eb78f7bf-d548-42e5-a08f-ec9d2a705183', 'BBC7-791C-B6D9-98F0', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 16, 1, 3, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (17, 'task|fe9f98f8-7f96-4977-b01b-bbe1dde21308', '5F81-8D8E-922D-BC90', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 17, 1, 3, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (18, 'task|a6242125-e545-42e0-a2ee-f5a0c4c4a485', '3894-05D0-2997-31C9', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 18, 1, 3, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (19, 'task|9d47f3b3-9558-44fd-ac8f-b4c0515c259c', '9B5B-2E70-77E8-92B1', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 19, 1, 3, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (20, 'task|6069ee61-3ac5-4632-adcd-142ab5e19a96', '4049-7497-F4AD-DCD8', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 20, 1, 3, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (2, 'task|e5c4be26-7a81-4795-909b-53bb9d112046', 'A1F3-59DF-17B0-7241', 'task', 'link', 40, 0, 'USD', '', 'reversed', 0, '2026-11-15 18:06:22.911027+00', '2026-11-16 05:23:05.37611+00', 2, 1, 4, 1, NULL, NULL);


--
-- Data for Name: ledger_line; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (1, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-15 18:06:22.911027+00', 1, 1);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (2, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-15 18:06:22.911027+00', 1, 2);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (3, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-15 18:06:22.911027+00', 1, 3);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (4, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-15 18:06:22.911027+00', 1, 4);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (5, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-15 18:06:22.911027+00', 1, 5);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (6, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 03:17:42.591663+00', 1, 6);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (7, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 03:17:42.591663+00', 1, 7);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (8, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 03:17:42.591663+00', 1, 8);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (9, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 03:17:42.591663+00', 1, 9);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (10, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 03:17:42.591663+00', 1, 10);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (11, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 05:03:27.869074+00', 1, 11);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (12, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 05:03:27.869074+00', 1, 12);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (13, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 05:03:27.869074+00', 1, 13);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (14, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 05:03:27.869074+00', 1, 14);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (15, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 05:03:27.869074+00', 1, 15);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (16, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 05:23:05.37611+00', 1, 16);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (17, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 05:23:05.37611+00', 1, 17);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (18, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 05:23:05.37611+00', 1, 18);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (19, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 05:23:05.37611+00', 1, 19);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (20, 'planned', 40, 0, 'USD', 'automatic', '', '2026-11-16 05:23:05.37611+00', 1, 20);
INSERT INTO public.ledger_line (id, state, cents, fee_cents, currency, who, why, at, study_id, payment_id) VALUES (21, 'reversed', 40, 0, 'USD', 'owner@example.org', 'rejected in review', '2026-11-16 05:23:05.37611+00', 1, 2);


--
-- Data for Name: login_session; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: pool; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.pool (id, name, study_id, public_id) VALUES (1, 'own', 1, 'rHAuFio3qy43k');


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
-- Data for Name: model_budget; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: model_call; Type: TABLE DATA; Schema: public; Owner: -
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
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (1, '', 'SECRET3', 0, -1, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (9, '', 'SECRET3', 4, 10, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (2, '', 'SECRET0', 0, -1, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (11, '', 'SECRET3', 5, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (12, '', 'SECRET0', 5, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (13, '', 'SECRET3', 6, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (14, '', 'SECRET0', 6, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (15, '', 'SECRET3', 7, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (16, '', 'SECRET0', 7, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (10, '', 'SECRET0', 4, 11, 1, 1, 1);


--
-- Data for Name: open_link; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: pace_tally; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: payment_budget; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: personal_hit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: prepared_export; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: rater_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rater_audit (study_id, seen_until, audited_at) VALUES (1, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00');


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
-- Data for Name: rater_finding; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: rater_line; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (2, 'marble-eland', 'invited', '{own}', 0, NULL, '{}', 0, 0, 0, 0, 0, 0, '[]', NULL, NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (6, 'echoing-toucan', 'invited', '{own}', 0, NULL, '{}', 0, 0, 0, 0, 0, 0, '[]', NULL, NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (4, 'slate-linnet', 'done', '{own}', 5, 34.194258, '{30.836867,41.655812,34.194258,29.123374,50.779816}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-15 14:10:18.185146+00', NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (5, 'marigold-monarch', 'done', '{own}', 5, 115.250706, '{153.514319,103.089419,158.095964,87.452301,115.250706}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-15 18:17:02.778821+00', NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (1, 'hazel-redpoll', 'done', '{own}', 5, 123.256812, '{123.256812,147.42038,143.552142,42.773825,112.127131}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-16 03:27:24.013937+00', NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (3, 'cobalt-chipmunk', 'active', '{own}', 5, 206.109152, '{296.798091,206.109152,302.564538,183.816118,157.560485}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-16 05:23:05.37611+00', NULL, NULL, NULL, 0, 1);


--
-- Data for Name: rater_sheet; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: report_file; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: review_group; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: review_case; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: reviewer_link; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: rule_mark; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: study_change; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study_change (id, study_id) VALUES (16, 1);


--
-- Data for Name: study_figures; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: study_rehearsal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: study_report; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study_report (study_id, state, asked_by, asked_at, step, error, made_at, judgments, basis) VALUES (1, 'waiting', 'owner@example.org', '2026-11-16 05:23:05.37611+00', '', '', NULL, 0, '{}');


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
-- Data for Name: text_print; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: text_scan; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: theme; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.theme (id, name, made_by, made_at, study_id) VALUES (1, 'Unclear', 'owner@example.org', '2026-11-16 05:23:05.37611+00', 1);


--
-- Data for Name: theme_mark; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.theme_mark (id, "position", question, marked_by, marked_at, assignment_id, study_id, theme_id) VALUES (1, 0, 'comment', 'owner@example.org', '2026-11-16 05:23:05.37611+00', 2, 1, 1);


--
-- Data for Name: token_bucket; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: typing_record; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: verdict; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.verdict (id, author, pay, data_use, reason, at, assignment_id, replaces_id, study_id) VALUES (1, 'owner', true, 'left_out', 'Too fast.', '2026-11-16 05:23:05.37611+00', 1, NULL, 1);
INSERT INTO public.verdict (id, author, pay, data_use, reason, at, assignment_id, replaces_id, study_id) VALUES (2, 'owner@example.org', false, 'left_out', 'Random.', '2026-11-16 05:23:05.37611+00', 2, NULL, 1);


--
-- Data for Name: visit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x1c2f1c097358c5d82abd0f20f74c413b7c4ea399a49e549634e257125453c3c7', '2026-11-15 14:06:48.619798+00', 1, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xe389a4d1ac20c52d0dd59d0d3d3875db7724bf73388b8267c0300f5e4df629cc', '2026-11-15 14:07:42.079359+00', 2, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xaace471babaad922af7cf827391b3243a3442baf5ba283f3757c8371fbbc0ee9', '2026-11-15 14:08:16.054153+00', 3, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x757f198670947b00435c3e6a402b9fc45c5d67ed4c822cb48272b42c52529958', '2026-11-15 14:09:00.513153+00', 4, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x98944e830669bd010b6eeb5c2eed921c373772e89dfd42cdf2e9da93a9498d20', '2026-11-15 14:09:47.348279+00', 5, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x784a8cb21409881dc375dfe69942558b2cf09c2523fc57ccb2b14e2535d2d362', '2026-11-15 18:06:22.911027+00', 6, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x7aa3aeb99ca302c26d035ae2c13bbdef5e78332e90392e943b5b65ec98738a7d', '2026-11-15 18:08:29.399181+00', 7, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xa45c0057e212d8ef1d0f990125475f6d3c83602b3152b125b992fb3233c7c051', '2026-11-15 18:09:59.213942+00', 8, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x696a2dcf5f7a20ddf7135f35a4e812868b7b0ef0296efb3421164aaa34269f25', '2026-11-15 18:12:43.548391+00', 9, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x2e00ff998205e635d58ca0dd807c1982f6bde6d03d485248825113fa242ca65b', '2026-11-15 18:14:29.264502+00', 10, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x7fa17c9921db725bd31779962608bb4cd9c37ea819e8b145ce5fd41eae84f6ce', '2026-11-16 03:17:42.591663+00', 11, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x9785a93721249ff6a3a42abfdb49df0d0fd738180dcd0e476bccf10b192ee523', '2026-11-16 03:19:37.134423+00', 12, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xeeb7699e29b1a608e8ce7ff372f5503786fcc393409302850febf3b3a5b7baf0', '2026-11-16 03:20:22.47948+00', 13, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x74ca420d155f1f708f2a4e3da903cef0bcf5ccc78455eb751d558102698838e7', '2026-11-16 03:22:50.110234+00', 14, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xcff5e7c6c8f0ef031c3676b8b98602348c59e327b2bd636b12852f3c27a3df5e', '2026-11-16 03:25:20.757125+00', 15, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x6ac36163c824bead3811acf23c2b985e7f13c9b7a25bb20cc81cf4667eb303a5', '2026-11-16 05:03:27.869074+00', 16, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x96705133d3de88cb8f67883f35066e5408eb19d258afdf1c191fadac8b6167ab', '2026-11-16 05:06:07.764695+00', 17, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xfcb0eb538cc7fe25bf6bce53e3e9e0f16ed5e40fe5ce0ead6947a237d2a7b39a', '2026-11-16 05:09:15.637778+00', 18, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x0d3886d9c96f990e7cc07fd7ab5c396011012cdc3d05a4206a16f554caed51c2', '2026-11-16 05:14:25.22423+00', 19, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x560f392fa552b01d8a67ea619764aa6016ebdf309f085785b31b5fd39dfcdfa8', '2026-11-16 05:18:08.578019+00', 20, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x7d51cb399cb31d549a8646d0ffa3e2f2cd78ee30ad491b555dc3be895c85d65f', '2026-11-16 07:23:05.37611+00', 21, 1);


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
-- Name: analysis_plan_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.analysis_plan_id_seq', 2, true);


--
-- Name: answer_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.answer_id_seq', 26, true);


--
-- Name: api_token_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.api_token_id_seq', 1, false);


--
-- Name: arrival_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.arrival_id_seq', 1, false);


--
-- Name: assignment_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.assignment_id_seq', 21, true);


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.audit_id_seq', 11, true);


--
-- Name: batch_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.batch_id_seq', 1, true);


--
-- Name: case_change_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.case_change_id_seq', 20, true);


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
-- Name: dispute_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.dispute_id_seq', 1, false);


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
-- Name: ledger_line_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ledger_line_id_seq', 21, true);


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
-- Name: model_budget_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.model_budget_id_seq', 1, false);


--
-- Name: model_call_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.model_call_id_seq', 1, false);


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
-- Name: pace_tally_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.pace_tally_id_seq', 1, false);


--
-- Name: payment_budget_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.payment_budget_id_seq', 1, false);


--
-- Name: payment_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.payment_id_seq', 20, true);


--
-- Name: payment_run_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.payment_run_id_seq', 1, false);


--
-- Name: person_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.person_id_seq', 1, false);


--
-- Name: personal_hit_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.personal_hit_id_seq', 1, false);


--
-- Name: place_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.place_id_seq', 36, true);


--
-- Name: platform_call_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.platform_call_id_seq', 1, false);


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
-- Name: rater_finding_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rater_finding_id_seq', 1, false);


--
-- Name: rater_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rater_id_seq', 6, true);


--
-- Name: rater_sheet_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rater_sheet_id_seq', 1, false);


--
-- Name: report_file_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.report_file_id_seq', 1, false);


--
-- Name: review_case_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.review_case_id_seq', 1, false);


--
-- Name: review_group_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.review_group_id_seq', 1, false);


--
-- Name: reviewer_link_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.reviewer_link_id_seq', 1, false);


--
-- Name: rule_mark_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rule_mark_id_seq', 1, false);


--
-- Name: study_change_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.study_change_id_seq', 16, true);


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
-- Name: text_print_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.text_print_id_seq', 1, false);


--
-- Name: theme_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.theme_id_seq', 1, true);


--
-- Name: theme_mark_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.theme_mark_id_seq', 1, true);


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

\unrestrict epJhucrigCp3fFlNYZvMx0ZB45g01pvdcaWFGrF3phcJ7VI6YCvcZf1S1grIB9O

