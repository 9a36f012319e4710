-- The authentication service's tables and functions that our migrations use, for tests that do not start the service.
-- The real service creates all of them by its own migrations.

alter default privileges in schema auth grant all on tables to postgres;

create table auth.users (
  id uuid primary key,
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb
);

create table auth.audit_log_entries (
  id uuid primary key,
  payload json,
  created_at timestamptz
);

create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.factor_status as enum ('unverified', 'verified');

-- One row per sign-in; signing out deletes it. Only the GoTrue columns that matter here.
create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz,
  refreshed_at timestamp,
  user_agent text,
  not_after timestamptz,
  aal auth.aal_level,
  factor_id uuid
);
alter table auth.sessions enable row level security;

create table auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  status auth.factor_status not null,
  friendly_name text,
  factor_type text,
  created_at timestamptz,
  updated_at timestamptz,
  secret text
);
alter table auth.mfa_factors enable row level security;

create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
  )::uuid
$$;

create function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
  )
$$;

create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;
