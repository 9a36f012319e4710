-- When a request must be answered: the earlier of 30 days (the site's promise; spec, section 9) and one calendar month
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
--   unconfirmed         | open         | whoever has the e-mail    | the link in it, once, within 72 hours
--   open                | in_progress  | an admin                  |
--   open, in_progress   | completed    | an admin                  | a mail to the requester
--   unconfirmed, open,  | refused      | an admin                  | a reason, a mail to the requester
--   in_progress         |              |                           |
--   unconfirmed, open,  | withdrawn    | whoever has the e-mail    | the status link in it
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
  -- A day in UTC; moved once by an extension.
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
