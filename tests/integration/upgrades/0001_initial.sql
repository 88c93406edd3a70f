--
-- PostgreSQL database dump
--

\restrict 32tFbKGXfv0zb8hOMPICCl1sRKAIPKnXGIodhPMXWOdpk7AEfa4vPPu5wTl4n3g

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
-- Data for Name: person; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: place; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (15, 0, '', 'SECRET3', 4, 'filled', 1, 1, 1, 8);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (3, 0, '', 'SECRET0', 2, 'filled', 1, 1, 1, 2);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (17, 0, '', 'SECRET3', 6, 'filled', 1, 1, 1, 9);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (2, 1, '', 'SECRET0', 1, 'filled', 1, 1, 1, 1);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (12, 1, '', 'SECRET3', 1, 'filled', 1, 1, 1, 6);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (4, 1, '', 'SECRET0', 3, 'filled', 1, 1, 1, 2);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (16, 1, '', 'SECRET3', 5, 'filled', 1, 1, 1, 8);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (7, 0, '', 'SECRET0', 6, 'filled', 1, 1, 1, 4);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (5, 0, '', 'SECRET0', 4, 'filled', 1, 1, 1, 3);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (13, 0, '', 'SECRET3', 2, 'filled', 1, 1, 1, 7);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (8, 1, '', 'SECRET0', 7, 'filled', 1, 1, 1, 4);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (19, 0, '', 'SECRET3', 8, 'filled', 1, 1, 1, 10);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (9, 0, '', 'SECRET0', 8, 'filled', 1, 1, 1, 5);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (14, 1, '', 'SECRET3', 3, 'filled', 1, 1, 1, 7);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (6, 1, '', 'SECRET0', 5, 'filled', 1, 1, 1, 3);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (18, 1, '', 'SECRET3', 7, 'filled', 1, 1, 1, 9);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (10, 1, '', 'SECRET0', 9, 'filled', 1, 1, 1, 5);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (20, 1, '', 'SECRET3', 9, 'filled', 1, 1, 1, 10);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (11, 0, '', 'SECRET3', 0, 'open', 1, 1, 1, 6);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (1, 0, '', 'SECRET0', 0, 'open', 1, 1, 1, 1);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (21, 0, '', 'SECRET0', 0, 'open', 2, 1, 1, 11);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (22, 1, '', 'SECRET0', 1, 'open', 2, 1, 1, 11);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (23, 2, '', 'SECRET0', 2, 'open', 2, 1, 1, 11);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (24, 0, '', 'SECRET0', 3, 'open', 2, 1, 1, 12);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (25, 1, '', 'SECRET0', 4, 'open', 2, 1, 1, 12);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (26, 2, '', 'SECRET0', 5, 'open', 2, 1, 1, 12);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (27, 0, '', 'SECRET0', 6, 'open', 2, 1, 1, 13);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (28, 1, '', 'SECRET0', 7, 'open', 2, 1, 1, 13);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (29, 2, '', 'SECRET0', 8, 'open', 2, 1, 1, 13);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (31, 1, '', 'SECRET0', 10, 'open', 2, 1, 1, 14);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (32, 2, '', 'SECRET0', 11, 'open', 2, 1, 1, 14);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (33, 0, '', 'SECRET0', 12, 'open', 2, 1, 1, 15);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (34, 1, '', 'SECRET0', 13, 'open', 2, 1, 1, 15);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (35, 2, '', 'SECRET0', 14, 'open', 2, 1, 1, 15);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (36, 0, '', 'SECRET0', 15, 'open', 2, 1, 1, 16);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (37, 1, '', 'SECRET0', 16, 'open', 2, 1, 1, 16);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (38, 2, '', 'SECRET0', 17, 'open', 2, 1, 1, 16);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (39, 0, '', 'SECRET3', 0, 'open', 2, 1, 1, 17);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (30, 0, '', 'SECRET0', 9, 'leased', 2, 1, 1, 14);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (40, 1, '', 'SECRET3', 1, 'open', 2, 1, 1, 17);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (41, 2, '', 'SECRET3', 2, 'open', 2, 1, 1, 17);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (42, 0, '', 'SECRET3', 3, 'open', 2, 1, 1, 18);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (43, 1, '', 'SECRET3', 4, 'open', 2, 1, 1, 18);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (44, 2, '', 'SECRET3', 5, 'open', 2, 1, 1, 18);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (45, 0, '', 'SECRET3', 6, 'open', 2, 1, 1, 19);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (46, 1, '', 'SECRET3', 7, 'open', 2, 1, 1, 19);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (47, 2, '', 'SECRET3', 8, 'open', 2, 1, 1, 19);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (48, 0, '', 'SECRET3', 9, 'open', 2, 1, 1, 20);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (49, 1, '', 'SECRET3', 10, 'open', 2, 1, 1, 20);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (50, 2, '', 'SECRET3', 11, 'open', 2, 1, 1, 20);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (51, 0, '', 'SECRET3', 12, 'open', 2, 1, 1, 21);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (52, 1, '', 'SECRET3', 13, 'open', 2, 1, 1, 21);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (53, 2, '', 'SECRET3', 14, 'open', 2, 1, 1, 21);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (54, 0, '', 'SECRET3', 15, 'open', 2, 1, 1, 22);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (55, 1, '', 'SECRET3', 16, 'open', 2, 1, 1, 22);
INSERT INTO public.place (id, ordinal, rater_group, condition, rank, state, batch_id, study_id, pool_id, task_id) VALUES (56, 2, '', 'SECRET3', 17, 'open', 2, 1, 1, 22);


