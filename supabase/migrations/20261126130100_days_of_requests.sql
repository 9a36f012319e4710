-- Data rights requests are received, due, confirmed and overdue by the firm's days instead of UTC's. Nothing else changes.
create or replace function private.confirm_by(due_on date) returns date
language sql stable
as $$ select greatest(due_on, private.today() + 3) $$;

create or replace function private.confirmation_ends_at(due_on date) returns timestamptz
language sql stable
set search_path = ''
as $$ select private.start_of_day(private.confirm_by(due_on) + 1) $$;

create or replace function private.count_overdue_requests() returns bigint
language plpgsql stable
set search_path = ''
as $$
begin
  return (
    select count(*) from public.data_rights_requests as request
    where request.closed_at is null and request.state in ('open', 'in_progress')
      and request.due_on < private.today()
  );
end;
$$;

create or replace function private.due_reminder(request public.data_rights_requests) returns text
language sql stable
set search_path = ''
as $$
  select case
    when exists (
      select 1 from private.data_packages as package
      where package.request_id = request.id and package.link_wanted_at is not null and package.available_until > now()
    ) then 'package-link'
    when request.closed_at is not null then null
    when request.state = 'unconfirmed' then case
      -- With five days left for limits and mail servers before the twenty-fifth.
      when request.last_reminder is null and request.received_at <= now() - interval '20 days'
        and coalesce(request.last_reminder_at <= now() - interval '6 hours', true)
        then 'unconfirmed'
    end
    when coalesce(request.last_reminder, 'unconfirmed') = 'unconfirmed' then 'confirmed'
    -- An extension moves the due date, and the firm is reminded of the new one.
    when seen.days_left <= 2 and (seen.reminder <> 'due-in-2-days') then 'due-in-2-days'
    when seen.days_left between 3 and 7 and seen.reminder = 'confirmed' then 'due-in-7-days'
  end
  from (
    select request.due_on - private.today() as days_left,
      case when request.extended_at > request.last_reminder_at then 'confirmed' else request.last_reminder end as reminder
  ) as seen
$$;

create or replace function private.show_request(request public.data_rights_requests) returns jsonb
language sql stable
set search_path = ''
as $$
  select to_jsonb(request) || jsonb_build_object(
    'is_overdue', request.closed_at is null and request.due_on < private.today()
  )
$$;

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

create or replace function public.extend_request(request_id uuid, reason text, mail jsonb) returns date
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_request(request_id, array['open', 'in_progress']);
  if request.extended_at is not null then
    raise exception 'a request is extended once' using errcode = '55000';
  end if;
  if private.today() >= request.due_on then
    raise exception 'a request is extended before it is due' using errcode = '55000';
  end if;
  update public.data_rights_requests as kept
  set extended_at = now(),
    extension_reason = private.require_words(reason),
    due_on = private.data_rights_extended_to(private.local_day(kept.received_at))
  where kept.id = request.id
  returning * into request;
  perform private.record_request_event(request.id, 'admin', 'extended', request.extension_reason);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return request.due_on;
end;
$$;

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

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126130100' $$;
