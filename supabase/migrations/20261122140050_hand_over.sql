-- The person fetches their data by themselves: for seven days after an admin has handed it over, the status link offers to
-- send a second link by mail, and that one opens the data. So a status link that was forwarded shows nothing of it.

-- What was handed over, as it was then. Retention deletes it after the seven days.
create table private.data_packages (
  request_id uuid primary key references public.data_rights_requests (id) on delete cascade,
  content jsonb not null,
  available_until timestamptz not null default now() + interval '7 days',
  -- Since when the person has been waiting for the second link.
  link_wanted_at timestamptz
);
alter table private.data_packages enable row level security;
revoke all on table private.data_packages from public, anon, authenticated, service_role;

alter table private.data_rights_links drop constraint data_rights_links_purpose_check;
alter table private.data_rights_links drop constraint data_rights_links_check;
alter table private.data_rights_links add constraint data_rights_links_purpose_check
  check (purpose in ('confirm', 'status', 'package'));
alter table private.data_rights_links add constraint data_rights_links_check
  check ((purpose = 'status') = (expires_at is null));

create function public.hand_over_data(request_id uuid, note text, mail jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_subject(request_id, array['open', 'in_progress']);
  perform private.require_type(request, array['access', 'portability', 'other']);
  insert into private.data_packages (request_id, content)
  values (request.id, public.export_subject_data(request.id));
  perform private.record_request_event(request.id, 'admin', 'handed-over', null);
  perform private.close_request(
    request.id, array['open', 'in_progress'], 'completed', private.require_words(note), mail
  );
end;
$$;

comment on function public.hand_over_data(uuid, text, jsonb) is
  'Completes a request for access or portability (or an other request) as complete_request does, and lets the person fetch '
  'everything held about them, as export_subject_data gives it now. Errors as complete_request; 55000 for another type, 22023 '
  'without a note.';

create function public.find_package_offer(token text) returns table (available_until timestamptz)
language sql stable security definer
set search_path = ''
as $$
  select package.available_until
  from private.data_packages as package
  where package.request_id = (select private.find_linked_request(token, 'status')) and package.available_until > now()
$$;

comment on function public.find_package_offer(text) is
  'Until when the holder of this status link may have the link to the data mailed, or no row.';

-- deliver-outbox sends it. One that was sent within the last ten minutes is still on its way.
create function public.request_package_link(token text) returns table (available_until timestamptz)
language sql security definer
set search_path = ''
as $$
  update private.data_packages as package
  set link_wanted_at = case
    when exists (
      select 1 from public.data_rights_events as event
      where event.request_id = package.request_id and event.action = 'package-link-sent'
        and event.at > now() - interval '10 minutes'
    ) then package.link_wanted_at
    else now()
  end
  where package.request_id = (select private.find_linked_request(token, 'status')) and package.available_until > now()
  returning package.available_until
$$;

comment on function public.request_package_link(text) is
  'Has the link to the data mailed to its person, once in ten minutes at most; no row where there is nothing to fetch.';

create function public.find_package(token text) returns table (reference text, available_until timestamptz)
language sql stable security definer
set search_path = ''
as $$
  select request.reference, package.available_until
  from private.data_packages as package
  join public.data_rights_requests as request on request.id = package.request_id
  where package.request_id = (select private.find_linked_request(token, 'package')) and package.available_until > now()
$$;

comment on function public.find_package(text) is
  'The request whose data this token opens, and until when, or no row. Shows nothing of the data: programs follow links.';

create function public.fetch_package(token text) returns table (content jsonb)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  package private.data_packages;
begin
  select * into package from private.data_packages as kept
  where kept.request_id = (select private.find_linked_request(fetch_package.token, 'package'))
    and kept.available_until > now();
  if not found then
    return;
  end if;
  perform private.record_request_event(package.request_id, 'requester', 'fetched', null);
  return query select package.content;
end;
$$;

comment on function public.fetch_package(text) is
  'The data package that this token opens, as export_subject_data gave it, or no row; says so in the log.';

revoke all on function
  public.hand_over_data(uuid, text, jsonb), public.find_package_offer(text), public.request_package_link(text),
  public.find_package(text), public.fetch_package(text)
  from public, anon, authenticated, service_role;
grant execute on function public.hand_over_data(uuid, text, jsonb) to authenticated;
grant execute on function
  public.find_package_offer(text), public.request_package_link(text), public.find_package(text), public.fetch_package(text)
  to anon, authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122140050' $$;