--
-- Data for Name: user_account; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.user_account (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined) VALUES (1, 'scrypt$16384$IdHRY1Me55KaRkGq7jUSCK$8$5$1RR2MogmFaCF8zsMOofItnnnsDoFgAgFBuGvsfRk1IPt6Y6mNZYbqO5KyUHvI6O1p2vIuZxN4TjYB7BwEoa9rg==', NULL, false, 'owner@example.org', '', '', 'owner@example.org', false, true, '2026-11-15 17:43:44.189147+00');


--
-- Data for Name: study; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study (id, name, public_id, link_key_number, created_at, owner_id) VALUES (1, 'upgraded', 'ca7e2d39cb05', 1, '2026-11-15 12:00:00+00', 1);


--
-- Data for Name: study_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study_version (id, n, text, sha256, corpus_sha256, loaded_at, study_id) VALUES (1, 1, 'labelwright: 1
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
', '035feacbcf005939d8b4c3e67d0191baaf6bf4189a3d0645e49c087909b6b8ce', 'b408ab403f17b5f4fb67eb68f7daa87f7cd55248c88f9ab1a6d2b0bb353aba35', '2026-11-15 12:00:00+00', 1);
INSERT INTO public.study_version (id, n, text, sha256, corpus_sha256, loaded_at, study_id) VALUES (2, 2, 'labelwright: 1
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
', 'b6025923c0d3e49f81b70dd89b2d2554d2beb445033e5f586e275700717fce30', '52ff61198d20897ce32a4f9f49e512e378101c1da8f8dc787148964d4c969a99', '2026-11-16 06:23:05.37611+00', 1);


--
-- Data for Name: rater; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id) VALUES (2, 'rmulew2c3x2mgd42p', 'person', 'sLImu-SlhkcduLBY', '2027-01-14 12:00:00+00', NULL, NULL, NULL, 1, NULL);
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id) VALUES (6, 'rorraz3zqzsfuvi46', 'person', '5GmBdaw0wKxSyqfN', '2027-01-14 12:00:00+00', NULL, NULL, NULL, 1, NULL);
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id) VALUES (4, 'rhr773llkuhzkgvl7', 'person', 'nYmp7l4pgVtA5BMr', '2027-01-14 12:00:00+00', '2026-11-15 14:06:48.619798+00', NULL, NULL, 1, 1);
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id) VALUES (5, 'r5fehmsfceknxqkzp', 'person', 'XvanrMqiLuPxEWXS', '2027-01-14 12:00:00+00', '2026-11-15 18:06:22.911027+00', NULL, NULL, 1, 1);
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id) VALUES (1, 'ris7simrrwsbi7aak', 'person', 'cTPVCOMo3EL2IwkA', '2027-01-14 12:00:00+00', '2026-11-16 03:17:42.591663+00', NULL, NULL, 1, 1);
INSERT INTO public.rater (id, pseudonym, kind, nonce, link_expires_at, consented_at, forgotten_at, person_id, study_id, consented_version_id) VALUES (3, 'ri62m7pvxmbn4sr73', 'person', 'xH_-jaEuxlj6ND0A', '2027-01-14 12:00:00+00', '2026-11-16 05:03:27.869074+00', NULL, NULL, 1, 1);


