-- When a request must be answered: the earlier of 30 days (the site's promise; REQUIREMENTS 5.4) and one calendar month
-- (GDPR, article 12(3)). PostgreSQL's month ends where a shorter month ends, as the law's does.
create function private.data_rights_due_on(received_on date) returns date
language sql immutable
as $$ select least(received_on + 30, (received_on + interval '1 month')::date) $$;

-- The furthest that an extension reaches: the earlier of 90 days and three calendar months, both from receipt.
create function private.data_rights_extended_to(received_on date) returns date
language sql immutable
as $$ select least(received_on + 90, (received_on + interval '3 months')::date) $$;

-- Eight characters, none of which is taken for another: DR-7K2M-9QXW. It names a request and opens nothing.
create function private.new_request_reference() returns text
language sql volatile
set search_path = ''
as $$
  select 'DR-' || string_agg(
    substr('23456789ABCDEFGHJKMNPQRSTVWXYZ', get_byte(bytes, place) % 30 + 1, 1) || case place when 3 then '-' else '' end,
    '' order by place
  )
  -- The first eight bytes of the digest: a UUID's own bytes are not all random.
  from (select sha256(uuid_send(gen_random_uuid())) as bytes) as random, generate_series(0, 7) as place
$$;

revoke all on function
  private.data_rights_due_on(date), private.data_rights_extended_to(date), private.new_request_reference()
  from public, anon, authenticated, service_role;

-- What people ask of the firm about their data. A request moves along these lines and no others:
--
--   from                | to           | by                        | needs
--   --------------------|--------------|---------------------------|------------------------------------
--   (nothing)           | unconfirmed  | anybody, with the form    |
--   unconfirmed         | open         | whoever has the email     | the link in it, once, within 72 hours
--   open                | in_progress  | an admin                  |
--   open, in_progress   | completed    | an admin                  | a mail to the requester
--   unconfirmed, open,  | refused      | an admin                  | a reason, a mail to the requester
--   in_progress         |              |                           |
--   unconfirmed, open,  | withdrawn    | whoever has the email     | the status link in it
--   in_progress         |              |                           |
--   open, in_progress   | (erased)     | an admin, with all data   | erasure, objection or other; a last mail
--   unconfirmed         | (deleted)    | retention                 | 30 days after it was due
--   completed, refused, | (deleted)    | retention                 | three years after it was closed
--   withdrawn           |              |                           |
--
-- An unconfirmed request proves nothing about who wrote it: nothing is given out, changed or erased for it. An admin
-- may send its confirmation again.
create table public.data_rights_requests (
  id uuid primary key default gen_random_uuid(),
  reference text not null unique check (reference ~ '^DR-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$'),
  request_type text not null
    check (request_type in ('access', 'rectification', 'erasure', 'portability', 'restrict', 'object', 'other')),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 1 and 255),
  description text not null check (char_length(description) between 1 and 5000),
  state text not null default 'unconfirmed'
    check (state in ('unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn')),
  received_at timestamptz not null default now(),
  -- A day; moved once by an extension.
  due_on date not null,
  extended_at timestamptz,
  extension_reason text check (char_length(extension_reason) between 1 and 2000),
  confirmed_at timestamptz,
  closed_at timestamptz,
  -- Since when the person has had the use of their data restricted; this request is part of that data.
  frozen_at timestamptz,
  quarantine_reason text check (quarantine_reason ~ '^[a-z-]{1,40}$'),
  check ((extended_at is null) = (extension_reason is null)),
  check ((closed_at is null) = (state in ('unconfirmed', 'open', 'in_progress'))),
  check (state <> 'unconfirmed' or confirmed_at is null),
  check (state not in ('open', 'in_progress', 'completed') or confirmed_at is not null)
);

create index data_rights_requests_subject on public.data_rights_requests (lower(btrim(email)));

alter table public.data_rights_requests enable row level security;
revoke all on table public.data_rights_requests from public, anon, authenticated, service_role;
grant select on table public.data_rights_requests to authenticated;

create policy "admins read requests" on public.data_rights_requests
  for select to authenticated
  using ((select public.is_admin()) and frozen_at is null);

-- The secret links of a request. Only digests: a reader of this table can open nothing.
create table private.data_rights_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  request_id uuid not null references public.data_rights_requests (id) on delete cascade,
  purpose text not null check (purpose in ('confirm', 'status')),
  -- A status link has no time of its own: it ends 90 days after its request was closed (private.retention_periods).
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
    'received', 'confirmation-withheld', 'confirmed', 'confirmation-resent', 'taken-up', 'noted', 'extended', 'exported',
    'restricted', 'restriction-lifted', 'completed', 'refused', 'withdrawn'
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
