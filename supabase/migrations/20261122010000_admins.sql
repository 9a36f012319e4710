-- Who may do what beyond visiting: one row a person and role.
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

-- The one question every policy asks about a person. SECURITY DEFINER, because a signed-in user may not read the
-- sessions and factors of the authentication service. Signing out ends an admin's rights at once: an access token stays
-- valid until it expires, but its session is gone.
create function public.is_admin() returns boolean
language plpgsql stable security definer
set search_path = ''
as $$
declare
  has_second_factor boolean;
begin
  if not exists (
    select 1 from public.user_roles as held
    join auth.sessions as session on session.user_id = held.user_id
    where held.user_id = (select auth.uid()) and held.role = 'admin'
      and session.id = (select nullif(auth.jwt() ->> 'session_id', '')::uuid)
      and (session.not_after is null or session.not_after > now())
  ) then
    return false;
  end if;
  -- The embedded backend has no second factors, hence no such table, hence the dynamic query.
  if to_regclass('auth.mfa_factors') is null then
    return true;
  end if;
  execute 'select exists (select 1 from auth.mfa_factors where user_id = (select auth.uid()) and status = ''verified'')'
    into has_second_factor;
  -- A user with a second factor must have used it in this session: a stolen password alone is not enough.
  return not has_second_factor or coalesce(auth.jwt() ->> 'aal', '') = 'aal2';
end;
$$;

comment on function public.is_admin() is
  'Whether the caller is an admin in a session that lasts, with the second factor used where one is set up. False for everybody else.';

revoke all on function public.is_admin() from public, anon, authenticated, service_role;
grant execute on function public.is_admin() to authenticated, service_role;

-- What only functions touch. The schema is not among those the API exposes, and nobody may use it.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;

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

revoke all on function private.require_admin(), private.keep_log() from public, anon, authenticated, service_role;

-- What admins did to messages: who, when and what, never whose. Without a reference to the message, because the entry
-- that tells of its deletion must outlive it.
create table public.admin_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor uuid not null,
  action text not null check (action ~ '^[a-z_-]{1,40}$'),
  submission_id uuid
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
