-- Form posts: store them and queue their mail.

-- The edge functions call these with the secret key; enter_request is for admins.

-- The result of a wish to join the network: the most hours until the mail to confirm it goes, which never depend on the
-- address, and sent, waits, mailbox (its limit) or none (one went shortly before, or the person gets no mail); null
-- without a wish, or of a message that is held back.
create type private.network_ask as (hours integer, outcome text);

-- Lists the mails of a contact message that were not sent at once, for the log.
create function private.list_withheld(acknowledgement text, joining private.network_ask) returns jsonb
language sql immutable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('kind', mail.kind, 'reason', mail.reason)), '[]')
  from (
    values ('acknowledgement', acknowledgement), ('network', nullif(joining.outcome, 'sent'))
  ) as mail (kind, reason)
  where mail.reason is not null
$$;

-- Stores one message and queues its mail, all or nothing. A held-back message is still mailed to the firm when its mail
-- says so: a password manager that filled in the hidden field must not lose a lead.
create function public.receive_contact_submission(
  submission jsonb,
  fingerprint text,
  quarantine_reason text,
  mails jsonb,
  client_codes jsonb default '{}',
  acknowledgements_per_hour integer default null,
  membership jsonb default null
) returns table (submission_id uuid, is_new boolean, hours integer, withheld jsonb)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  -- The function that composes the mails chooses the id, because they link to the message.
  new_id uuid := coalesce((submission ->> 'id')::uuid, gen_random_uuid());
  stored_id uuid;
  withheld_by text;
  joining private.network_ask;
  wish text := private.digest((nullif(membership, 'null') - 'mail')::text);
begin
  loop
    -- When twenty identical posts arrive together, one inserts; the others wait here for its transaction and then find
    -- its row.
    insert into private.contact_receipts as receipt (fingerprint, submission_id, wish_digest)
    values (receive_contact_submission.fingerprint, new_id, wish)
    on conflict (fingerprint) do update
      set submission_id = excluded.submission_id, received_at = now(), wish_digest = excluded.wish_digest, wished_at = now()
      where not private.is_recent(receipt.received_at, '24 hours')
    returning receipt.submission_id into stored_id;
    exit when found;

    select receipt.submission_id into stored_id
    from private.contact_receipts as receipt
    where receipt.fingerprint = receive_contact_submission.fingerprint;
    if found then
      -- A person who posts the form again to join has still posted one message. The same wish within ten minutes is a
      -- double click or a reload.
      update private.contact_receipts as receipt set wish_digest = wish, wished_at = now()
      where receipt.fingerprint = receive_contact_submission.fingerprint
        and (receipt.wish_digest is distinct from wish or not private.is_recent(receipt.wished_at, '10 minutes'));
      joining := private.ask_to_join(
        submission, membership, quarantine_reason is not null, not found, client_codes, acknowledgements_per_hour
      );
      return query select stored_id, false, joining.hours, private.list_withheld(null, joining);
      return;
    end if;
    -- The earlier message was erased in the meantime, so this one is new.
  end loop;

  insert into public.contact_submissions
    (id, name, email, company, stage, goal, message, ip_address, quarantine_reason, answer_due_at,
      consented_at, consent_policy_version, consent_text_hash)
  values (
    new_id,
    submission ->> 'name',
    submission ->> 'email',
    submission ->> 'company',
    submission ->> 'stage',
    submission ->> 'goal',
    submission ->> 'message',
    submission ->> 'ip_address',
    receive_contact_submission.quarantine_reason,
    (submission ->> 'answer_due_at')::timestamptz,
    case when (submission ->> 'consented')::boolean then now() end,
    submission ->> 'consent_policy_version',
    submission ->> 'consent_text_hash'
  );

  joining := private.ask_to_join(
    submission, membership, quarantine_reason is not null, false, client_codes, acknowledgements_per_hour
  );
  if receive_contact_submission.quarantine_reason is null then
    select (private.decide_mail(mail ->> 'kind', mail ->> 'recipient', client_codes, acknowledgements_per_hour)).withheld_by
    into withheld_by
    from jsonb_array_elements(mails) as mail where mail ->> 'kind' = 'acknowledgement' limit 1;
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, mail ->> 'kind', mail ->> 'recipient', mail ->> 'reply_to',
      mail ->> 'subject', (mail ->> 'body') || concat(
        mail -> 'if_withheld' ->> withheld_by, mail -> 'if_joining' ->> joining.outcome
      )
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' <> 'acknowledgement' or withheld_by is null;
    insert into private.answer_links (token_hash, submission_id)
    select submission ->> 'answer_token_hash', new_id where submission ? 'answer_token_hash';
  else
    -- A held-back message sends the sender no mail and the firm no "I have answered" link.
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, 'firm', null, mail ->> 'reply_to', mail ->> 'subject', mail ->> 'body'
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' = 'firm' and (mail ->> 'is_of_held')::boolean;
  end if;

  return query select new_id, true, joining.hours, private.list_withheld(withheld_by, joining);