--
-- Data for Name: assignment; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (3, 'submitted', '2026-11-15 14:08:16.054153+00', '2026-11-15 14:38:16.054153+00', '00:00:00', '2026-11-15 14:08:50.248411+00', 34.194258, '\x7bf9950f5e58a8e035551cf751c401cd519b307537df0b1bc7e04fdb132324f1', 'owed', 'used', false, 1, 15, 4, 1, 8);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (4, 'submitted', '2026-11-15 14:09:00.513153+00', '2026-11-15 14:39:00.513153+00', '00:00:00', '2026-11-15 14:09:42.168965+00', 41.655812, '\x308892559c87b0f3d18f24d86e8bd24b5c8c4d46b552dc0619980883f1eb87f7', 'owed', 'used', false, 1, 3, 4, 1, 2);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (5, 'submitted', '2026-11-15 14:09:47.348279+00', '2026-11-15 14:39:47.348279+00', '00:00:00', '2026-11-15 14:10:18.185146+00', 30.836867, '\xf2f66022dd1ebc7c1c117c41da2e28f8bcc78a705b1324e75f65633d38140c1b', 'owed', 'used', false, 1, 17, 4, 1, 9);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (6, 'submitted', '2026-11-15 18:06:22.911027+00', '2026-11-15 18:36:22.911027+00', '00:00:00', '2026-11-15 18:08:18.161733+00', 115.250706, '\x32ad3dbb265f9f12bda064e9bf3caa03eef9d35b983e9d38bdc7d6476b11b8c5', 'owed', 'used', false, 1, 2, 5, 1, 1);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (7, 'submitted', '2026-11-15 18:08:29.399181+00', '2026-11-15 18:38:29.399181+00', '00:00:00', '2026-11-15 18:09:56.851482+00', 87.452301, '\xf9fdbd0fef0b0e8f01c2931deb546fa1b430458d04b0c05f8ad916398283fb3e', 'owed', 'used', false, 1, 12, 5, 1, 6);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (8, 'submitted', '2026-11-15 18:09:59.213942+00', '2026-11-15 18:39:59.213942+00', '00:00:00', '2026-11-15 18:12:37.309906+00', 158.095964, '\x8463e7c8ebd53e857e165daf6c3f2ca08a75efde2567b0572e5aa0b9d45378f7', 'owed', 'used', false, 1, 4, 5, 1, 2);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (9, 'submitted', '2026-11-15 18:12:43.548391+00', '2026-11-15 18:42:43.548391+00', '00:00:00', '2026-11-15 18:14:26.63781+00', 103.089419, '\xbf75bb278c18accb0750ad78f3437ede5188f3e7f0365e0b7a98102832484cc6', 'owed', 'used', false, 1, 16, 5, 1, 8);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (10, 'submitted', '2026-11-15 18:14:29.264502+00', '2026-11-15 18:44:29.264502+00', '00:00:00', '2026-11-15 18:17:02.778821+00', 153.514319, '\xb1723851f39b10d0a36af861df85ba2e14a3793730862d2114b7b1e5975e75df', 'owed', 'used', false, 1, 7, 5, 1, 4);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (11, 'submitted', '2026-11-16 03:17:42.591663+00', '2026-11-16 03:47:42.591663+00', '00:00:00', '2026-11-16 03:19:34.718794+00', 112.127131, '\x55330b46bfe0d3833686ff6e55abbf0edf1317fa937fa5ed484d8d17e16d6678', 'owed', 'used', false, 1, 5, 1, 1, 3);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (12, 'submitted', '2026-11-16 03:19:37.134423+00', '2026-11-16 03:49:37.134423+00', '00:00:00', '2026-11-16 03:20:19.908248+00', 42.773825, '\x28021991484225644d03513e0fe2962e6c25b2ae65859304f2c9ee85ee1a16b3', 'owed', 'used', false, 1, 13, 1, 1, 7);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (13, 'submitted', '2026-11-16 03:20:22.47948+00', '2026-11-16 03:50:22.47948+00', '00:00:00', '2026-11-16 03:22:46.031622+00', 143.552142, '\x8de054f5da092ed38ecc00d15d6ac9a949d4435cd19a4787fe76dafccebfa647', 'owed', 'used', false, 1, 8, 1, 1, 4);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (14, 'submitted', '2026-11-16 03:22:50.110234+00', '2026-11-16 03:52:50.110234+00', '00:00:00', '2026-11-16 03:25:17.530614+00', 147.42038, '\xfa7dcdafbcb4ac590203065eaecf81ab530f6edba9751f370bfdfb79435adb19', 'owed', 'used', false, 1, 19, 1, 1, 10);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (1, 'approved', '2026-11-15 14:06:48.619798+00', '2026-11-15 14:36:48.619798+00', '00:00:00', '2026-11-15 14:07:39.399614+00', 50.779816, '\x82048bb363bb6ac0d016850c69705228af25f0663d686d10b4089b62909eed8e', 'owed', 'left_out', false, 1, 11, 4, 1, 6);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (2, 'rejected', '2026-11-15 14:07:42.079359+00', '2026-11-15 14:37:42.079359+00', '00:00:00', '2026-11-15 14:08:11.202733+00', 29.123374, '\x75e839f59774259a0786f114029fbb3cefcb9ab3a45a5f7e736a224250d4eece', 'none', 'left_out', false, 1, 1, 4, 1, 1);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (15, 'submitted', '2026-11-16 03:25:20.757125+00', '2026-11-16 03:55:20.757125+00', '00:00:00', '2026-11-16 03:27:24.013937+00', 123.256812, '\x2c4e0b5661ecc3efbc177a21a19ab5220a8dd3b7c9e4d1db71de16d96f7d1ce0', 'owed', 'used', false, 1, 9, 1, 1, 5);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (16, 'submitted', '2026-11-16 05:03:27.869074+00', '2026-11-16 05:33:27.869074+00', '00:00:00', '2026-11-16 05:06:05.429559+00', 157.560485, '\x05835ddfdce61c8b0ec0633f92f5fcac47def69fa89476672521686b871cd6e4', 'owed', 'used', false, 1, 14, 3, 1, 7);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (17, 'submitted', '2026-11-16 05:06:07.764695+00', '2026-11-16 05:36:07.764695+00', '00:00:00', '2026-11-16 05:09:11.580813+00', 183.816118, '\x337ea0bcbd789a9d8b4ac6cb51e33ff761db90af4c56efa933fc9357816d69f0', 'owed', 'used', false, 1, 6, 3, 1, 3);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (18, 'submitted', '2026-11-16 05:09:15.637778+00', '2026-11-16 05:39:15.637778+00', '00:00:00', '2026-11-16 05:14:18.202316+00', 302.564538, '\xb3c1b9b51a9571e1dea60d5eb1f0d4a6c3c3507598e00861b0009dfafb77f081', 'owed', 'used', false, 1, 18, 3, 1, 9);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (19, 'submitted', '2026-11-16 05:14:25.22423+00', '2026-11-16 05:44:25.22423+00', '00:00:00', '2026-11-16 05:17:51.333382+00', 206.109152, '\xc5111219b26d0eb89699a3f19d7b6ee59a73f36b6441d360208353224c279515', 'owed', 'used', false, 1, 10, 3, 1, 5);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (20, 'submitted', '2026-11-16 05:18:08.578019+00', '2026-11-16 05:48:08.578019+00', '00:00:00', '2026-11-16 05:23:05.37611+00', 296.798091, '\xce8ba10a461d2b51f30a42b1270a1db2c7f4f5ba70f28255cf75c031549202d7', 'owed', 'used', false, 1, 20, 3, 1, 10);
INSERT INTO public.assignment (id, state, offered_at, lease_until, free_for, submitted_at, seconds, visit_hash, paid_state, data_use, unflagged, study_id, place_id, rater_id, version_id, task_id) VALUES (21, 'open', '2026-11-16 07:23:05.37611+00', '2026-11-16 07:53:05.37611+00', '00:00:00', NULL, NULL, '\xf74c3ba90490266226a69c6bebe500b27fb64155fc12e59595f23daba7b48b38', 'none', 'none', false, 1, 30, 4, 2, 14);


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
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: batch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.batch (id, number, topic, state, items, tasks, group_tasks, wanted, opens_at, closes_at, opened_at, closed_at, purpose, study_id, version_id) VALUES (1, 0, '', 'closed', 5, 5, '{"": 5}', 20, '2026-11-15 12:00:00+00', NULL, '2026-11-15 12:00:00+00', '2026-11-16 06:23:05.37611+00', 'collect', 1, 1);
INSERT INTO public.batch (id, number, topic, state, items, tasks, group_tasks, wanted, opens_at, closes_at, opened_at, closed_at, purpose, study_id, version_id) VALUES (2, 0, '', 'open', 6, 6, '{"": 6}', 36, '2026-11-16 06:23:05.37611+00', NULL, '2026-11-16 06:23:05.37611+00', NULL, 'collect', 1, 2);


