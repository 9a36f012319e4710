-- One row of each table, as version 0.1.0 stored it. Later migrations must keep what it says.
set session_replication_role = replica;
insert into auth.users (id, email, encrypted_password) overriding system value
  values ('11111111-1111-4111-8111-111111111111', 'hale@firm.example', '');
insert into private.account_events (id, user_id, at, kind, is_mail_due, session_id, device, is_new_device) overriding system value
  values ('1', '11111111-1111-4111-8111-111111111111', '2026-11-29 19:59:13.949833+00', 'wrong-codes', 'true', null, null, null);
insert into private.account_links (id, token_hash, purpose, email, user_id, invited_by, made_at, expires_at, claimed_at) overriding system value
  values ('7c091b44-ccd0-4c9b-ab19-c8de4f42fb52', 'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'new-password', 'ada@example.com', '11111111-1111-4111-8111-111111111111', null, '2026-11-29 20:00:22.549327+00', '2026-11-29 19:59:22.762461+00', null);
insert into private.admin_names (user_id, role, name, signature) overriding system value
  values ('11111111-1111-4111-8111-111111111111', 'admin', 'Ada Hale', E'Ada Hale\nHale & Co');
insert into private.answer_links (token_hash, submission_id) overriding system value
  values ('cf2c82fef1ac13c1897642df935c6b006556b32a14104d98a586ec0084ffb122', '22222222-2222-4222-8222-222222222222');
insert into private.consent_history (session_id, analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source, decided_at, recorded_at) overriding system value
  values ('d1fdc4a23990c364e411d1e59a493f50', 'true', 'false', 'true', '1.0', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'banner', '2024-12-29 19:59:38.653127+00', '2026-11-29 19:59:38.653127+00');
insert into private.contact_receipts (fingerprint, submission_id, received_at, wish_digest, wished_at) overriding system value
  values ('5395a677e724a9eca4b24a179001614c01bfeaebb2413567751cc4d9b3861da8', '22222222-2222-4222-8222-222222222222', '2026-11-29 19:59:12.672493+00', null, '2026-11-29 19:59:12.672493+00');
insert into private.count_reports (id, received_at) overriding system value
  values ('1c9afb85-c2dc-4daa-b421-0ef6c8b73229', '2026-11-29 19:59:28.158936+00');
insert into private.data_packages (request_id, content, available_until, link_wanted_at) overriding system value
  values ('33333333-3333-4333-8333-333333333333', '{"email": "ada@example.com"}', '2026-12-06 19:59:46.176974+00', null);
insert into private.data_rights_links (token_hash, request_id, purpose, expires_at, used_at) overriding system value
  values ('5e316e44767f0286f202b8547bc1b34529b4e5424c86134e4907caa35c42c7fc', '33333333-3333-4333-8333-333333333333', 'status', null, null);
insert into private.day_counts (day, kind, name, number) overriding system value
  values ('2026-11-29', 'network', 'asked', '1');
insert into private.digests (day, made_at) overriding system value
  values ('2030-01-02', '2026-11-29 20:00:23.097772+00');
insert into private.email_outbox (id, submission_id, kind, recipient, reply_to, sender_name, subject, body, created_at, attempts, next_attempt_at, first_attempt_at, attempted_at, is_perhaps_delivered, leased_until, delivered_at, gave_up_at, last_error, request_id, forget_when_delivered, account_link_id, thread, member_id, link_to, closing, line, about) overriding system value
  values ('66666666-6666-4666-8666-666666666666', '22222222-2222-4222-8222-222222222222', 'firm', null, 'ada@example.com', null, 'A message', 'Please call me.', '2026-11-29 19:59:12.672493+00', '0', '2026-11-29 19:59:12.672493+00', null, null, 'false', null, null, null, null, null, 'false', null, '{}', null, null, null, null, null);
insert into private.erasure_tombstones (id, reference, email_hash, counts, erased_at, erased_by, elsewhere) overriding system value
  values ('6cf038a2-2a8e-4443-95bd-b61a155733cf', 'DR-YKCC-4DA6', '9999726809784dc5926f5dc9fdc47feebecaad86ff27955e2eff18354d647f6ca444dffa5616a633e4a37815bc06895d', '{"links": 4, "mails": 4, "events": 4, "replies": 0, "receipts": 0, "requests": 2, "memberships": 0, "submissions": 0}', '2026-11-29 19:59:17.288892+00', '11111111-1111-4111-8111-111111111111', '{}');
insert into private.factor_permits (session_id, user_id, expires_at, is_session_new) overriding system value
  values ('f5638857-db84-4761-9896-85754f44764b', '11111111-1111-4111-8111-111111111111', '2026-11-29 20:14:52.102585+00', 'false');
insert into private.letter_recipients (letter_id, member_id, mail_id, queued_at, delivered_at, failure) overriding system value
  values ('55555555-5555-4555-8555-555555555555', '44444444-4444-4444-8444-444444444444', '66666666-6666-4666-8666-666666666666', '2026-11-29 19:59:38.864257+00', null, null);
insert into private.link_keys (reference, secret, ended_at) overriding system value
  values ('LK-4D63-ANK3', E'\\xabc667d2eb6e20784d950aa718908937fd372ab0325fd0385cc72e6b4bf418f4', null);
insert into private.message_replies (id, submission_id, written_by, written_at, body) overriding system value
  values ('e077d0a9-cf68-4d19-8ddd-4a3d684fdfba', '22222222-2222-4222-8222-222222222222', '11111111-1111-4111-8111-111111111111', '2026-11-29 19:59:12.826542+00', 'We can.');
insert into private.network_departures (reference, email_hash, left_at) overriding system value
  values ('NW-JQD3-VGF9', 'e3b7fbc87e264c93942e22e44a24c72686eb97556ac26adbce4e4e907c5c96881a4f290b7f318377a65b203c7afae5e8', '2023-12-01 19:59:38.109609+00');
insert into private.rate_limits (key, hits, resets_at, lasts) overriding system value
  values ('EgE-iOw7AFOi1nB2v2W-YEdkM7fCvTCfKMpr2z2xpPY', '1', '2026-11-30 19:59:12.672493+00', '24:00:00');
insert into private.recovery_codes (user_id, digest) overriding system value
  values ('11111111-1111-4111-8111-111111111111', '1889cd72cd73d3ffe1e012c9eccbd65cbd78143fbe7a16e5790a6710a6ebf194');
insert into private.reply_drafts (submission_id, saved_by, saved_at, body) overriding system value
  values ('22222222-2222-4222-8222-222222222222', '11111111-1111-4111-8111-111111111111', '2026-11-29 19:59:24.001594+00', 'We c');
insert into private.reply_snippets (id, name, body, version) overriding system value
  values ('7bfd8a49-8e9a-4fa9-9fa8-a2d95088f07f', 'Hours', 'Every day.', '1');
insert into private.retention_clock (is_only, seen_at, doubted_since) overriding system value
  values ('true', '2026-11-29 19:59:40.106599+00', null);
insert into private.retention_runs (ran_at, source, counts) overriding system value
  values ('2026-11-29 19:59:38.980055+00', 'server', '{"links": 0, "mails": 0, "wishes": 0, "letters": 0, "members": 0, "records": 0, "consents": 0, "receipts": 0, "requests": 0, "day_counts": 0, "submissions": 0, "account_events": 0, "sender_addresses": 0, "consent_decisions": 0}');
insert into private.second_factor_attempts (user_id, attempted_at, session_id) overriding system value
  values ('11111111-1111-4111-8111-111111111111', '2026-11-29 19:59:13.949+00', '1ecdbd99-1975-43f7-8adc-e73d5b6de101');
insert into private.second_factor_rule (is_required) overriding system value
  values ('true');
insert into private.setup_codes (user_id, digest, expires_at) overriding system value
  values ('11111111-1111-4111-8111-111111111111', 'ab7dcb3fff3b5d5a17069db519fdf9203871809645d74f4d470f74b9e28fbd45', '2026-12-02 19:59:53.349708+00');
insert into private.site_facts (is_only, facts) overriding system value
  values ('true', '{"TIME_ZONE": "UTC"}');
insert into private.submission_search (submission_id, created_at, words) overriding system value
  values ('22222222-2222-4222-8222-222222222222', '2026-11-29 19:59:12.672493+00', E'ada lovelace\ada@example.com\nengines ltd\ngrowth\nscale the practice\nplease call me.');
insert into private.troubles (cause, since, seen_at, ended_at, mailed_at, mail_id, hook_notice, hook_called_at, hook_tried_at) overriding system value
  values ('process-ended', '2026-11-28 18:28:23.39731+00', '2026-11-28 18:28:23.39731+00', '2026-11-28 18:28:23.39731+00', null, null, null, null, null);
insert into private.trusted_factors (factor_id, user_id, trusted_at) overriding system value
  values ('d9b82c8c-bb72-4f26-943a-3d23acdb9587', '11111111-1111-4111-8111-111111111111', '2026-11-29 19:59:52.435431+00');
insert into private.wrong_codes (user_id, entered_at) overriding system value
  values ('11111111-1111-4111-8111-111111111111', '2026-11-29 19:59:13.949+00');
insert into public.admin_events (id, at, actor, action, submission_id, replaced, person, people_count) overriding system value
  values ('1', '2026-11-29 19:59:12.826542+00', '11111111-1111-4111-8111-111111111111', 'submission-replied', '22222222-2222-4222-8222-222222222222', null, null, null);
insert into public.contact_submissions (id, name, email, company, stage, goal, message, created_at, ip_address, quarantine_reason, state, frozen_at, consented_at, consent_policy_version, consent_text_hash, answer_due_at, answered_at, answer_notice, marked_by_link_at, undelivered_at, version) overriding system value
  values ('22222222-2222-4222-8222-222222222222', 'Ada Lovelace', 'ada@example.com', 'Engines Ltd', 'Growth', 'Scale the practice', 'Please call me.', '2026-11-29 19:59:12.672493+00', null, null, 'new', null, null, null, null, '2026-11-30 19:59:12.672493+00', null, null, null, null, '0');
insert into public.data_rights_events (id, request_id, at, actor_kind, actor, action, note) overriding system value
  values ('1', '33333333-3333-4333-8333-333333333333', '2026-11-29 19:59:14.788475+00', 'requester', null, 'received', null);
insert into public.data_rights_requests (id, reference, request_type, name, email, description, state, received_at, due_on, extended_at, extension_reason, confirmed_at, closed_at, frozen_at, quarantine_reason, last_reminder, last_reminder_at, restriction_ends_on, undelivered_at, mail_to, version) overriding system value
  values ('33333333-3333-4333-8333-333333333333', 'DR-7A6J-7N5B', 'access', 'Ada Lovelace', 'ada@example.com', 'What do you hold about me?', 'unconfirmed', '2026-11-29 19:59:14.788475+00', '2026-12-29', null, null, null, null, null, null, null, null, null, null, null, '0');
insert into public.network_events (id, member_id, at, actor_kind, actor, action, note) overriding system value
  values ('1', '44444444-4444-4444-8444-444444444444', '2026-11-29 19:59:13.211986+00', 'member', null, 'asked', null);
insert into public.network_letters (id, subject, body, to_states, to_kind, to_field, saved_by, saved_at, tried_by, footer, sent_at, sent_by, stopped_at, stopped_by_restore, to_count, version) overriding system value
  values ('55555555-5555-4555-8555-555555555555', 'A clinic is raising its first round', E'Dear {name},\n\nReply if you would like to see its papers.\n\nAda Hale', '{confirmed,admitted}', null, null, '11111111-1111-4111-8111-111111111111', '2026-11-29 19:59:38.78054+00', '11111111-1111-4111-8111-111111111111', '{"firm": "Hale & Co", "site": "firm.example", "address": "1 Main Street, Salem, Oregon"}', '2026-11-29 19:59:38.80154+00', '11111111-1111-4111-8111-111111111111', null, 'false', '3', '1');
insert into public.network_members (id, email, name, company, kind, fields, check_size, place, qualification, state, asked_at, confirmed_at, renewed_at, decided_at, pending, pending_at, consent_text_hash, consent_policy_version, reminded_at, renewal_asked_at, paused_at, pause_reason, unsubscribed_at, frozen_at, page_link_at, version) overriding system value
  values ('44444444-4444-4444-8444-444444444444', 'ada@example.com', 'Ada Lovelace', 'Engines Ltd', 'angel', '{ai,devices}', '25k-100k', 'Vermont', 'income', 'admitted', '2026-11-29 19:59:13.211986+00', '2026-11-29 19:59:13.447853+00', '2026-11-29 19:59:13.447853+00', '2026-11-29 19:59:13.774751+00', null, null, 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', '1.0', null, null, null, null, null, null, '2026-11-29 19:59:13.211986+00', '2');
insert into public.user_consents (session_id, analytics_consent, marketing_consent, functional_consent, user_agent, consent_version, updated_at) overriding system value
  values ('d1fdc4a23990c364e411d1e59a493f50', 'true', 'false', 'true', null, '1.0', '2024-12-29 19:59:38.670851+00');
insert into public.user_roles (user_id, role, granted_at) overriding system value
  values ('11111111-1111-4111-8111-111111111111', 'admin', '2026-11-29 19:59:12.613309+00');
reset session_replication_role;
