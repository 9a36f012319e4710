-- A complaint about how the firm handles personal data (Data Protection Act 2018 of the United Kingdom, section 164A, in
-- force since 19 June 2026: make it easy, acknowledge it within 30 days, look into it, tell the outcome). It is kept among
-- the requests, with the same log, links, reminders, mail and retention, and 30 days of its own.
--
-- It is open at once. Hearing somebody gives out nothing, so whoever complains has no link to confirm; and because that
-- proves nothing about who wrote it, nothing is given out, changed, restricted or erased for it. It is neither refused nor
-- extended, but answered with its outcome, or withdrawn.
alter table public.data_rights_requests drop constraint data_rights_requests_request_type_check;
alter table public.data_rights_requests add constraint data_rights_requests_request_type_check check (request_type in (
  'access', 'rectification', 'erasure', 'portability', 'restrict', 'object', 'other', 'complaint'
));
-- As before, but a complaint needs no confirmation.
alter table public.data_rights_requests drop constraint data_rights_requests_check3;
alter table public.data_rights_requests add constraint data_rights_requests_check3
  check (state not in ('open', 'in_progress', 'completed') or confirmed_at is not null or request_type = 'complaint');
alter table public.data_rights_requests add constraint data_rights_requests_complaint_check
  check (
    request_type <> 'complaint'
    or (state not in ('unconfirmed', 'refused') and confirmed_at is null and extended_at is null)
  );

-- As before, but a complaint is open at once, and has a status link only.
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
    and earlier.state = case when earlier.request_type = 'complaint' then 'open' else 'unconfirmed' end
    and earlier.received_at > now() - interval '10 minutes'
  limit 1;
  if found then
    return query select received.reference, false;
    return;
  end if;

  loop
    insert into public.data_rights_requests
      (reference, request_type, name, email, description, due_on, quarantine_reason, state, last_reminder, last_reminder_at)
    values (
      private.new_request_reference(),
      receive_data_rights_request.request ->> 'request_type',
      receive_data_rights_request.request ->> 'name',
      receive_data_rights_request.request ->> 'email',
      receive_data_rights_request.request ->> 'description',
      private.data_rights_due_on((now() at time zone 'UTC')::date),
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
  perform private.record_request_event(received.id, 'requester', 'received', null);

  withheld := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
  if withheld is null then
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
    perform private.queue_request_mail(
      received, mail ->> 'kind', mail ->> 'recipient',
      mail || jsonb_build_object('body', (mail ->> 'body') || coalesce(mail -> 'if_withheld' ->> withheld, '')), false
    );
  end loop;

  return query select received.reference, true;
end;
$$;

-- As before, but a complaint is open, whoever was identified.
create or replace function public.enter_request(
  request jsonb,
  channel text,
  received_on date,
  is_identified boolean,
  confirm_token_hash text,
  status_token_hash text,
  mail jsonb
) returns uuid
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  today date := (now() at time zone 'UTC')::date;
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
      enter_request.received_on::timestamp at time zone 'UTC',
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

-- As before, but never for a complaint.
create or replace function private.lock_subject(request_id uuid, allowed_states text[]) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform pg_advisory_xact_lock(hashtextextended(private.subject_key(kept.email), 0))
  from public.data_rights_requests as kept
  where kept.id = lock_subject.request_id;
  request := private.lock_request(request_id, allowed_states);
  if request.request_type = 'complaint' then
    raise exception 'a complaint proves nothing about who wrote it' using errcode = '55000';
  end if;
  return request;
end;
$$;

-- For somebody whom the limits of mail kept from being told that their complaint came, or who lost that mail.
create function public.resend_acknowledgement(request_id uuid, status_token_hash text, mail jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_request(request_id, array['open', 'in_progress']);
  perform private.require_type(request, array['complaint']);
  delete from private.data_rights_links as link where link.request_id = request.id;
  insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
  values (status_token_hash, request.id, 'status', null);
  perform private.record_request_event(request.id, 'admin', 'acknowledgement-resent', null);
  perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false);
end;
$$;

comment on function public.resend_acknowledgement(uuid, text, jsonb) is
  'Sends the acknowledgement of a complaint again, with a new status link given by the SHA-256 of its token. Raises 42501 '
  'for others than admins, P0002 for an unknown request, 55000 for a closed one or one of another type.';

revoke all on function public.resend_acknowledgement(uuid, text, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.resend_acknowledgement(uuid, text, jsonb) to authenticated;

alter table public.data_rights_events drop constraint data_rights_events_action_check;
alter table public.data_rights_events add constraint data_rights_events_action_check check (action in (
  'received', 'entered', 'confirmation-withheld', 'confirmed', 'confirmation-resent', 'acknowledgement-resent', 'taken-up',
  'noted', 'extended', 'exported', 'corrected', 'restricted', 'restriction-ending', 'restriction-kept', 'restriction-lifted',
  'handed-over', 'package-link-sent', 'fetched', 'completed', 'refused', 'withdrawn'
));

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122160000' $$;
