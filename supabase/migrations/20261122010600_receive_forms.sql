-- What the edge functions call with the secret key when a form has been posted.

-- Keeps one message and queues its mail, all or nothing.
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
    -- Of twenty equal posts at once, one inserts; the others wait for its end here and then find it.
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
    (id, name, email, company, stage, goal, message, ip_address, quarantine_reason)
  values (
    new_id,
    submission ->> 'name',
    submission ->> 'email',
    submission ->> 'company',
    submission ->> 'stage',
    submission ->> 'goal',
    submission ->> 'message',
    submission ->> 'ip_address',
    receive_contact_submission.quarantine_reason
  );

  if receive_contact_submission.quarantine_reason is null then
    withheld := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, mail ->> 'kind', mail ->> 'recipient', mail ->> 'reply_to', mail ->> 'subject',
      (mail ->> 'body') || coalesce(mail -> 'if_withheld' ->> withheld, '')
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' <> 'acknowledgement' or withheld is null;
  end if;

  return query select new_id, true;
end;
$$;

comment on function public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer) is
  'Stores a submission once a day and fingerprint, and queues its mails unless it is quarantined. '
  'mails: [{kind, recipient, reply_to, subject, body, if_withheld}]; if_withheld: {mailbox, client, site}, of which the '
  'one that applies is added to the body when the acknowledgement does not leave. client_codes: {client, network}. '
  'Raises 23514 or 23502 for a text that is too long or missing.';

-- Queues one mail of a request and fills in what only the database knows: {{reference}} and {{due_on}}, the day in
-- words ("21 December 2026"). No mail quotes what a visitor typed, so no visitor can bring a placeholder.
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
        replace(part, '{{reference}}', request.reference),
        '{{due_on}}', to_char(request.due_on, 'FMDD FMMonth YYYY')
      ) order by place
    ) as texts
    from unnest(array[subject, body]) with ordinality as parts (part, place)
  ) as filled;
end;
$$;

-- How long a confirmation link works.
create function private.confirmation_lifetime() returns interval
language sql immutable
set search_path = ''
as $$ select interval '72 hours' $$;

-- Opens a request: row, links, log and mail, all or nothing. Whether the address is known makes no difference.
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
  received public.data_rights_requests;
  withheld text;
  mail jsonb;
begin
  -- Requests for one address take turns, so that what is compared below is true however many come at once.
  perform pg_advisory_xact_lock(hashtextextended(person, 0));

  -- A double click or a reload. It can keep nobody's own request out: whoever sent the first, its links went to the
  -- same address, and it says the same in every word.
  select * into received
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = person
    and earlier.request_type = receive_data_rights_request.request ->> 'request_type'
    and earlier.name = receive_data_rights_request.request ->> 'name'
    and earlier.description = receive_data_rights_request.request ->> 'description'
    and earlier.quarantine_reason is not distinct from receive_data_rights_request.quarantine_reason
    and earlier.state = 'unconfirmed'
    and earlier.received_at > now() - interval '10 minutes'
  limit 1;
  if found then
    return query select received.reference, false;
    return;
  end if;

  loop
    insert into public.data_rights_requests
      (reference, request_type, name, email, description, due_on, quarantine_reason)
    values (
      private.new_request_reference(),
      receive_data_rights_request.request ->> 'request_type',
      receive_data_rights_request.request ->> 'name',
      receive_data_rights_request.request ->> 'email',
      receive_data_rights_request.request ->> 'description',
      private.data_rights_due_on((now() at time zone 'UTC')::date),
      receive_data_rights_request.quarantine_reason
    )
    on conflict (reference) do nothing
    returning * into received;
    exit when found;
  end loop;
  perform private.record_request_event(received.id, 'requester', 'received', null);

  -- What is quarantined sends no mail, so nobody could have its links.
  if receive_data_rights_request.quarantine_reason is null then
    withheld := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
    if withheld is null then
      insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
      values
        (confirm_token_hash, received.id, 'confirm', now() + private.confirmation_lifetime()),
        (status_token_hash, received.id, 'status', null);
    else
      -- Nobody is sent its links either. An admin may send some (resend_confirmation).
      perform private.record_request_event(received.id, 'system', 'confirmation-withheld', null);
    end if;
    for mail in select jsonb_array_elements(mails) loop
      continue when mail ->> 'kind' = 'request-acknowledgement' and withheld is not null;
      perform private.queue_request_mail(
        received, mail ->> 'kind', mail ->> 'recipient',
        mail || jsonb_build_object('body', (mail ->> 'body') || coalesce(mail -> 'if_withheld' ->> withheld, '')), false
      );
    end loop;
  end if;

  return query select received.reference, true;
end;
$$;

comment on function public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer) is
  'Stores a request, its links by the SHA-256 of their tokens, and queues its mails unless it is quarantined. '
  'request: {request_type, name, email, description}; mails: [{kind, recipient, subject, body, if_withheld}] with '
  '{{reference}} and {{due_on}} to be filled; if_withheld and client_codes as for receive_contact_submission. The very '
  'same request within ten minutes is one. Raises 23514 or 23502 for a text that is too long or missing, 22023 for a mail '
  'without subject or body.';

revoke all on function
  public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer),
  private.queue_request_mail(public.data_rights_requests, text, text, jsonb, boolean),
  private.confirmation_lifetime(),
  public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer)
  from public, anon, authenticated, service_role;
grant execute on function
  public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer),
  public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer)
  to service_role;
