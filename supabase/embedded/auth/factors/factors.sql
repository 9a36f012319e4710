-- Tables of second factors, with GoTrue's own definitions, so that the migrations and move-to-supabase read one schema.
-- Runs at every start; safe to repeat.

create table if not exists auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type text not null check (factor_type = 'totp'),
  status text not null check (status in ('unverified', 'verified')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  secret text not null,
  last_challenged_at timestamptz
);
comment on column auth.mfa_factors.secret is 'Encrypted with a key that is not in the database (sealed-secret.ts).';
create index if not exists mfa_factors_user_id on auth.mfa_factors (user_id);

create table if not exists auth.mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at timestamptz not null default now()
);

-- Authentication methods of a session, and when each was last used: the claim `amr` of its tokens.
create table if not exists auth.mfa_amr_claims (
  session_id uuid not null references auth.sessions (id) on delete cascade,
  authentication_method text not null,
  updated_at timestamptz not null default now(),
  primary key (session_id, authentication_method)
);

-- RFC 6238, 5.2: a code is accepted only once. Time steps are 30 seconds.
create table if not exists embedded.used_steps (
  factor_id uuid primary key references auth.mfa_factors (id) on delete cascade,
  last_step bigint not null
);

-- Counted per session: a thief who has only the password cannot use up the attempts of the owner's session. The site
-- also counts per user, earlier.
create table if not exists embedded.wrong_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  entered_at timestamptz not null default now(),
  session_id uuid
);

-- Records an accepted code: verifies the factor, raises the session to AAL2 and ends the person's AAL1 sessions.
create or replace function embedded.reach_second_level(person uuid, session uuid, factor uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update auth.mfa_factors set status = 'verified', updated_at = now() where id = factor and status <> 'verified';
  delete from auth.mfa_factors where user_id = person and status = 'unverified';
  delete from auth.mfa_challenges where factor_id = factor;
  delete from embedded.wrong_codes where session_id = session;
  update auth.sessions set aal = 'aal2', factor_id = factor where id = session;
  insert into auth.mfa_amr_claims as claim (session_id, authentication_method) values (session, 'totp')
    on conflict (session_id, authentication_method) do update set updated_at = now();
  -- As GoTrue does, end the sessions that started with the password alone.
  delete from auth.sessions where user_id = person and aal::text = 'aal1';
end;
$$;

-- The migrations create the table; some databases lack them.
-- Returns true if a recovery or setup code was accepted in this session since its tokens were issued. The next tokens
-- then belong to a new session.
create or replace function embedded.is_session_due(session uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if to_regclass('private.factor_permits') is null then
    return false;
  end if;
  return exists (
    select from private.factor_permits as permit where permit.session_id = session and not permit.is_session_new
  );
end;
$$;

-- Continues a session under another id, with another refresh token, so that a copy of the old tokens is useless.
-- Called after a code was accepted (OWASP ASVS 7.2.4): continues the session as new_session with this refresh token and
-- deletes the old one.
create or replace function embedded.replace_session(old_session uuid, new_session uuid, refresh_token text) returns void
language plpgsql set search_path = '' as $$
begin
  insert into auth.sessions
    select (jsonb_populate_record(
      kept, jsonb_build_object('id', new_session, 'refreshed_at', now() at time zone 'UTC')
    )).*
    from auth.sessions as kept where kept.id = old_session;
  insert into auth.refresh_tokens (token, user_id, session_id)
    select refresh_token, session.user_id, session.id
    from auth.sessions as session where session.id = new_session;
  update auth.mfa_amr_claims as claim set session_id = new_session where claim.session_id = old_session;
  if embedded.is_session_due(old_session) then
    update private.factor_permits as permit set session_id = new_session, is_session_new = true
      where permit.session_id = old_session;
  end if;
  delete from auth.sessions where id = old_session;
end;
$$;
