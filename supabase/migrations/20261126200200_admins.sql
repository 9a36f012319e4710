-- Admins: the role, the check that every function of the admin area makes, and the log of admin actions.

-- One row per user and role. Everyone without a row is a visitor.
create table public.user_roles (
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('admin')),
  granted_at timestamptz not null default now(),
  primary key (user_id, role)
);
alter table public.user_roles enable row level security;

-- A Supabase project's default privileges grant every new table to all roles. No table keeps a grant: every caller, the
-- secret key's too, uses functions, which check and log. grant_named_admin and the links of invitations grant the role.
revoke all on table public.user_roles from public, anon, authenticated, service_role;

-- Returns the step that the caller must still take to reach the admin area. SECURITY DEFINER, because signed-in users
-- may not read the sessions and factors of the authentication service. Signing out ends an admin's rights immediately:
-- the access token stays valid until it expires, but its session row is gone. When a second factor is required, this
-- session's factor must be trusted, and enrolling one takes a permit.
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
  from public.user_roles as user_role
  join auth.sessions as own on own.user_id = user_role.user_id
  where user_role.user_id = caller and user_role.role = 'admin'
    and own.id = nullif(auth.jwt() ->> 'session_id', '')::uuid
    and (own.not_after is null or own.not_after > now());
  if not found then
    return 'none';
  end if;
  has_factor := exists (select from auth.mfa_factors where user_id = caller and status = 'verified');
  -- Check both the token and the current session: a removed factor no longer counts.
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

comment on function public.admin_standing is
  'Returns none (not an admin, or no session), challenge (this session has not used the second factor yet), setup (a '
  'second factor is required; the caller must first enter a setup code or recovery code), enrol (required; the caller '
  'has none and may enroll one), or admin (no step is missing).';
revoke all on function public.admin_standing from public, anon, authenticated, service_role;
grant execute on function public.admin_standing to authenticated;

-- Every function of the admin area calls this first. Returns the caller's id. Raises 42501 for everyone but admins.
create function private.require_admin() returns uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  if public.admin_standing() <> 'admin' then
    raise exception 'only admins may do this' using errcode = '42501';
  end if;
  return auth.uid();
end;
$$;

-- Makes a log append-only: an editable log proves nothing. Unlike a grant, this also stops the owner's own scripts.
-- Erasure and retention must still delete; their functions enable it for their own transaction:
--   perform pg_catalog.set_config('private.erases_log', 'on', true); delete …; and back to 'off'.
-- The setting guards against accidents, not attackers, who have no right to delete anyway. It cannot be in those
-- functions' SET clause, because hosted projects refuse custom settings there.
create function private.keep_log() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and current_setting('private.erases_log', true) = 'on' then
    return null;
  end if;
  raise exception '% is only ever added to', tg_table_name using errcode = '42501';
end;
$$;

-- Logs every action of an admin: who, what and when. An entry never identifies the sender of a message and has no
-- foreign key to it, because the entry about a deletion must outlive the message.
create table public.admin_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Null for the operator at the command line, and for a link in an email, whose reader is not signed in.
  actor uuid,
  action text not null check (action ~ '^[a-z_-]{1,40}$'),
  submission_id uuid,
  -- State that the change replaced, so that undo_submission_change can restore it. Null for a change without undo.
  replaced jsonb,
  -- An email address, because an invited person has no account yet, and because the entry outlives the account.
  person text check (char_length(person) <= 255),
  -- Number of people that the action reached; null for other actions.
  people_count integer
);
alter table public.admin_events enable row level security;
revoke all on table public.admin_events from public, anon, authenticated, service_role;
revoke all on sequence public.admin_events_id_seq from public, anon, authenticated, service_role;

create trigger keep_log before update or delete or truncate on public.admin_events
  for each statement execute function private.keep_log();

create index admin_events_actor on public.admin_events (actor, id);

create index admin_events_person on public.admin_events (person, id) where person is not null;

-- Optimistic locking: two admins open the same page, and the first changes what the second still sees. Each form
-- therefore submits the version that its page showed, and every change increments it. A change based on an outdated
-- version is rejected, and the page asks for confirmation.
--
-- The version arrives in the request header x-seen-version. Each function that changes a row compares it when it locks
-- the row. Returns true when the header equals this version, or is absent.
create function private.saw(version bigint) returns boolean
language sql stable
set search_path = ''
as $$
  select coalesce(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-seen-version' = version::text, true)
$$;

-- Raises PT409 when the caller saw another version.
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

create function private.count_version() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
