-- Posted forms: store them and queue their mail.

-- The edge functions call these with the secret key when a form has been posted.

-- Keeps one message and queues its mail, all or nothing. A message that is held back is mailed to the firm all the same where its mail
-- says so: a password manager that filled in the hidden field must not lose a lead.
create function public.receive_contact_submission(
  submission jsonb,
  fingerprint text,
  quarantine_reason text,
  mails jsonb,
  client_codes jsonb default '{}',
  acknowledgements_per_hour integer default null
) returns table (submission_id uuid, is_new boolean)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  new_id uuid := gen_random_uuid();
  kept_id uuid;
  withheld text;
begin
  loop
    -- If twenty equal posts come at once, one inserts; the others wait for its end here and then find it.
    insert into private.contact_receipts as receipt (fingerprint, submission_id)
    values (receive_contact_submission.fingerprint, new_id)
    on conflict (fingerprint) do update
      set submission_id = excluded.submission_id, received_at = now()
      where receipt.received_at < now() - interval '24 hours'
    returning receipt.submission_id into kept_id;
    exit when found;

    select receipt.submission_id into kept_id
    from private.contact_receipts as receipt
    where receipt.fingerprint = receive_contact_submission.fingerprint;
    if found then
      return query select kept_id, false;
      return;
    end if;
    -- The earlier message was erased in between: this one counts.
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

  if receive_contact_submission.quarantine_reason is null then
    withheld := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, mail ->> 'kind', mail ->> 'recipient', mail ->> 'reply_to',
      private.fill_reference(mail ->> 'subject', mail, new_id),
      private.fill_reference(mail ->> 'body', mail, new_id) || coalesce(mail -> 'if_withheld' ->> withheld, '')
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' <> 'acknowledgement' or withheld is null;
    insert into private.answer_links (token_hash, submission_id)
    select submission ->> 'answer_token_hash', new_id where submission ? 'answer_token_hash';
  else
    -- Nothing leaves to the sender, and nobody can mark as answered what nobody has let in.
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, 'firm', null, mail ->> 'reply_to',
      private.fill_reference(mail ->> 'subject', mail, new_id), private.fill_reference(mail ->> 'body', mail, new_id)
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' = 'firm' and (mail ->> 'is_of_held')::boolean;
  end if;

  return query select new_id, true;
end;
$$;

comment on function public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer) is
  'Stores a submission once a day and fingerprint, and queues its mails; of one that is quarantined only mails to the firm with is_of_held. '
  'mails: [{kind, recipient, reply_to, subject, body, is_notice, is_of_held, if_withheld}]; of a mail with is_notice, {{reference}} and '
  '{{id}} are filled in; if_withheld: {mailbox, client, site}, of which the '
  'one that applies is added to the body when the acknowledgement does not leave. client_codes: {client, network}. '
  'submission: the texts, ip_address, consented, consent_policy_version, consent_text_hash, answer_due_at, and the SHA-256 of the '
  'token by which the firm''s mail leads to find_answer_link as answer_token_hash; all but the texts may be missing. Raises 23514 or '
  '23502 for a text that is too long or missing.';
revoke all on function public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer) to service_role;

-- Queues one mail of a request and fills in what only the database knows: {{reference}}, and the days {{due_on}}, {{confirm_by}} and
-- {{restriction_ends_on}} in words ("December 21, 2026"). No mail quotes what a visitor typed, so no visitor can bring a placeholder.
create function private.queue_request_mail(
  request public.data_rights_requests, kind text, recipient text, mail jsonb, forget_when_delivered boolean
) returns void
language plpgsql
set search_path = ''
as $$
declare
  subject text := mail ->> 'subject';
  body text := mail ->> 'body';
begin
  if coalesce(btrim(subject), '') = '' or coalesce(btrim(body), '') = ''
    or char_length(subject) > 200 or subject ~ '[\r\n]' or char_length(body) > 20000 then
    raise exception 'a mail needs a subject of one line and a body' using errcode = '22023';
  end if;
  insert into private.email_outbox (request_id, kind, recipient, subject, body, forget_when_delivered)
  select
    case when queue_request_mail.forget_when_delivered then null else request.id end,
    queue_request_mail.kind,
    queue_request_mail.recipient,
    filled.texts[1],
    filled.texts[2],
    queue_request_mail.forget_when_delivered
  from (
    select array_agg(
      replace(
        replace(
          replace(
            replace(part, '{{reference}}', request.reference),
            '{{due_on}}', private.day_in_words(request.due_on)
          ),
          '{{confirm_by}}', private.day_in_words(private.confirm_by(request.due_on))
        ),
        '{{restriction_ends_on}}', coalesce(private.day_in_words(request.restriction_ends_on), '')
      ) order by place
    ) as texts
    from unnest(array[subject, body]) with ordinality as parts (part, place)
  ) as filled;