end;
$$;

comment on function public.receive_contact_submission is
  'Stores a submission once per day and fingerprint, and queues its mails; for a quarantined one, only mails to the '
  'firm with is_of_held. Returns its id, whether it is new, the most hours until the mail to confirm a wish to join '
  'goes (0: now), and the mails that are withheld or wait, [{kind, reason}]. submission: the texts, and optionally '
  'the message''s other columns and answer_token_hash, the SHA-256 of the token with which the firm''s mail opens '
  'find_answer_link. mails: [{kind, recipient, reply_to, subject, body, is_of_held, if_withheld, if_joining}]; the '
  'text in if_withheld {mailbox, client, site} for the limit reached is appended to the body, and that in if_joining '
  '{sent, waits, mailbox, none} for what became of the mail to confirm a wish. client_codes: {client, network}. '
  'membership: as private.ask_to_join takes it. Raises 23514 or 23502 for a text that is too long or missing, 23505 '
  'for an id that is taken, PT429 when the mail to confirm a wish would have no place in the line; then nothing is '
  'stored.';
revoke all on function public.receive_contact_submission from public, anon, authenticated, service_role;
grant execute on function public.receive_contact_submission to service_role;

-- Queues one mail of a request and fills in what only the database knows: {{id}}, {{reference}}, and the days
-- {{due_on}}, {{confirm_by}}, {{deleted_on}} and {{restriction_ends_on}} in words ("December 21, 2026"). These mails quote no visitor input, so a
-- visitor cannot inject a placeholder.
create function private.queue_request_mail(
  request public.data_rights_requests, kind text, recipient text, mail jsonb, forget_when_delivered boolean,
  turn private.mail_turn default null
) returns void
language plpgsql
set search_path = ''
as $$
declare
  subject text := mail ->> 'subject';
  body text := mail ->> 'body';
  fact record;
begin
  perform private.require_mail(mail);
  for fact in select * from (values
    ('{{id}}', request.id::text),
    ('{{reference}}', request.reference),
    ('{{due_on}}', private.day_in_words(request.due_on)),
    ('{{confirm_by}}', private.day_in_words(private.confirm_by(request.due_on))),
    (
      '{{deleted_on}}',
      private.day_in_words((greatest(request.due_on, private.today()) + private.retention_period('unconfirmed_requests'))::date)
    ),
    ('{{restriction_ends_on}}', coalesce(private.day_in_words(request.restriction_ends_on), ''))
  ) as facts (placeholder, words) loop
    subject := replace(subject, fact.placeholder, fact.words);
    body := replace(body, fact.placeholder, fact.words);
  end loop;
  insert into private.email_outbox
    (request_id, kind, recipient, subject, body, forget_when_delivered, line, next_attempt_at)
  values (
    case when queue_request_mail.forget_when_delivered then null else request.id end,
    queue_request_mail.kind,
    case when queue_request_mail.recipient is not null then coalesce(request.mail_to, queue_request_mail.recipient) end,
    subject,
    body,
    queue_request_mail.forget_when_delivered,
    case when turn.hours > 0 then turn.line end,
    case when turn.hours > 0 then turn.place else now() end
  );
end;
$$;