--
-- Data for Name: batch_work; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.batch_work (done, first_offered_at, last_submitted_at, completed_at, batch_id, study_id, rater_id) VALUES (5, '2026-11-15 14:06:48.619798+00', '2026-11-15 14:10:18.185146+00', '2026-11-15 14:10:18.185146+00', 1, 1, 4);
INSERT INTO public.batch_work (done, first_offered_at, last_submitted_at, completed_at, batch_id, study_id, rater_id) VALUES (5, '2026-11-15 18:06:22.911027+00', '2026-11-15 18:17:02.778821+00', '2026-11-15 18:17:02.778821+00', 1, 1, 5);
INSERT INTO public.batch_work (done, first_offered_at, last_submitted_at, completed_at, batch_id, study_id, rater_id) VALUES (5, '2026-11-16 03:17:42.591663+00', '2026-11-16 03:27:24.013937+00', '2026-11-16 03:27:24.013937+00', 1, 1, 1);
INSERT INTO public.batch_work (done, first_offered_at, last_submitted_at, completed_at, batch_id, study_id, rater_id) VALUES (5, '2026-11-16 05:03:27.869074+00', '2026-11-16 05:23:05.37611+00', '2026-11-16 05:23:05.37611+00', 1, 1, 3);


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
-- Data for Name: draft; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.draft (assignment_id, revision, save_id, answers, saved_at, study_id) VALUES (21, 1, 'first', '{"0": {"useful": 2}}', '2026-11-16 07:23:05.37611+00', 1);


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
-- Data for Name: item_tally; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (1, 'SECRET0', 'useful', 3, 2, 1, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (8, 'SECRET0', 'useful', 1, 1, 3, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (4, 'SECRET3', 'useful', 3, 2, 4, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (10, 'SECRET3', 'useful', 2, 1, 5, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (7, 'SECRET0', 'useful', 3, 2, 2, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (13, 'SECRET3', 'useful', 1, 1, 3, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (15, 'SECRET0', 'useful', 1, 1, 5, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (11, 'SECRET3', 'useful', 3, 2, 1, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (2, 'SECRET3', 'useful', 3, 2, 2, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (18, 'SECRET3', 'useful', 2, 1, 3, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (14, 'SECRET0', 'useful', 3, 2, 4, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (20, 'SECRET0', 'useful', 2, 1, 5, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (5, 'SECRET3', 'useful', 3, 0, 5, 1);
INSERT INTO public.item_tally (id, condition, question, code, n, item_id, study_id) VALUES (3, 'SECRET0', 'useful', 2, 0, 3, 1);


--
-- Data for Name: joining; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: pool; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.pool (id, name, study_id) VALUES (1, 'own', 1);


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

INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (3, '', 'SECRET0', 1, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (4, '', 'SECRET3', 1, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (7, '', 'SECRET0', 3, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (8, '', 'SECRET3', 3, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (9, '', 'SECRET0', 4, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (10, '', 'SECRET3', 4, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (11, '', 'SECRET0', 5, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (12, '', 'SECRET3', 5, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (13, '', 'SECRET0', 6, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (14, '', 'SECRET3', 6, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (15, '', 'SECRET0', 7, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (16, '', 'SECRET3', 7, 0, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (5, '', 'SECRET0', 2, 10, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (6, '', 'SECRET3', 2, 10, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (2, '', 'SECRET3', 0, -1, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (1, '', 'SECRET0', 0, -1, 1, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (17, '', 'SECRET0', 0, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (18, '', 'SECRET3', 0, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (19, '', 'SECRET0', 1, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (20, '', 'SECRET3', 1, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (22, '', 'SECRET3', 2, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (23, '', 'SECRET0', 3, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (24, '', 'SECRET3', 3, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (25, '', 'SECRET0', 4, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (26, '', 'SECRET3', 4, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (27, '', 'SECRET0', 5, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (28, '', 'SECRET3', 5, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (29, '', 'SECRET0', 6, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (30, '', 'SECRET3', 6, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (31, '', 'SECRET0', 7, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (32, '', 'SECRET3', 7, 0, 2, 1, 1);
INSERT INTO public.offered (id, rater_group, condition, slot, n, batch_id, study_id, pool_id) VALUES (21, '', 'SECRET0', 2, 1, 2, 1, 1);


--
-- Data for Name: open_link; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: rater_count; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('conditions', '', 2, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET3', 3, NULL, 9, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('tasks', '', 5, NULL, -1, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('batch', '1', 5, NULL, -1, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('day', '2026-11-16', 5, NULL, -1, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('submitted', '', 5, NULL, -1, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET0', 3, NULL, 9, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('tasks', '', 6, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('batch', '2', 1, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('day', '2026-11-16', 1, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET3', 3, NULL, 6, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('batch', '1', 5, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('day', '2026-11-15', 5, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('submitted', '', 5, NULL, -1, 4, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('conditions', '', 2, NULL, -1, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET3', 2, NULL, 5, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET0', 3, NULL, 6, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('tasks', '', 5, NULL, -1, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('batch', '1', 5, NULL, -1, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('day', '2026-11-15', 5, NULL, -1, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('submitted', '', 5, NULL, -1, 5, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('conditions', '', 2, NULL, -1, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET3', 2, NULL, 8, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET0', 3, NULL, 8, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('tasks', '', 5, NULL, -1, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('batch', '1', 5, NULL, -1, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('day', '2026-11-16', 5, NULL, -1, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('submitted', '', 5, NULL, -1, 1, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('conditions', '', 2, NULL, -1, 3, 1);
INSERT INTO public.rater_count (scope, key, n, cap, last_rank, rater_id, study_id) VALUES ('condition', 'SECRET0', 2, NULL, 9, 3, 1);


--
-- Data for Name: rater_sheet; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: tally; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tally (id, condition, question, code, n, batch_id, study_id) VALUES (4, 'SECRET0', 'useful', 1, 2, 1, 1);
INSERT INTO public.tally (id, condition, question, code, n, batch_id, study_id) VALUES (10, 'SECRET3', 'useful', 1, 1, 1, 1);
INSERT INTO public.tally (id, condition, question, code, n, batch_id, study_id) VALUES (2, 'SECRET0', 'useful', 3, 6, 1, 1);
INSERT INTO public.tally (id, condition, question, code, n, batch_id, study_id) VALUES (6, 'SECRET3', 'useful', 2, 2, 1, 1);
INSERT INTO public.tally (id, condition, question, code, n, batch_id, study_id) VALUES (3, 'SECRET3', 'useful', 3, 6, 1, 1);
INSERT INTO public.tally (id, condition, question, code, n, batch_id, study_id) VALUES (1, 'SECRET0', 'useful', 2, 1, 1, 1);


--
-- Data for Name: task; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (1, 'reply', 'SECRET0', 1, 0, 1, 1, 1, 1);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (2, 'reply', 'SECRET0', 1, 1, 1, 1, 1, 1);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (3, 'reply', 'SECRET0', 1, 2, 1, 1, 1, 1);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (4, 'reply', 'SECRET0', 1, 3, 1, 1, 1, 1);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (5, 'reply', 'SECRET0', 1, 4, 1, 1, 1, 1);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (6, 'reply', 'SECRET3', 1, 0, 1, 1, 1, 1);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (7, 'reply', 'SECRET3', 1, 1, 1, 1, 1, 1);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (8, 'reply', 'SECRET3', 1, 2, 1, 1, 1, 1);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (9, 'reply', 'SECRET3', 1, 3, 1, 1, 1, 1);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (10, 'reply', 'SECRET3', 1, 4, 1, 1, 1, 1);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (11, 'reply', 'SECRET0', 1, 0, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (12, 'reply', 'SECRET0', 1, 1, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (13, 'reply', 'SECRET0', 1, 2, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (14, 'reply', 'SECRET0', 1, 3, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (15, 'reply', 'SECRET0', 1, 4, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (16, 'reply', 'SECRET0', 1, 5, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (17, 'reply', 'SECRET3', 1, 0, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (18, 'reply', 'SECRET3', 1, 1, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (19, 'reply', 'SECRET3', 1, 2, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (20, 'reply', 'SECRET3', 1, 3, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (21, 'reply', 'SECRET3', 1, 4, 2, 1, 1, 2);
INSERT INTO public.task (id, design, condition, items, rank, batch_id, pool_id, study_id, version_id) VALUES (22, 'reply', 'SECRET3', 1, 5, 2, 1, 1, 2);


--
-- Data for Name: task_item; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd0#1', NULL, 'item', 1, 1, 10);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd0#1', NULL, 'item', 1, 1, 2);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd1#1', NULL, 'item', 2, 1, 9);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd1#1', NULL, 'item', 2, 1, 4);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd2#1', NULL, 'item', 3, 1, 7);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd2#1', NULL, 'item', 3, 1, 1);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd3#1', NULL, 'item', 4, 1, 8);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd3#1', NULL, 'item', 4, 1, 5);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd4#1', NULL, 'item', 5, 1, 6);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd4#1', NULL, 'item', 5, 1, 3);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd0#1', NULL, 'item', 1, 1, 22);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd0#1', NULL, 'item', 1, 1, 12);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd1#1', NULL, 'item', 2, 1, 20);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd1#1', NULL, 'item', 2, 1, 15);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd2#1', NULL, 'item', 3, 1, 18);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd2#1', NULL, 'item', 3, 1, 11);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd3#1', NULL, 'item', 4, 1, 19);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd3#1', NULL, 'item', 4, 1, 16);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd4#1', NULL, 'item', 5, 1, 17);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd4#1', NULL, 'item', 5, 1, 13);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd5#1', NULL, 'item', 11, 1, 21);
INSERT INTO public.task_item ("position", spoil_key, also_spoils, role, item_id, study_id, task_id) VALUES (0, 'd5#1', NULL, 'item', 11, 1, 14);


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

INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x82048bb363bb6ac0d016850c69705228af25f0663d686d10b4089b62909eed8e', '2026-11-15 14:06:48.619798+00', 1, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x75e839f59774259a0786f114029fbb3cefcb9ab3a45a5f7e736a224250d4eece', '2026-11-15 14:07:42.079359+00', 2, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x7bf9950f5e58a8e035551cf751c401cd519b307537df0b1bc7e04fdb132324f1', '2026-11-15 14:08:16.054153+00', 3, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x308892559c87b0f3d18f24d86e8bd24b5c8c4d46b552dc0619980883f1eb87f7', '2026-11-15 14:09:00.513153+00', 4, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xf2f66022dd1ebc7c1c117c41da2e28f8bcc78a705b1324e75f65633d38140c1b', '2026-11-15 14:09:47.348279+00', 5, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x32ad3dbb265f9f12bda064e9bf3caa03eef9d35b983e9d38bdc7d6476b11b8c5', '2026-11-15 18:06:22.911027+00', 6, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xf9fdbd0fef0b0e8f01c2931deb546fa1b430458d04b0c05f8ad916398283fb3e', '2026-11-15 18:08:29.399181+00', 7, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x8463e7c8ebd53e857e165daf6c3f2ca08a75efde2567b0572e5aa0b9d45378f7', '2026-11-15 18:09:59.213942+00', 8, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xbf75bb278c18accb0750ad78f3437ede5188f3e7f0365e0b7a98102832484cc6', '2026-11-15 18:12:43.548391+00', 9, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xb1723851f39b10d0a36af861df85ba2e14a3793730862d2114b7b1e5975e75df', '2026-11-15 18:14:29.264502+00', 10, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x55330b46bfe0d3833686ff6e55abbf0edf1317fa937fa5ed484d8d17e16d6678', '2026-11-16 03:17:42.591663+00', 11, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x28021991484225644d03513e0fe2962e6c25b2ae65859304f2c9ee85ee1a16b3', '2026-11-16 03:19:37.134423+00', 12, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x8de054f5da092ed38ecc00d15d6ac9a949d4435cd19a4787fe76dafccebfa647', '2026-11-16 03:20:22.47948+00', 13, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xfa7dcdafbcb4ac590203065eaecf81ab530f6edba9751f370bfdfb79435adb19', '2026-11-16 03:22:50.110234+00', 14, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x2c4e0b5661ecc3efbc177a21a19ab5220a8dd3b7c9e4d1db71de16d96f7d1ce0', '2026-11-16 03:25:20.757125+00', 15, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x05835ddfdce61c8b0ec0633f92f5fcac47def69fa89476672521686b871cd6e4', '2026-11-16 05:03:27.869074+00', 16, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\x337ea0bcbd789a9d8b4ac6cb51e33ff761db90af4c56efa933fc9357816d69f0', '2026-11-16 05:06:07.764695+00', 17, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xb3c1b9b51a9571e1dea60d5eb1f0d4a6c3c3507598e00861b0009dfafb77f081', '2026-11-16 05:09:15.637778+00', 18, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xc5111219b26d0eb89699a3f19d7b6ee59a73f36b6441d360208353224c279515', '2026-11-16 05:14:25.22423+00', 19, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xce8ba10a461d2b51f30a42b1270a1db2c7f4f5ba70f28255cf75c031549202d7', '2026-11-16 05:18:08.578019+00', 20, 1);
INSERT INTO public.visit (token_hash, opened_at, assignment_id, study_id) VALUES ('\xf74c3ba90490266226a69c6bebe500b27fb64155fc12e59595f23daba7b48b38', '2026-11-16 07:23:05.37611+00', 21, 1);


--
-- Data for Name: withdrawal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Name: answer_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.answer_id_seq', 26, true);


--
-- Name: assignment_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.assignment_id_seq', 21, true);


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.audit_id_seq', 1, false);


--
-- Name: batch_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.batch_id_seq', 2, true);


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

SELECT pg_catalog.setval('public.place_id_seq', 56, true);


--
-- Name: pool_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.pool_id_seq', 1, true);


--
-- Name: rater_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rater_id_seq', 6, true);


--
-- Name: rater_sheet_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rater_sheet_id_seq', 1, false);


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

SELECT pg_catalog.setval('public.tally_id_seq', 17, true);


--
-- Name: task_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.task_id_seq', 22, true);


--
-- Name: user_account_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.user_account_id_seq', 1, true);


--
-- Name: verdict_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.verdict_id_seq', 2, true);


--
-- PostgreSQL database dump complete
--

\unrestrict 32tFbKGXfv0zb8hOMPICCl1sRKAIPKnXGIodhPMXWOdpk7AEfa4vPPu5wTl4n3g

