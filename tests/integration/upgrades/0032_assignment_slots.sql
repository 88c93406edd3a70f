--
-- PostgreSQL database dump
--

\restrict c8qCAkXO4MQz9haaIQsMWWT9IF9WYfm1I3dt1TXMaSndNcFfKM9OSrB4duVADXA

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

INSERT INTO public.user_account (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined, time_zone) VALUES (1, 'scrypt$16384$ScQShDzrZAEM57GIgI0TNi$8$5$kIO62Q4Htp9sFKv2rbN8Y+hGg8c+3lxp5UiGRPtJeFM03ZHzFj+7pbscafCDTtWW9P10C24v5DYHhFGMmkvR3A==', NULL, false, 'owner@example.org', '', '', 'owner@example.org', false, true, '2026-11-17 08:20:03.917486+00', '');


--
-- Data for Name: study; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study (id, name, public_id, link_key_number, created_at, owner_id, deleted_at, title, state) VALUES (1, 'upgraded', '305d54f1928e', 1, '2026-11-15 12:00:00+00', 1, NULL, 'Tiny study', 'open');


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

INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (2, 'saffron-tanager', 'person', 'DSDDAymD0k_6IzCR', '2027-01-14 12:00:00+00', NULL, NULL, NULL, 1, NULL, 'rRegwjuZJqIDV');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (6, 'indigo-nightjar', 'person', 'B2GXLyQy7kQWGFgd', '2027-01-14 12:00:00+00', NULL, NULL, NULL, 1, NULL, 'raZr2qmSMIenS');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (4, 'blossom-kingfisher', 'person', 'uujwBM4sTb2PCUl1', '2027-01-14 12:00:00+00', '2026-11-15 14:06:48.619798+00', NULL, NULL, 1, 1, 'rcSviQ6RyQI_d');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (5, 'poplar-fieldfare', 'person', 'RaMgEnuU2eJOPWH2', '2027-01-14 12:00:00+00', '2026-11-15 18:06:22.911027+00', NULL, NULL, 1, 1, 'rpI8HsqXEIm-b');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (1, 'topaz-bilby', 'person', 'Mi2dA8fkabwVUhHr', '2027-01-14 12:00:00+00', '2026-11-16 03:17:42.591663+00', NULL, NULL, 1, 1, 'rk-eX8kDe9fOh');
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id, public_id) VALUES (3, 'sunny-marten', 'person', 'edkzamg5ywuwsiV1', '2027-01-14 12:00:00+00', '2026-11-16 05:03:27.869074+00', NULL, NULL, 1, 1, 'rzBX32qycnBeq');


