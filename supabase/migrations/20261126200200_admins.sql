-- Admins: the role, the question every policy asks, the log of what admins do.

-- One row a person and role. Everybody else is a visitor.
create table public.user_roles (
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('admin')),
  granted_at timestamptz not null default now(),
  primary key (user_id, role)
);
alter table public.user_roles enable row level security;

-- A project's default privileges hand every new table to everybody: take all of it back, then give what is needed.
revoke all on table public.user_roles from public, anon, authenticated, service_role;
grant select on table public.user_roles to authenticated;

-- Only the function bootstrap-admin grants a role, with the secret key.
grant select, insert, update, delete on table public.user_roles to service_role;

-- Wrapped in a select, auth.uid() is asked once a query instead of once a row.
create policy "people read their own roles" on public.user_roles
  for select to authenticated
  using (user_id = (select auth.uid()));

-- The step that is left between the caller and the admin area. SECURITY DEFINER, because a signed-in user may not read the sessions and
-- factors of the authentication service. Signing out ends an admin's rights at once: an access token stays valid until it expires, but its
-- session is gone. Where a factor is required, the one of this session must be trusted, and one may be set up only with a permit.
create function public.admin_standing() returns text
language plpgsql stable security definer
set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  session auth.sessions;
  has_factor boolean;
begin
  select own.* into session
  from public.user_roles as held
  join auth.sessions as own on own.user_id = held.user_id
  where held.user_id = caller and held.role = 'admin'
    and own.id = nullif(auth.jwt() ->> 'session_id', '')::uuid
    and (own.not_after is null or own.not_after > now());
  if not found then
    return 'none';
  end if;
  has_factor := exists (select from auth.mfa_factors where user_id = caller and status = 'verified');
  -- In the token, and in the session as it is now: a factor that was taken away no longer counts.
  if has_factor and (coalesce(auth.jwt() ->> 'aal', '') <> 'aal2' or session.aal::text is distinct from 'aal2') then
    return 'challenge';
  end if;
  if exists (select from private.second_factor_rule) then
    if has_factor then
      if not exists (select from private.trusted_factors as trusted where trusted.factor_id = session.factor_id) then
        return 'setup';
      end if;
    else
      return case when private.has_factor_permit(session.id) then 'enrol' else 'setup' end;
    end if;
  end if;
  return 'admin';
end;
$$;

comment on function public.admin_standing() is
  'none: no admin, or no session. challenge: the second factor has not been used in this session. setup: one is required, '
  'and the caller has to enter a setup code or recovery code first. enrol: one is required, the caller has none, and may set one up. '
  'admin: nothing is missing.';
revoke all on function public.admin_standing() from public, anon, authenticated, service_role;
grant execute on function public.admin_standing() to authenticated, service_role;

-- The one question every policy asks about a person.
create function public.is_admin() returns boolean
language sql stable security definer
set search_path = ''
as $$ select public.admin_standing() = 'admin' $$;

comment on function public.is_admin() is
  'Whether the caller is an admin in a session that lasts, with the second factor used where one is set up, and set up '
  'where one is required. False for everybody else.';
revoke all on function public.is_admin() from public, anon, authenticated, service_role;
grant execute on function public.is_admin() to authenticated, service_role;

-- Every function of the admin begins with this question.
create function private.require_admin() returns uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  if not public.is_admin() then
    raise exception 'only admins may do this' using errcode = '42501';
  end if;
  return auth.uid();
end;
$$;

comment on function private.require_admin() is 'The caller''s id. Raises 42501 unless the caller is an admin.';
revoke all on function private.require_admin() from public, anon, authenticated, service_role;

-- A log that can be edited proves nothing: this stops the owner's own scripts, too, which no grant does. Deleting must
-- remain possible for erasure and retention, whose functions say so for their own transaction:
--   perform pg_catalog.set_config('private.erases_log', 'on', true); delete …; and back to 'off'.
-- The setting guards against accidents, not attackers; those have no right to delete in the first place. It cannot
-- stand in those functions' SET clause, where hosted projects refuse settings of one's own.
create function private.keep_log() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and current_setting('private.erases_log', true) = 'on' then
    return old;
  end if;
  raise exception '% is only ever added to', tg_table_name using errcode = '42501';
end;
$$;
revoke all on function private.keep_log() from public, anon, authenticated, service_role;

-- The log of admins: who did what, and when. It never says whose message it was, and has no foreign key to the message: the entry about
-- its deletion must outlive it.
create table public.admin_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Null: the operator, at the command line, or the reader of a mail's link, who is not signed in.
  actor uuid,
  action text not null check (action ~ '^[a-z_-]{1,40}$'),
  submission_id uuid,
  -- An email address: somebody who is invited has no account yet, and the entry outlives an account.
  person text check (char_length(person) <= 255)
);
alter table public.admin_events enable row level security;
revoke all on table public.admin_events from public, anon, authenticated, service_role;
revoke all on sequence public.admin_events_id_seq from public, anon, authenticated, service_role;
grant select on table public.admin_events to authenticated;

create policy "admins read what admins did" on public.admin_events
  for select to authenticated
  using ((select public.is_admin()));

create trigger keep_log before update or delete on public.admin_events
  for each row execute function private.keep_log();

create trigger keep_log_whole before truncate on public.admin_events
  for each statement execute function private.keep_log();

create index admin_events_actor on public.admin_events (actor, id);

create index admin_events_person on public.admin_events (person, id) where person is not null;

-- Two people at the firm open the same page, and the first changes what the second still sees. So each form says what its page showed,
-- by a version that goes up with each change. A change of something that has changed meanwhile is refused, and the page asks again.
--
-- The version comes in the header x-seen-version of the call. Each function that changes something compares it where it locks the row.
-- A call without the header is not held to a version.
create function private.saw(version bigint) returns boolean
language sql stable
set search_path = ''
as $$
  select coalesce(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-seen-version' = version::text, true)
$$;

comment on function private.saw(bigint) is 'Whether the caller saw this version, by the header x-seen-version; true without the header.';
revoke all on function private.saw(bigint) from public, anon, authenticated, service_role;

create function private.require_seen(version bigint) returns void
language plpgsql stable
set search_path = ''
as $$
begin
  if not private.saw(version) then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
end;
$$;

comment on function private.require_seen(bigint) is 'Raises PT409 where the caller saw another version.';
revoke all on function private.require_seen(bigint) from public, anon, authenticated, service_role;

create function private.count_version() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
revoke all on function private.count_version() from public, anon, authenticated, service_role;