-- Inserts a request {request_type, name, email, description}. A complaint, and a request of an identified person, is open;
-- the firm knows of it already, so its first reminder counts as sent.
create function private.store_request(
  request jsonb, received_at timestamptz, received_on date, is_identified boolean, quarantine_reason text
) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
#variable_conflict use_variable
declare
  is_complaint boolean := request ->> 'request_type' is not distinct from 'complaint';
  stored public.data_rights_requests;
begin
  loop
    insert into public.data_rights_requests as own (
      reference, request_type, name, email, description, received_at, due_on, quarantine_reason, state, confirmed_at,
      last_reminder, last_reminder_at
    )
    values (
      private.new_request_reference(), request ->> 'request_type', request ->> 'name', request ->> 'email',
      request ->> 'description', received_at, private.data_rights_due_on(received_on), quarantine_reason,
      case when is_identified or is_complaint then 'open' else 'unconfirmed' end,
      case when is_identified and not is_complaint then now() end,
      case when is_identified or is_complaint then 'confirmed' end,
      case when is_identified or is_complaint then now() end
    )
    on conflict on constraint data_rights_requests_reference_key do nothing
    returning own.* into stored;
    exit when found;
  end loop;
  return stored;
end;
$$;

-- Opens a request: row, links, log and mail, all or nothing. The result does not depend on whether the address is
-- known. A complaint is open immediately and has only a status link. A form posted twice is one request (decision 6),
-- for a day and also after it was confirmed. The same applies to the same text posted once with the honeypot filled in
-- and once without: the links went to the same address.
create function public.receive_data_rights_request(
  request jsonb,
  confirm_token_hash text,
  status_token_hash text,
  quarantine_reason text,
  mails jsonb,
  client_codes jsonb default '{}',
  acknowledgements_per_hour integer default null
) returns table (reference text, is_new boolean, hours integer, withheld_by text)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  person text := private.subject_key(receive_data_rights_request.request ->> 'email');
  is_complaint boolean := receive_data_rights_request.request ->> 'request_type' is not distinct from 'complaint';
  stored public.data_rights_requests;
  is_repeat boolean;
  turn private.mail_turn;
  held_by text;
  mail jsonb;
begin
  -- Serializes requests for one address, so that the comparison below is exact.
  perform pg_advisory_xact_lock(hashtextextended(person, 0));

  -- A double click, a reload, or a form posted again after Back. This cannot suppress another person's request: the
  -- links went to the same address, and every word is the same. A requester who still waits for the mail to confirm it
  -- gets another.
  select * into stored
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = person
    and earlier.request_type = receive_data_rights_request.request ->> 'request_type'
    and earlier.name = receive_data_rights_request.request ->> 'name'
    and earlier.description = receive_data_rights_request.request ->> 'description'
    and earlier.closed_at is null
    and earlier.received_at > now() - interval '1 day'
  limit 1;
  is_repeat := found;
  if is_repeat and (
    stored.state <> 'unconfirmed'
    or private.is_recent(stored.received_at, '10 minutes')
    or exists (
      select from public.data_rights_events as event
      where event.request_id = stored.id and event.action = 'confirmation-resent'
        and private.is_recent(event.at, '10 minutes')
    )
    or exists (
      select from private.email_outbox as waiting where waiting.request_id = stored.id and waiting.line is not null
    )
  ) then
    turn := private.find_turn('request-acknowledgement', client_codes, acknowledgements_per_hour, true);
    return query select stored.reference, false, turn.hours, null::text;
    return;
  end if;

  turn := private.decide_mail('request-acknowledgement', person, client_codes, acknowledgements_per_hour);
  -- A complaint is stored in any case: its page promises no mail, and the firm reads that none was sent.
  held_by := coalesce(turn.withheld_by, case when is_complaint and turn.is_full then 'site' end);
  if not is_complaint then
    perform private.require_room(turn);
  end if;

  if not is_repeat then
    stored := private.store_request(request, now(), private.today(), false, quarantine_reason);
  end if;
  perform private.record_request_event(
    stored.id, 'requester', case when is_repeat then 'confirmation-resent' else 'received' end, null
  );

  if held_by is null then
    perform private.replace_links(stored, status_token_hash, confirm_token_hash);
  else
    -- The links are withheld with the mail. An admin may send new ones (resend_request_links).
    perform private.record_request_event(stored.id, 'system', 'confirmation-withheld', null);
  end if;
  for mail in select jsonb_array_elements(mails) loop
    continue when mail ->> 'kind' = 'request-acknowledgement' and held_by is not null;
    continue when mail ->> 'kind' <> 'request-acknowledgement' and is_repeat;
    perform private.queue_request_mail(
      stored, mail ->> 'kind', mail ->> 'recipient',
      mail || jsonb_build_object('body', (mail ->> 'body') || coalesce(mail -> 'if_withheld' ->> coalesce(
        held_by, case when turn.hours > 0 then 'waits' end
      ), '')),
      false, case when mail ->> 'kind' = 'request-acknowledgement' then turn end
    );
  end loop;

  return query select stored.reference, true, turn.hours,
    coalesce(held_by, case when turn.hours > 0 then 'waits' end);