--
-- Data for Name: assignment; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (3, 'submitted', '2026-11-15 14:08:16.054153+00', '2026-11-15 14:38:16.054153+00', '00:00:00', '2026-11-15 14:08:50.248411+00', 34.194258, '\xe3ca44839c77ba45512045e96c1846ff538657e1d866226b27560c5c6f5da26d', 'owed', 'used', false, 1, 15, 4, 1, 10, 'e8b26bf9-3f40-4b7d-b357-1b744d0c37cc', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (4, 'submitted', '2026-11-15 14:09:00.513153+00', '2026-11-15 14:39:00.513153+00', '00:00:00', '2026-11-15 14:09:42.168965+00', 41.655812, '\xcd0a94e0a795ce2607af5ce5f57b376b74254edff06817c729891da43ce488a4', 'owed', 'used', false, 1, 3, 4, 1, 1, 'ea7a09c4-7770-4537-9c7e-76c985d5394c', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (5, 'submitted', '2026-11-15 14:09:47.348279+00', '2026-11-15 14:39:47.348279+00', '00:00:00', '2026-11-15 14:10:18.185146+00', 30.836867, '\xcba11b6b01a8bb29775ea86daeaa40f9cbcd844b1e305b81e2e3147d66547501', 'owed', 'used', false, 1, 17, 4, 1, 7, '86977e35-95c2-4129-872d-62163677aec2', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (6, 'submitted', '2026-11-15 18:06:22.911027+00', '2026-11-15 18:36:22.911027+00', '00:00:00', '2026-11-15 18:08:18.161733+00', 115.250706, '\x7b8163ccda17f6a98042ad5ddec2c7e95a6999725de579dbc27fbc2cf6e22307', 'owed', 'used', false, 1, 2, 5, 1, 4, '87d6a4a1-55cc-410d-8f8e-a7aadeaa4c75', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (7, 'submitted', '2026-11-15 18:08:29.399181+00', '2026-11-15 18:38:29.399181+00', '00:00:00', '2026-11-15 18:09:56.851482+00', 87.452301, '\xf6f1d9327b414343983820a08229da359d59f6ef2e6150f795934c9c2e3e7b50', 'owed', 'used', false, 1, 12, 5, 1, 8, 'be35dc0a-dc1a-4612-9fba-10999ceb3131', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (8, 'submitted', '2026-11-15 18:09:59.213942+00', '2026-11-15 18:39:59.213942+00', '00:00:00', '2026-11-15 18:12:37.309906+00', 158.095964, '\x14ef28725d25acc26dc8f52a2f3be4b538a1e81900f323ab3838f0fb0fff1e0b', 'owed', 'used', false, 1, 4, 5, 1, 1, 'd2a9cc9b-8d76-498e-8bf1-658bef651175', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (9, 'submitted', '2026-11-15 18:12:43.548391+00', '2026-11-15 18:42:43.548391+00', '00:00:00', '2026-11-15 18:14:26.63781+00', 103.089419, '\xd6de80a20a41d11a643447a2589cd586cb333ce2ffb67036f62a71a4b4d8cd70', 'owed', 'used', false, 1, 16, 5, 1, 10, '00020cb6-6f80-4b1a-920d-58cf4dcb9ced', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (10, 'submitted', '2026-11-15 18:14:29.264502+00', '2026-11-15 18:44:29.264502+00', '00:00:00', '2026-11-15 18:17:02.778821+00', 153.514319, '\x391cde652047d1e06219e76e756308f242049c6eb3121216355dae8976fb2d75', 'owed', 'used', false, 1, 7, 5, 1, 2, '6f11531e-e745-4fcf-865f-a6a68bd5c9a0', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (11, 'submitted', '2026-11-16 03:17:42.591663+00', '2026-11-16 03:47:42.591663+00', '00:00:00', '2026-11-16 03:19:34.718794+00', 112.127131, '\x9754514e241fb05cc9d4a65d3c7389193019dff1464816448730ec737fc4b397', 'owed', 'used', false, 1, 5, 1, 1, 3, '9e93b50e-9895-400c-8d8f-73354ccdd3cb', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (1, 'approved', '2026-11-15 14:06:48.619798+00', '2026-11-15 14:36:48.619798+00', '00:00:00', '2026-11-15 14:07:39.399614+00', 50.779816, '\x3a25aa49704f885e76207553834887dc731b04bd886854fb73cec29977ac2b83', 'owed', 'left_out', false, 1, 11, 4, 1, 8, '0f05cccf-8a9f-4bd1-88ee-25138abe3726', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (2, 'rejected', '2026-11-15 14:07:42.079359+00', '2026-11-15 14:37:42.079359+00', '00:00:00', '2026-11-15 14:08:11.202733+00', 29.123374, '\xebf394a764c980039fa0c406a445af7948410edd80a12f4a3e86982ce2e8dfab', 'none', 'left_out', false, 1, 1, 4, 1, 4, 'c65f50dc-aa5d-49bd-bef2-371f841a5b45', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (12, 'submitted', '2026-11-16 03:19:37.134423+00', '2026-11-16 03:49:37.134423+00', '00:00:00', '2026-11-16 03:20:19.908248+00', 42.773825, '\x50f53f3e075617300f5eaa3f4523432d07226382b2c53a71da8b0829057f4f30', 'owed', 'used', false, 1, 13, 1, 1, 9, 'cdf30b3f-43e2-437e-ae97-55884a90dcd5', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (13, 'submitted', '2026-11-16 03:20:22.47948+00', '2026-11-16 03:50:22.47948+00', '00:00:00', '2026-11-16 03:22:46.031622+00', 143.552142, '\x8aa00efb09189eba3cc5c4625c8dbf47ebc01aa254c20867cfdf81dc69569fae', 'owed', 'used', false, 1, 8, 1, 1, 2, 'a514e76b-a273-45e8-854c-6b7b56e1605e', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (14, 'submitted', '2026-11-16 03:22:50.110234+00', '2026-11-16 03:52:50.110234+00', '00:00:00', '2026-11-16 03:25:17.530614+00', 147.42038, '\xaf381415f5fafa026e57ffe4787e71d84aa4a5c1e69d3697ee55dcc51ce537f1', 'owed', 'used', false, 1, 19, 1, 1, 6, 'e18b0a2e-0404-494f-abc2-ec0fcc89bd2f', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (15, 'submitted', '2026-11-16 03:25:20.757125+00', '2026-11-16 03:55:20.757125+00', '00:00:00', '2026-11-16 03:27:24.013937+00', 123.256812, '\x804af2b3ea7c1ab86221d30f893100df6c3da888f05bf44515aaf1b7f0d20656', 'owed', 'used', false, 1, 9, 1, 1, 5, '8ef0dd7c-d76c-466d-9c92-1fc09c086ed5', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (16, 'submitted', '2026-11-16 05:03:27.869074+00', '2026-11-16 05:33:27.869074+00', '00:00:00', '2026-11-16 05:06:05.429559+00', 157.560485, '\xa6e4a4db03cd7784cca6b9bba9a8314ee039dc0ac55ab12b729b8007ff06c70d', 'owed', 'used', false, 1, 14, 3, 1, 9, '05d489ea-54c5-4fce-83a8-5d603eafff2e', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (17, 'submitted', '2026-11-16 05:06:07.764695+00', '2026-11-16 05:36:07.764695+00', '00:00:00', '2026-11-16 05:09:11.580813+00', 183.816118, '\xc49ea3c0c0069dea6d65905a13ecc54d52cd53bc28c70439f25137fbdf1cbef5', 'owed', 'used', false, 1, 6, 3, 1, 3, 'f54c1482-515f-45ab-bf48-4aa1571c93bc', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (18, 'submitted', '2026-11-16 05:09:15.637778+00', '2026-11-16 05:39:15.637778+00', '00:00:00', '2026-11-16 05:14:18.202316+00', 302.564538, '\x9ec2e5b7085461af94748514186a9919205e76d9794fbfa8f420dabaeddfced7', 'owed', 'used', false, 1, 18, 3, 1, 7, 'd9ce1268-f89e-4fc5-aa1f-aa142c311d53', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (19, 'submitted', '2026-11-16 05:14:25.22423+00', '2026-11-16 05:44:25.22423+00', '00:00:00', '2026-11-16 05:17:51.333382+00', 206.109152, '\xc850eda97de73d8e5b0de6e930f4fedef325756fb5db45ac1f7b21e8a9fc48e4', 'owed', 'used', false, 1, 10, 3, 1, 5, 'c2aaf24d-2023-43f9-9908-29fc2bc0766b', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (20, 'submitted', '2026-11-16 05:18:08.578019+00', '2026-11-16 05:48:08.578019+00', '00:00:00', '2026-11-16 05:23:05.37611+00', 296.798091, '\xc78c6100c2414b47f8c943a0b2c202247936021fc3c401d06aeb1612b3f50ee0', 'owed', 'used', false, 1, 20, 3, 1, 6, '20209912-57be-475e-9bf8-826f0937a4dd', NULL, 0);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id, public_id, decide_by, slot) VALUES (21, 'open', '2026-11-16 07:23:05.37611+00', '2026-11-16 07:53:05.37611+00', '00:00:00', NULL, NULL, '\x1f20c7271b9ce77e6c46be39bf92aa6487beb46fdd7c0c0a7ab5dead801c6b2b', 'none', 'none', false, 1, 24, 4, 2, 11, '1c194954-3fc5-4731-8c97-e9bfdd4a54ab', NULL, 0);


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
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (4, 'owner', 'verdict', 'blossom-kingfisher', '{"paid": "owed", "data_use": "used"}', '{"paid": "owed", "reason": "Too fast.", "data_use": "left_out"}', '2026-11-16 05:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (5, 'owner@example.org', 'verdict', 'blossom-kingfisher', '{"paid": "owed", "data_use": "used"}', '{"paid": "none", "reason": "Random.", "data_use": "left_out"}', '2026-11-16 05:23:05.37611+00', 1);
INSERT INTO public.audit (id, who, what, subject, before, after, at, study_id) VALUES (6, 'owner', 'message', 'blossom-kingfisher', '{}', '{"kind": "note"}', '2026-11-16 05:23:05.37611+00', 1);
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
-- Data for Name: pool; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.pool (id, name, study_id, public_id) VALUES (1, 'own', 1, 'r2JSHVQ6jH9pF');


--
-- Data for Name: judge_version; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: judge_run; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: judge_trial; Type: TABLE DATA; Schema: public; Owner: -
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

INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (1, 'task|0f05cccf-8a9f-4bd1-88ee-25138abe3726', '7AE4-3963-0DB0-FDC2', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-15 18:06:22.911027+00', '2026-11-15 18:06:22.911027+00', 1, 1, 4, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (3, 'task|e8b26bf9-3f40-4b7d-b357-1b744d0c37cc', 'C813-B550-A8DB-CDB5', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-15 18:06:22.911027+00', '2026-11-15 18:06:22.911027+00', 3, 1, 4, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (4, 'task|ea7a09c4-7770-4537-9c7e-76c985d5394c', 'AAD7-22DA-605E-575D', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-15 18:06:22.911027+00', '2026-11-15 18:06:22.911027+00', 4, 1, 4, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (5, 'task|86977e35-95c2-4129-872d-62163677aec2', 'C3EE-B85E-D842-AFF5', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-15 18:06:22.911027+00', '2026-11-15 18:06:22.911027+00', 5, 1, 4, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (6, 'task|87d6a4a1-55cc-410d-8f8e-a7aadeaa4c75', '4837-40F4-FBA4-FDBC', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:17:42.591663+00', 6, 1, 5, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (7, 'task|be35dc0a-dc1a-4612-9fba-10999ceb3131', 'DF3F-06C5-EBB5-B734', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:17:42.591663+00', 7, 1, 5, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (8, 'task|d2a9cc9b-8d76-498e-8bf1-658bef651175', 'A0DF-10B8-0EBB-4DEC', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:17:42.591663+00', 8, 1, 5, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (9, 'task|00020cb6-6f80-4b1a-920d-58cf4dcb9ced', 'C728-8AF5-8876-7BBE', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:17:42.591663+00', 9, 1, 5, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (10, 'task|6f11531e-e745-4fcf-865f-a6a68bd5c9a0', 'F4EE-4CA9-F5E6-EF6A', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:17:42.591663+00', 10, 1, 5, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (11, 'task|9e93b50e-9895-400c-8d8f-73354ccdd3cb', 'B65F-0682-9E30-DB05', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:03:27.869074+00', 11, 1, 1, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (12, 'task|cdf30b3f-43e2-437e-ae97-55884a90dcd5', 'D039-CA5E-B7B7-5C76', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:03:27.869074+00', 12, 1, 1, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (13, 'task|a514e76b-a273-45e8-854c-6b7b56e1605e', '2546-59BE-6315-5318', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:03:27.869074+00', 13, 1, 1, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (14, 'task|e18b0a2e-0404-494f-abc2-ec0fcc89bd2f', 'E5FA-CA68-CBDE-E520', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:03:27.869074+00', 14, 1, 1, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (15, 'task|8ef0dd7c-d76c-466d-9c92-1fc09c086ed5', 'DD86-E7A7-1C41-654E', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:03:27.869074+00', 15, 1, 1, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (16, 'task|05d489ea-54c5-4fce-83a8-5d603eafff2e', '5AE1-ADF7-17E7-4C3F', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 16, 1, 3, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (17, 'task|f54c1482-515f-45ab-bf48-4aa1571c93bc', '4462-25FA-1599-964D', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 17, 1, 3, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (18, 'task|d9ce1268-f89e-4fc5-aa1f-aa142c311d53', '5433-120F-A1F0-2620', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 18, 1, 3, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (19, 'task|c2aaf24d-2023-43f9-9908-29fc2bc0766b', '502B-705A-0A43-38F7', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 19, 1, 3, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (20, 'task|20209912-57be-475e-9bf8-826f0937a4dd', '51AE-98C7-F9B6-A559', 'task', 'link', 40, 0, 'USD', '', 'planned', 0, '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 20, 1, 3, 1, NULL, NULL);
INSERT INTO public.payment (id, key, code, kind, platform, cents, fee_cents, currency, reason, state, round, made_at, changed_at, assignment_id, batch_id, rater_id, study_id, run_id, call_id) VALUES (2, 'task|c65f50dc-aa5d-49bd-bef2-371f841a5b45', 'BF34-918B-815B-3795', 'task', 'link', 40, 0, 'USD', '', 'reversed', 0, '2026-11-15 18:06:22.911027+00', '2026-11-16 05:23:05.37611+00', 2, 1, 4, 1, NULL, NULL);


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
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (7, '', 'SECRET3', 3, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (8, '', 'SECRET0', 3, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (9, '', 'SECRET3', 4, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (1, '', 'SECRET3', 0, -1, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (5, '', 'SECRET3', 2, 10, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (2, '', 'SECRET0', 0, -1, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (6, '', 'SECRET0', 2, 11, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (10, '', 'SECRET0', 4, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (11, '', 'SECRET3', 5, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (12, '', 'SECRET0', 5, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (13, '', 'SECRET3', 6, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (14, '', 'SECRET0', 6, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (15, '', 'SECRET3', 7, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (16, '', 'SECRET0', 7, 0, 1, 1, 1);


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
-- Data for Name: platform_event; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: publication; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: platform_visit; Type: TABLE DATA; Schema: public; Owner: -
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

INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (2, 'saffron-tanager', 'invited', '{own}', 0, NULL, '{}', 0, 0, 0, 0, 0, 0, '[]', NULL, NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (6, 'indigo-nightjar', 'invited', '{own}', 0, NULL, '{}', 0, 0, 0, 0, 0, 0, '[]', NULL, NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (4, 'blossom-kingfisher', 'done', '{own}', 5, 34.194258, '{30.836867,41.655812,34.194258,29.123374,50.779816}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-15 14:10:18.185146+00', NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (5, 'poplar-fieldfare', 'done', '{own}', 5, 115.250706, '{153.514319,103.089419,158.095964,87.452301,115.250706}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-15 18:17:02.778821+00', NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (1, 'topaz-bilby', 'done', '{own}', 5, 123.256812, '{123.256812,147.42038,143.552142,42.773825,112.127131}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-16 03:27:24.013937+00', NULL, NULL, NULL, 0, 1);
INSERT INTO public.rater_line (rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right, attention_answered, flags, undecided, owed, last_seen, agreement, agreement_low, agreement_high, agreement_items, study_id) VALUES (3, 'sunny-marten', 'active', '{own}', 5, 206.109152, '{296.798091,206.109152,302.564538,183.816118,157.560485}', 0, 0, 0, 0, 0, 0, '[[200, "USD"]]', '2026-11-16 05:23:05.37611+00', NULL, NULL, NULL, 0, 1);


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

INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x3a25aa49704f885e76207553834887dc731b04bd886854fb73cec29977ac2b83', '2026-11-15 14:06:48.619798+00', 1, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xebf394a764c980039fa0c406a445af7948410edd80a12f4a3e86982ce2e8dfab', '2026-11-15 14:07:42.079359+00', 2, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xe3ca44839c77ba45512045e96c1846ff538657e1d866226b27560c5c6f5da26d', '2026-11-15 14:08:16.054153+00', 3, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xcd0a94e0a795ce2607af5ce5f57b376b74254edff06817c729891da43ce488a4', '2026-11-15 14:09:00.513153+00', 4, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xcba11b6b01a8bb29775ea86daeaa40f9cbcd844b1e305b81e2e3147d66547501', '2026-11-15 14:09:47.348279+00', 5, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x7b8163ccda17f6a98042ad5ddec2c7e95a6999725de579dbc27fbc2cf6e22307', '2026-11-15 18:06:22.911027+00', 6, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xf6f1d9327b414343983820a08229da359d59f6ef2e6150f795934c9c2e3e7b50', '2026-11-15 18:08:29.399181+00', 7, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x14ef28725d25acc26dc8f52a2f3be4b538a1e81900f323ab3838f0fb0fff1e0b', '2026-11-15 18:09:59.213942+00', 8, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xd6de80a20a41d11a643447a2589cd586cb333ce2ffb67036f62a71a4b4d8cd70', '2026-11-15 18:12:43.548391+00', 9, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x391cde652047d1e06219e76e756308f242049c6eb3121216355dae8976fb2d75', '2026-11-15 18:14:29.264502+00', 10, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x9754514e241fb05cc9d4a65d3c7389193019dff1464816448730ec737fc4b397', '2026-11-16 03:17:42.591663+00', 11, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x50f53f3e075617300f5eaa3f4523432d07226382b2c53a71da8b0829057f4f30', '2026-11-16 03:19:37.134423+00', 12, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x8aa00efb09189eba3cc5c4625c8dbf47ebc01aa254c20867cfdf81dc69569fae', '2026-11-16 03:20:22.47948+00', 13, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xaf381415f5fafa026e57ffe4787e71d84aa4a5c1e69d3697ee55dcc51ce537f1', '2026-11-16 03:22:50.110234+00', 14, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x804af2b3ea7c1ab86221d30f893100df6c3da888f05bf44515aaf1b7f0d20656', '2026-11-16 03:25:20.757125+00', 15, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xa6e4a4db03cd7784cca6b9bba9a8314ee039dc0ac55ab12b729b8007ff06c70d', '2026-11-16 05:03:27.869074+00', 16, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xc49ea3c0c0069dea6d65905a13ecc54d52cd53bc28c70439f25137fbdf1cbef5', '2026-11-16 05:06:07.764695+00', 17, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x9ec2e5b7085461af94748514186a9919205e76d9794fbfa8f420dabaeddfced7', '2026-11-16 05:09:15.637778+00', 18, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xc850eda97de73d8e5b0de6e930f4fedef325756fb5db45ac1f7b21e8a9fc48e4', '2026-11-16 05:14:25.22423+00', 19, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xc78c6100c2414b47f8c943a0b2c202247936021fc3c401d06aeb1612b3f50ee0', '2026-11-16 05:18:08.578019+00', 20, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x1f20c7271b9ce77e6c46be39bf92aa6487beb46fdd7c0c0a7ab5dead801c6b2b', '2026-11-16 07:23:05.37611+00', 21, 1);


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
-- Name: judge_run_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judge_run_id_seq', 1, false);


--
-- Name: judge_trial_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judge_trial_id_seq', 1, false);


--
-- Name: judge_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judge_version_id_seq', 1, false);


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
-- Name: platform_event_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.platform_event_id_seq', 1, false);


--
-- Name: platform_visit_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.platform_visit_id_seq', 1, false);


--
-- Name: pool_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.pool_id_seq', 1, true);


--
-- Name: prepared_export_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.prepared_export_id_seq', 1, false);


--
-- Name: publication_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.publication_id_seq', 1, false);


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

\unrestrict c8qCAkXO4MQz9haaIQsMWWT9IF9WYfm1I3dt1TXMaSndNcFfKM9OSrB4duVADXA

