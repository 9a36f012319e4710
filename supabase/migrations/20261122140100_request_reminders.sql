-- The firm is told when a request is confirmed, and again 7 and 2 days before it is due; whoever has not confirmed gets a
-- second mail with new links 20 days after the first; whoever wants to fetch their data gets the link to it. What is due follows from the request, whatever was missed before:
-- deliver-outbox asks for it whenever it runs, writes the mail and queues it here.

alter table public.data_rights_requests
  -- The last of these mails that was queued.
  add column last_reminder text check (last_reminder in ('unconfirmed', 'confirmed', 'due-in-7-days', 'due-in-2-days')),
  -- When it was queued, or, of the mail to the requester, when the limits of mail last held it back.
  add column last_reminder_at timestamptz;

create index data_rights_requests_waiting on public.data_rights_requests (due_on) where closed_at is null;

-- The mail that a request is owed now, or null.
create function private.due_reminder(request public.data_rights_requests) returns text
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
    select request.due_on - (now() at time zone 'UTC')::date as days_left,
      case when request.extended_at > request.last_reminder_at then 'confirmed' else request.last_reminder end as reminder
  ) as seen
$$;

create function public.list_due_reminders()
returns table (request_id uuid, reminder text, request_type text, recipient text)
language sql stable security definer
set search_path = ''
as $$
  select request.id, due.reminder, request.request_type,
    case when due.reminder in ('unconfirmed', 'package-link') then request.email end
  from public.data_rights_requests as request
  cross join lateral private.due_reminder(request) as due (reminder)
  where due.reminder is not null and (
    request.closed_at is null
    or request.id in (select package.request_id from private.data_packages as package where package.link_wanted_at is not null)
  )
  -- The firm's own first; of the others any, so that none is always behind one that a limit holds back.
  order by due.reminder = 'unconfirmed', random()
  limit 20
$$;

comment on function public.list_due_reminders() is
  'Mails about requests that are owed now, at most twenty: {request_id, reminder, request_type, recipient}. reminder: '
  'unconfirmed and package-link go to the requester, at recipient; confirmed, due-in-7-days and due-in-2-days to the firm. Queue each '
  'with queue_reminder.';

create function public.queue_reminder(
  request_id uuid,
  reminder text,
  mail jsonb,
  confirm_token_hash text default null,
  status_token_hash text default null,
  acknowledgements_per_hour integer default null,
  package_token_hash text default null
) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  -- Of two workers the second finds that it is no longer owed.
  select * into request from public.data_rights_requests as kept where kept.id = queue_reminder.request_id for update;
  if not found or private.due_reminder(request) is distinct from queue_reminder.reminder then
    return false;
  end if;

  if reminder = 'package-link' then
    delete from private.data_rights_links as link where link.request_id = request.id and link.purpose = 'package';
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    select package_token_hash, request.id, 'package', package.available_until
    from private.data_packages as package where package.request_id = request.id;
    update private.data_packages as package set link_wanted_at = null where package.request_id = request.id;
    perform private.record_request_event(request.id, 'system', 'package-link-sent', null);
    perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false);
    return true;
  end if;

  if reminder = 'unconfirmed' then
    if private.withhold_acknowledgement(
      jsonb_build_array(mail || jsonb_build_object('kind', 'request-acknowledgement', 'recipient', request.email)),
      -- On nobody's behalf: a client of its own, so that the limits of the mailbox and of the site decide.
      jsonb_build_object('client', translate(rtrim(encode(sha256(uuid_send(request.id)), 'base64'), '='), '+/', '-_')),
      acknowledgements_per_hour
    ) is not null then
      update public.data_rights_requests as kept set last_reminder_at = now() where kept.id = request.id;
      return false;
    end if;
    delete from private.data_rights_links as link where link.request_id = request.id;
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    values
      (confirm_token_hash, request.id, 'confirm', private.confirmation_ends_at(request.due_on)),
      (status_token_hash, request.id, 'status', null);
    perform private.record_request_event(request.id, 'system', 'confirmation-resent', null);
    perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false);
  else
    perform private.queue_request_mail(request, 'request-firm', null, mail, false);
  end if;

  update public.data_rights_requests as kept
  set last_reminder = queue_reminder.reminder, last_reminder_at = now()
  where kept.id = request.id;
  return true;
end;
$$;

comment on function public.queue_reminder(uuid, text, jsonb, text, text, integer, text) is
  'Queues a mail {subject, body} that list_due_reminders named; false if it is no longer owed, or a limit holds it back for '
  'six hours. Links are given by the SHA-256 of their tokens: unconfirmed replaces all of the request, package-link its own.';

revoke all on function
  private.due_reminder(public.data_rights_requests), public.list_due_reminders(),
  public.queue_reminder(uuid, text, jsonb, text, text, integer, text)
  from public, anon, authenticated, service_role;
grant execute on function public.list_due_reminders(), public.queue_reminder(uuid, text, jsonb, text, text, integer, text)
  to service_role;

-- As before, but two more are not held: mail to the firm about a request, which names a reference and a day, and a duty that
-- is not restricted; and the link to data that was handed over, which is part of an answer.
create or replace function private.is_held(mail private.email_outbox) returns boolean
language sql stable
set search_path = ''
as $$
  select mail.kind not in ('request-answer', 'request-firm') and private.is_frozen(mail)
    and not exists (select 1 from private.data_packages as package where package.request_id = mail.request_id)
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122140100' $$;