end;
$$;
revoke all on function private.queue_request_mail(public.data_rights_requests, text, text, jsonb, boolean)
  from public, anon, authenticated, service_role;

-- Opens a request: row, links, log and mail, all or nothing. Whether the address is known makes no difference. A complaint is open at once
-- and has a status link only. The same form sent twice is one request (decision 8): for a day, and also once it was confirmed. So are the
-- same words once with the honeypot filled in and once without: the links went to the same address.
create function public.receive_data_rights_request(
  request jsonb,
  confirm_token_hash text,
  status_token_hash text,
  quarantine_reason text,
  mails jsonb,
  client_codes jsonb default '{}',
  acknowledgements_per_hour integer default null
) returns table (reference text, is_new boolean)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  person text := private.subject_key(receive_data_rights_request.request ->> 'email');
  is_complaint boolean := receive_data_rights_request.request ->> 'request_type' is not distinct from 'complaint';
  received public.data_rights_requests;
  is_again boolean;
  withheld text;
  mail jsonb;
begin
  -- Requests for one address take turns, so that what is compared below is true however many come at once.
  perform pg_advisory_xact_lock(hashtextextended(person, 0));

  -- A double click, a reload, or a form that came back by Back. It can keep nobody's own request out: its links went to the same
  -- address, and it says the same in every word. Somebody who waits for the mail to confirm it gets another.
  select * into received
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = person
    and earlier.request_type = receive_data_rights_request.request ->> 'request_type'
    and earlier.name = receive_data_rights_request.request ->> 'name'
    and earlier.description = receive_data_rights_request.request ->> 'description'
    and earlier.closed_at is null
    and earlier.received_at > now() - interval '1 day'
  limit 1;
  is_again := found;
  if is_again and (
    received.state <> 'unconfirmed'
    or received.received_at > now() - interval '10 minutes'
    or exists (
      select from public.data_rights_events as event
      where event.request_id = received.id and event.action = 'confirmation-resent'
        and event.at > now() - interval '10 minutes'
    )
  ) then
    return query select received.reference, false;
    return;
  end if;

  while not is_again loop
    insert into public.data_rights_requests
      (reference, request_type, name, email, description, due_on, quarantine_reason, state, last_reminder, last_reminder_at)
    values (
      private.new_request_reference(),
      receive_data_rights_request.request ->> 'request_type',
      receive_data_rights_request.request ->> 'name',
      receive_data_rights_request.request ->> 'email',
      receive_data_rights_request.request ->> 'description',
      private.data_rights_due_on(private.today()),
      receive_data_rights_request.quarantine_reason,
      case when is_complaint then 'open' else 'unconfirmed' end,
      -- The firm is told of a complaint at once.
      case when is_complaint then 'confirmed' end,
      case when is_complaint then now() end
    )
    on conflict (reference) do nothing
    returning * into received;
    exit when found;
  end loop;
  perform private.record_request_event(
    received.id, 'requester', case when is_again then 'confirmation-resent' else 'received' end, null
  );

  withheld := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
  if withheld is null then
    delete from private.data_rights_links as link where link.request_id = received.id;
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    select link.hash, received.id, link.purpose, link.expires_at
    from (
      values
        (confirm_token_hash, 'confirm', private.confirmation_ends_at(received.due_on)),
        (status_token_hash, 'status', null)
    ) as link (hash, purpose, expires_at)
    where not (is_complaint and link.purpose = 'confirm');
  else
    -- Nobody is sent its links either. An admin may send some (resend_confirmation, resend_acknowledgement).
    perform private.record_request_event(received.id, 'system', 'confirmation-withheld', null);
  end if;
  for mail in select jsonb_array_elements(mails) loop
    continue when mail ->> 'kind' = 'request-acknowledgement' and withheld is not null;
    continue when mail ->> 'kind' <> 'request-acknowledgement' and is_again;
    perform private.queue_request_mail(
      received, mail ->> 'kind', mail ->> 'recipient',
      mail || jsonb_build_object('body', (mail ->> 'body') || coalesce(mail -> 'if_withheld' ->> withheld, '')), false
    );
  end loop;

  return query select received.reference, true;
