-- What the holder of a link may see and do. Everything here is for anybody with the publishable key, so it answers one
-- way only to whatever is unknown, expired, used, forged or misshapen: with no row. None of it shows a name, an address
-- or a word that was typed: a link can be forwarded.

-- The request that a token opens, or null. Every link ends a while after its request was closed: whoever finds an old
-- mail should find nothing behind it.
create function private.find_linked_request(token text, purpose text) returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  -- 32 random bytes or more in base64url; nothing else is worth a digest.
  if token is null or token !~ '^[A-Za-z0-9_-]{43,128}$' then
    return null;
  end if;
  return (
    select link.request_id
    from private.data_rights_links as link
    join public.data_rights_requests as request on request.id = link.request_id
    where link.token_hash = private.digest(find_linked_request.token)
      and link.purpose = find_linked_request.purpose
      and link.used_at is null
      and (link.expires_at is null or link.expires_at > now())
      and (request.closed_at is null or request.closed_at > now() - private.retention_period('status_links'))
  );
end;
$$;

revoke all on function private.find_linked_request(text, text) from public, anon, authenticated, service_role;

create function public.find_data_rights_confirmation(token text)
returns table (reference text, request_type text, received_at timestamptz, due_on date)
language sql stable security definer
set search_path = ''
as $$
  select request.reference, request.request_type, request.received_at, request.due_on
  from public.data_rights_requests as request
  where request.id = (select private.find_linked_request(token, 'confirm')) and request.state = 'unconfirmed'
$$;

comment on function public.find_data_rights_confirmation(text) is
  'The request that this token would confirm, or no row. Changes nothing: programs that check mail follow links.';

create function public.confirm_data_rights_request(token text)
returns table (reference text, request_type text, received_at timestamptz, due_on date)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  request public.data_rights_requests;
begin
  -- Of several at once the first takes the row; the others wait here, and then find it confirmed.
  select * into request
  from public.data_rights_requests
  where id = (select private.find_linked_request(confirm_data_rights_request.token, 'confirm')) and state = 'unconfirmed'
  for update;
  if not found then
    return;
  end if;
  update private.data_rights_links set used_at = now() where request_id = request.id and purpose = 'confirm';
  update public.data_rights_requests set state = 'open', confirmed_at = now() where id = request.id;
  perform private.record_request_event(request.id, 'requester', 'confirmed', null);
  return query select request.reference, request.request_type, request.received_at, request.due_on;
end;
$$;

comment on function public.confirm_data_rights_request(text) is
  'Confirms the request of this token, once, and answers as find_data_rights_confirmation did before; no row if there '
  'was nothing to confirm.';

create function public.find_data_rights_status(token text)
returns table (
  reference text, request_type text, state text, received_at timestamptz, due_on date,
  confirmed_at timestamptz, extended_at timestamptz, closed_at timestamptz
)
language sql stable security definer
set search_path = ''
as $$
  select
    request.reference, request.request_type, request.state, request.received_at, request.due_on,
    request.confirmed_at, request.extended_at, request.closed_at
  from public.data_rights_requests as request
  where request.id = (select private.find_linked_request(token, 'status'))
$$;

comment on function public.find_data_rights_status(text) is
  'How far the request of this token is, or no row. It may be withdrawn while closed_at is null.';

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

comment on function public.withdraw_data_rights_request(text) is
  'Closes the request of this token at the requester''s wish; no row if it is unknown or closed already.';

revoke all on function
  public.find_data_rights_confirmation(text), public.confirm_data_rights_request(text),
  public.find_data_rights_status(text), public.withdraw_data_rights_request(text)
  from public, anon, authenticated, service_role;
grant execute on function
  public.find_data_rights_confirmation(text), public.confirm_data_rights_request(text),
  public.find_data_rights_status(text), public.withdraw_data_rights_request(text)
  to anon, authenticated;
