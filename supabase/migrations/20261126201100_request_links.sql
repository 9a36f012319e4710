-- Secret links of data rights requests.

-- Functions for the holder of a link. Any caller with the publishable key may call them, so unknown, expired, forged and
-- malformed tokens, and those used more than an hour ago, all get the same result: no row. They return no name, address
-- or text that was typed, because a link can be forwarded.

-- Returns the id of the request that a token opens, or null. Every link expires some time after its request was closed,
-- so that an old mail opens nothing.
create function private.find_linked_request(token text, purpose text) returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  -- At least 32 random bytes in base64url. Skip the digest for anything else.
  if token is null or token !~ '^[A-Za-z0-9_-]{43,128}$' then
    return null;
  end if;
  return (
    select link.request_id
    from private.data_rights_links as link
    join public.data_rights_requests as request on request.id = link.request_id
    where link.token_hash = private.digest(find_linked_request.token)
      and link.purpose = find_linked_request.purpose
      and (
        (link.used_at is null and (link.expires_at is null or link.expires_at > now()))
        or link.used_at > now() - interval '1 hour'
      )
      and (request.closed_at is null or request.closed_at > now() - private.retention_period('status_links'))
  );
end;
$$;

-- Clears the suspicion: the person who confirms controls the address.
create function public.confirm_data_rights_request(token text) returns table (reference text)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  request public.data_rights_requests;
begin
  -- The first of several concurrent calls locks the row; the others wait here and then find it confirmed.
  select * into request
  from public.data_rights_requests
  where id = (select private.find_linked_request(confirm_data_rights_request.token, 'confirm')) and state = 'unconfirmed'
  for update;
  if not found then
    return;
  end if;
  update private.data_rights_links set used_at = now() where request_id = request.id and purpose = 'confirm';
  update public.data_rights_requests set state = 'open', confirmed_at = now(), quarantine_reason = null where id = request.id;
  perform private.record_request_event(request.id, 'requester', 'confirmed', null);
  return query select request.reference;
end;
$$;

comment on function public.confirm_data_rights_request is
  'Confirms the request of this token, once; no row if there was nothing to confirm.';
revoke all on function public.confirm_data_rights_request from public, anon, authenticated, service_role;
grant execute on function public.confirm_data_rights_request to anon, authenticated;

-- The link to confirm also shows the result of its button, for an hour: after a reload, Back or a second click. Its holder
-- read the same facts before pressing it.
create function public.find_data_rights_status(token text, purpose text default 'status')
returns table (
  reference text, request_type text, state text, received_at timestamptz, due_on date,
  confirmed_at timestamptz, extended_at timestamptz, closed_at timestamptz, package_until timestamptz
)
language sql stable security definer
set search_path = ''
as $$
  select
    request.reference, request.request_type, request.state, request.received_at, request.due_on,
    request.confirmed_at, request.extended_at, request.closed_at, package.available_until
  from public.data_rights_requests as request
  left join private.data_packages as package on package.request_id = request.id and package.available_until > now()
  where request.id = (select private.find_linked_request(token, purpose))
    and (purpose = 'status' or purpose = 'confirm' and (request.state = 'unconfirmed' or request.confirmed_at is not null))
$$;

comment on function public.find_data_rights_status is
  'Returns the progress of the request that this token opens, or no row. purpose: status, or confirm for the request that '
  'the token would confirm, in the state unconfirmed, or has confirmed within the last hour. The request may be withdrawn '
  'while closed_at is null. package_until: until when the data link may be requested, or null. Changes nothing, because '
  'mail scanners follow links.';
revoke all on function public.find_data_rights_status from public, anon, authenticated, service_role;
grant execute on function public.find_data_rights_status to anon, authenticated;

create function public.withdraw_data_rights_request(token text) returns table (reference text)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  request public.data_rights_requests;
begin
  select * into request
  from public.data_rights_requests
  where id = (select private.find_linked_request(withdraw_data_rights_request.token, 'status')) and closed_at is null
  for update;
  if not found then
    return;
  end if;
  update public.data_rights_requests set state = 'withdrawn', closed_at = now() where id = request.id;
  perform private.record_request_event(request.id, 'requester', 'withdrawn', null);
  return query select request.reference;
end;
$$;

comment on function public.withdraw_data_rights_request is
  'Closes the request of this token as withdrawn by the requester; no row if it is unknown or already closed.';
revoke all on function public.withdraw_data_rights_request from public, anon, authenticated, service_role;
grant execute on function public.withdraw_data_rights_request to anon, authenticated;

-- deliver-outbox sends the link. One sent within the last ten minutes may still be in transit.
create function public.request_package_link(token text) returns table (available_until timestamptz)
language sql security definer
set search_path = ''
as $$
  update private.data_packages as package
  set link_wanted_at = case
    when exists (
      select 1 from public.data_rights_events as event
      where event.request_id = package.request_id and event.action = 'package-link-sent'
        and private.is_recent(event.at, '10 minutes')
    ) then package.link_wanted_at
    else now()
  end
  where package.request_id = (select private.find_linked_request(token, 'status')) and package.available_until > now()
  returning package.available_until
$$;

comment on function public.request_package_link is
  'Requests that the data link be emailed to the person, at most once in ten minutes. Returns until when the data is '
  'available; no row when there is no data to download.';
revoke all on function public.request_package_link from public, anon, authenticated, service_role;
grant execute on function public.request_package_link to anon, authenticated;

create function public.find_package(token text) returns table (reference text, available_until timestamptz)
language sql stable security definer
set search_path = ''
as $$
  select request.reference, package.available_until
  from private.data_packages as package
  join public.data_rights_requests as request on request.id = package.request_id
  where package.request_id = (select private.find_linked_request(token, 'package')) and package.available_until > now()
$$;

comment on function public.find_package is
  'Returns the request whose data this token opens and until when it is available, or no row. Reveals none of the '
  'data, because mail scanners follow links.';
revoke all on function public.find_package from public, anon, authenticated, service_role;
grant execute on function public.find_package to anon, authenticated;

create function public.fetch_package(token text) returns table (content jsonb)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  package private.data_packages;
begin
  select * into package from private.data_packages as stored
  where stored.request_id = (select private.find_linked_request(fetch_package.token, 'package'))
    and stored.available_until > now();
  if not found then
    return;
  end if;
  perform private.record_request_event(package.request_id, 'requester', 'fetched', null);
  return query select package.content;
end;
$$;

comment on function public.fetch_package is
  'Returns the data package that this token opens, as export_subject_data created it, or no row. Logs the download.';
revoke all on function public.fetch_package from public, anon, authenticated, service_role;
grant execute on function public.fetch_package to anon, authenticated;
