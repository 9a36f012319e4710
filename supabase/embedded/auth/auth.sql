-- Tables of the sign-in service, with GoTrue's names and types, as far as the service and the migrations use them, and
-- the record of migrations of a Supabase project. Runs at every start; safe to repeat. Only the superuser has rights in
-- these schemas beside the three functions, which tell policies and functions who calls.

create schema if not exists auth;
create schema if not exists supabase_migrations;

create table if not exists supabase_migrations.schema_migrations (
  version text primary key,
  statements text[],
  name text
);

-- Those who may sign in. Addresses are in lower case; the password is a bcrypt hash, or null. Creating one is for the
-- operator and for edge functions with the secret key.
create table if not exists auth.users (
  id uuid primary key,
  aud text not null default 'authenticated',
  role text not null default 'authenticated' check (role = 'authenticated'),
  email text not null unique check (email = lower(email)),
  encrypted_password text,
  email_confirmed_at timestamptz,
  confirmed_at timestamptz generated always as (email_confirmed_at) stored,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A row for each sign-in that lasts. Deleting it signs the browser out: every policy looks for it. not_after is kept by
-- the trigger limit_session (sessions.sql), refreshed_at is UTC.
create table if not exists auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  refreshed_at timestamp,
  not_after timestamptz,
  user_agent text,
  aal text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  factor_id uuid
);
create index if not exists sessions_user_id on auth.sessions (user_id);

-- The tokens that renew a session. A used one stays, revoked, so that its next use can be told from an unknown one.
create table if not exists auth.refresh_tokens (
  token text primary key,
  user_id uuid not null,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  revoked boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index if not exists refresh_tokens_session_id on auth.refresh_tokens (session_id);

-- GoTrue's log of sign-ins, which the migrations read. Empty here: last_sign_in_at is exact.
create table if not exists auth.audit_log_entries (
  id uuid primary key,
  payload json,
  created_at timestamptz
);

create or replace function auth.jwt() returns jsonb language sql stable as
  $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;
create or replace function auth.uid() returns uuid language sql stable as
  $$ select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
create or replace function auth.role() returns text language sql stable as
  $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role' $$;
