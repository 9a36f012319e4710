-- Anybody may type anybody's address into a form, so acknowledgements are few: to one mailbox, on behalf of one client,
-- and altogether. What is above is kept and shown to the firm like any other; only its acknowledgement does not leave.

-- The mailbox behind an address, as mail providers see it: whatever stands behind a + is the owner's own mark, and Gmail
-- makes nothing of dots.
create function private.mailbox_key(email text) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when parts.domain in ('gmail.com', 'googlemail.com') then replace(parts.name, '.', '') || '@gmail.com'
    else parts.name || '@' || parts.domain
  end
  from (
    select regexp_replace(split.name, '^([^+]+)\+.*$', '\1') as name, split.domain
    from (
      select regexp_replace(private.subject_key(email), '@[^@]*$', '') as name,
        substring(private.subject_key(email) from '[^@]*$') as domain
    ) as split
  ) as parts
$$;

comment on function private.mailbox_key(text) is
  'Where mail to this address ends up: in lower case, without +tag, and for Gmail without dots and as gmail.com.';

-- How many acknowledgements may leave. The same numbers are in app/content/facts.ts, from where the policy and the
-- settings take them.
create function private.acknowledgement_limits()
returns table (per_mailbox_and_day integer, per_client_and_day integer, per_network_and_day integer, per_hour integer)
language sql immutable
set search_path = ''
as $$ values (3, 5, 20, 60) $$;

drop index private.email_outbox_acknowledged;
drop index private.email_outbox_request_acknowledged;
create index email_outbox_mailbox on private.email_outbox (private.mailbox_key(recipient), created_at)
  where kind in ('acknowledgement', 'request-acknowledgement');
create index email_outbox_acknowledged on private.email_outbox (created_at)
  where kind in ('acknowledgement', 'request-acknowledgement');

-- Adds one to a count that lasts 24 hours, beside the limits of posts and as they are kept (migration "rate_limits"), and
-- tells the total.
create function private.count_acknowledgement(code text) returns integer
language sql
set search_path = ''
as $$
  insert into private.rate_limits as kept (key, hits, resets_at)
  values (code, 1, now() + interval '24 hours')
  on conflict (key) do update set
    hits = case when kept.resets_at <= now() then 1 else kept.hits + 1 end,
    resets_at = case when kept.resets_at <= now() then excluded.resets_at else kept.resets_at end
  returning kept.hits
$$;

-- Decides about the acknowledgement among the mails, and counts it if it may leave.
-- client_codes: {client, network}, HMACs of the web tier; without a client whoever calls is one and the same.
-- Returns null when it may, else what has had enough: 'mailbox', 'client' or 'site'.
create function private.withhold_acknowledgement(mails jsonb, client_codes jsonb, per_hour integer) returns text
language plpgsql
set search_path = ''
as $$
declare
  limits record;
  mailbox text := (
    select private.mailbox_key(mail ->> 'recipient') from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' in ('acknowledgement', 'request-acknowledgement')
    limit 1
  );
  client text := coalesce(client_codes ->> 'client', repeat('-', 43));
  network text := client_codes ->> 'network';
  -- 0 turns the limit off.
  most_per_hour integer;
begin
  select * into limits from private.acknowledgement_limits();
  most_per_hour := coalesce(per_hour, limits.per_hour);
  -- One at a time, so that what is counted below is true however many come at once. No other turn is waited for after it.
  perform pg_advisory_xact_lock(hashtextextended('acknowledgements', 0));

  if limits.per_mailbox_and_day <= (
    select count(*) from private.email_outbox as earlier
    where earlier.kind in ('acknowledgement', 'request-acknowledgement')
      and private.mailbox_key(earlier.recipient) = mailbox
      and earlier.created_at > now() - interval '24 hours'
  ) then
    return 'mailbox';
  end if;
  if exists (
    select from private.rate_limits as kept
    where kept.resets_at > now() and (
      (kept.key = client and kept.hits >= limits.per_client_and_day)
      or (kept.key = network and kept.hits >= limits.per_network_and_day)
    )
  ) then
    return 'client';
  end if;
  if most_per_hour > 0 and most_per_hour <= (
    select count(*) from private.email_outbox as earlier
    where earlier.kind in ('acknowledgement', 'request-acknowledgement')
      and earlier.created_at > now() - interval '1 hour'
  ) then
    return 'site';
  end if;

  perform private.count_acknowledgement(code)
  from (select code from unnest(array[client, network]) as code where code is not null order by code) as codes;
  return null;
end;
$$;

revoke all on function
  private.mailbox_key(text), private.acknowledgement_limits(), private.count_acknowledgement(text),
  private.withhold_acknowledgement(jsonb, jsonb, integer)
  from public, anon, authenticated, service_role;

-- Whoever reads the request sees in its log that nobody was sent its links.
alter table public.data_rights_events drop constraint data_rights_events_action_check;
alter table public.data_rights_events add constraint data_rights_events_action_check check (action in (
  'received', 'confirmation-withheld', 'confirmed', 'confirmation-resent', 'taken-up', 'noted', 'extended', 'exported',
  'restricted', 'restriction-lifted', 'completed', 'refused', 'withdrawn'
));

-- The functions that receive know two things more. Callers that do not are served as before, as one client.
drop function public.receive_contact_delivery(text, jsonb, text, text, jsonb);
drop function public.receive_contact_submission(jsonb, text, text, jsonb);
drop function public.receive_data_rights_request(jsonb, text, text, text, jsonb);

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

create function public.receive_contact_delivery(
  delivery_key text,
  submission jsonb,
  fingerprint text,
  quarantine_reason text,
  mails jsonb,
  client_codes jsonb default '{}',
  acknowledgements_per_hour integer default null
) returns boolean
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  is_new boolean;
begin
  -- Of two deliveries at once the second waits here for the end of the first, and counts only if that failed.
  insert into private.contact_deliveries (delivery_key)
  values (receive_contact_delivery.delivery_key)
  on conflict (delivery_key) do nothing;
  if not found then
    return false;
  end if;

  select kept.is_new into strict is_new
  from public.receive_contact_submission(
    receive_contact_delivery.submission,
    receive_contact_delivery.fingerprint,
    receive_contact_delivery.quarantine_reason,
    receive_contact_delivery.mails,
    receive_contact_delivery.client_codes,
    receive_contact_delivery.acknowledgements_per_hour
  ) as kept;

  -- As long as a submission is kept, which no web server waits.
  delete from private.contact_deliveries as old
  where old.delivery_key in (
    select past.delivery_key from private.contact_deliveries as past
    where past.received_at < now() - private.retention_period('contact_submissions')
    order by past.received_at limit 100 for update skip locked
  );
  return is_new;
end;
$$;

comment on function public.receive_contact_delivery(text, jsonb, text, text, jsonb, jsonb, integer) is
  'Stores a submission once, however often and however late it is delivered; else as receive_contact_submission. Returns '
  'whether it is new. Raises 23514 for a malformed key, and what receive_contact_submission raises: then nothing is kept.';

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
  public.receive_contact_delivery(text, jsonb, text, text, jsonb, jsonb, integer),
  public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer)
  from public, anon, authenticated, service_role;
grant execute on function
  public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer),
  public.receive_contact_delivery(text, jsonb, text, text, jsonb, jsonb, integer),
  public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer)
  to service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122000100' $$;