end;
$$;

comment on function public.receive_data_rights_request is
  'Stores a request and its links (given the SHA-256 of their tokens), and queues its mails. Returns its reference and '
  'whether it is new, the most hours until its own mail goes (0: now), and why that is withheld: mailbox, site, waits or '
  'null. quarantine_reason: null, or why the request looks suspicious. request: {request_type, name, '
  'email, description}. mails: [{kind, recipient, subject, body, if_withheld}], with {{id}}, {{reference}}, {{due_on}} '
  'and {{confirm_by}} to be filled in; if_withheld: {mailbox, site, waits}, and client_codes, as for receive_contact_submission. An identical '
  'request within a day counts as one until it is closed; if it is unconfirmed after ten minutes, only its own mail is '
  'queued again, with new links. Raises PT429 when the mail would have no place in the line, unless it is a complaint; '
  'then nothing is stored; 23514 or 23502 for a text that is too long or missing, 22023 for a mail '
  'without subject or body.';
revoke all on function public.receive_data_rights_request from public, anon, authenticated, service_role;
grant execute on function public.receive_data_rights_request to service_role;

-- A request is valid regardless of the channel (GDPR, article 12). An admin enters requests that arrived by letter,
-- phone or email; the clock runs from the day of arrival. A person identified by other means need not confirm by mail.
-- A complaint is open, identified or not. Here, too, a form posted twice is one request.
create function public.enter_request(
  request jsonb, channel text, received_on date, is_identified boolean, confirm_token_hash text, status_token_hash text, mail jsonb
) returns uuid
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  today date := private.today();
  stored public.data_rights_requests;
begin
  perform private.require_admin();
  if channel is null or channel not in ('letter', 'phone', 'email') or is_identified is null then
    raise exception 'a channel is needed, and whether the person was identified' using errcode = '22023';
  end if;
  if received_on is null or received_on > today or received_on < today - 90 then
    raise exception 'a request came within the last 90 days' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(private.subject_key(enter_request.request ->> 'email'), 0));

  select * into stored
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = private.subject_key(enter_request.request ->> 'email')
    and earlier.request_type = enter_request.request ->> 'request_type'
    and earlier.name = enter_request.request ->> 'name'
    and earlier.description = enter_request.request ->> 'description'
    and earlier.received_at = private.start_of_day(enter_request.received_on)
    and earlier.closed_at is null
  limit 1;
  if found then
    return stored.id;
  end if;

  stored := private.store_request(request, private.start_of_day(received_on), received_on, is_identified, null);
  perform private.record_request_event(stored.id, 'admin', 'entered', channel);
  perform private.replace_links(stored, status_token_hash, confirm_token_hash);
  perform private.queue_request_mail(stored, 'request-acknowledgement', stored.email, mail, false);
  return stored.id;
end;
$$;

comment on function public.enter_request is
  'Stores a request {request_type, name, email, description} that arrived by letter, phone or email on received_on, '
  'and queues the mail {subject, body} to its person. The request is open if the person was identified, otherwise '
  'unconfirmed. An identical request of the same day counts as one until it is closed. Returns its id. Raises 42501 '
  'for non-admins, 22023 for another channel or day, 23514 or 23502 for a text that is too long or missing.';
revoke all on function public.enter_request from public, anon, authenticated, service_role;
grant execute on function public.enter_request to authenticated;