end;
$$;

comment on function public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer) is
  'Stores a request, its links by the SHA-256 of their tokens, and queues its mails. quarantine_reason: null, or why it '
  'looks suspicious. request: {request_type, name, email, description}; mails: [{kind, recipient, subject, body, '
  'if_withheld}] with {{reference}}, {{due_on}} and {{confirm_by}} to be filled; if_withheld and client_codes as for '
  'receive_contact_submission. The very same request within a day is one until it is closed; after ten minutes without a '
  'confirmation, only its own mail is queued again, with new links. Raises 23514 or 23502 for a text that is too long or '
  'missing, 22023 for a mail without subject or body.';
revoke all on function public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer) to service_role;

-- A request is valid by whatever way it comes (GDPR, article 12): an admin enters what came by letter, phone or email, and its clock runs
-- from the day it came. A person who was identified otherwise need not confirm by mail. A complaint is open, identified or not. The same
-- form sent twice is one request here, too.
create function public.enter_request(
  request jsonb, channel text, received_on date, is_identified boolean, confirm_token_hash text, status_token_hash text, mail jsonb
) returns uuid
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  today date := private.today();
  is_complaint boolean := enter_request.request ->> 'request_type' is not distinct from 'complaint';
  is_open boolean := is_identified or is_complaint;
  entered public.data_rights_requests;
begin
  perform private.require_admin();
  if channel is null or channel not in ('letter', 'phone', 'email') or is_identified is null then
    raise exception 'a channel is needed, and whether the person was identified' using errcode = '22023';
  end if;
  if received_on is null or received_on > today or received_on < today - 90 then
    raise exception 'a request came within the last 90 days' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(private.subject_key(enter_request.request ->> 'email'), 0));

  select * into entered
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = private.subject_key(enter_request.request ->> 'email')
    and earlier.request_type = enter_request.request ->> 'request_type'
    and earlier.name = enter_request.request ->> 'name'
    and earlier.description = enter_request.request ->> 'description'
    and earlier.received_at = private.start_of_day(enter_request.received_on)
    and earlier.closed_at is null
  limit 1;
  if found then
    return entered.id;
  end if;

  loop
    insert into public.data_rights_requests (
      reference, request_type, name, email, description, received_at, due_on, state, confirmed_at, last_reminder,
      last_reminder_at
    )
    values (
      private.new_request_reference(),
      enter_request.request ->> 'request_type',
      enter_request.request ->> 'name',
      enter_request.request ->> 'email',
      enter_request.request ->> 'description',
      private.start_of_day(enter_request.received_on),
      private.data_rights_due_on(enter_request.received_on),
      case when is_open then 'open' else 'unconfirmed' end,
      case when is_identified and not is_complaint then now() end,
      -- The firm need not be told of what it has just done.
      case when is_open then 'confirmed' end,
      case when is_open then now() end
    )
    on conflict (reference) do nothing
    returning * into entered;
    exit when found;
  end loop;
  perform private.record_request_event(entered.id, 'admin', 'entered', channel);
  insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
  values (status_token_hash, entered.id, 'status', null);
  if not is_open then
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    values (confirm_token_hash, entered.id, 'confirm', private.confirmation_ends_at(entered.due_on));
  end if;
  perform private.queue_request_mail(entered, 'request-acknowledgement', entered.email, mail, false);
  return entered.id;
end;
$$;

comment on function public.enter_request(jsonb, text, date, boolean, text, text, jsonb) is
  'Stores a request {request_type, name, email, description} that came by letter, phone or email on received_on, and queues '
  'the mail {subject, body} to its person; open if they were identified, else to be confirmed. The very same request of the '
  'same day is one until it is closed. Returns its id. Raises 42501 for others than admins, 22023 for another channel or day, '
  '23514 or 23502 for a text that is too long or missing.';
revoke all on function public.enter_request(jsonb, text, date, boolean, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.enter_request(jsonb, text, date, boolean, text, text, jsonb) to authenticated;
