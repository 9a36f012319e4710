-- The secret links of a request. Only digests: whoever reads this table can open nothing.
create table private.data_rights_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  request_id uuid not null references public.data_rights_requests (id) on delete cascade,
  purpose text not null check (purpose in ('confirm', 'status')),
  -- The status link lasts as long as its request.
  expires_at timestamptz check ((purpose = 'confirm') = (expires_at is not null)),
  used_at timestamptz,
  unique (request_id, purpose)
);

-- Everything that happened to a request: who, when, what and why.
create table public.data_rights_events (
  id bigint generated always as identity primary key,
  request_id uuid not null references public.data_rights_requests (id) on delete cascade,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('requester', 'admin', 'system')),
  actor uuid check ((actor_kind = 'admin') = (actor is not null)),
  action text not null check (action in (
    'received', 'confirmed', 'confirmation-resent', 'taken-up', 'noted', 'extended', 'exported', 'restricted',
    'restriction-lifted', 'completed', 'refused', 'withdrawn'
  )),
  note text check (char_length(note) between 1 and 2000)
);
create index data_rights_events_request on public.data_rights_events (request_id, id);

-- What remains of a person after erasure: that it was done, when, by whom, and how much there was. The digest answers
-- "did you erase me?" for whoever names the address.
create table private.erasure_tombstones (
  id uuid primary key default gen_random_uuid(),
  reference text not null,
  email_hash text not null check (email_hash ~ '^[0-9a-f]{64}$'),
  counts jsonb not null,
  erased_at timestamptz not null default now(),
  erased_by uuid not null
);
create index erasure_tombstones_subject on private.erasure_tombstones (email_hash);

alter table private.data_rights_links enable row level security;
alter table public.data_rights_events enable row level security;
alter table private.erasure_tombstones enable row level security;
revoke all on table private.data_rights_links, public.data_rights_events, private.erasure_tombstones
  from public, anon, authenticated, service_role;
revoke all on sequence public.data_rights_events_id_seq from public, anon, authenticated, service_role;
grant select on table public.data_rights_events to authenticated;

-- The inner query is under the policy of its own table: what happened to a frozen request is as hidden as it is.
create policy "admins read what happened to requests" on public.data_rights_events
  for select to authenticated
  using (
    (select public.is_admin())
    and exists (select 1 from public.data_rights_requests as request where request.id = request_id)
  );

create trigger keep_log before update or delete on public.data_rights_events
  for each row execute function private.keep_log();
create trigger keep_log_whole before truncate on public.data_rights_events
  for each statement execute function private.keep_log();

-- SHA-256 in hexadecimal, of a token or of an address.
create function private.digest(secret text) returns text
language sql immutable
set search_path = ''
as $$ select encode(sha256(convert_to(secret, 'UTF8')), 'hex') $$;

-- Adds to a request's log; an admin is the caller.
create function private.record_request_event(request_id uuid, actor_kind text, action text, note text) returns void
language sql volatile
set search_path = ''
as $$
  insert into public.data_rights_events (request_id, actor_kind, actor, action, note)
  values (request_id, actor_kind, case when actor_kind = 'admin' then auth.uid() end, action, note)
$$;

revoke all on function private.digest(text), private.record_request_event(uuid, text, text, text)
  from public, anon, authenticated, service_role;
