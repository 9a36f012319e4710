-- The same form sent twice is one request (decision 8): for a day, and also once it was confirmed. Ten minutes were too short for a form
-- that comes back by Back, and an entered request or a note was never compared.

create or replace function public.receive_data_rights_request(
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
      -- Of a complaint the firm is told at once.
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

create or replace function public.enter_request(
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

create or replace function public.record_request_note(request_id uuid, note text) returns void
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  words text := private.require_words(note);
begin
  perform private.require_admin();
  perform private.lock_request(
    request_id, array['unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn']
  );
  if exists (
    select from public.data_rights_events as event
    where event.request_id = record_request_note.request_id and event.action = 'noted' and event.note = words
      and event.at > now() - interval '1 day'
  ) then
    return;
  end if;
  perform private.record_request_event(request_id, 'admin', 'noted', words);
end;
$$;

comment on function public.record_request_note(uuid, text) is
  'Adds a note to the log, in any state; the very same note within a day is one.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126170000' $$;
