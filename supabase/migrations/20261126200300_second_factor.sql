-- Second factors: the rule that requires one, recovery codes and setup codes.

-- Once an admin has a second factor, the password alone grants no access. When the firm requires one, a user without it
-- has no admin rights. The authentication service verifies the codes. This file adds what that service lacks: whether a
-- factor is required, who may enroll one in that case, and recovery codes.

-- Holds one row when every admin must have a second factor, otherwise none.
create table private.second_factor_rule (
  is_required boolean primary key default true check (is_required)
);

-- Each code removes the second factor once, for a person who lost their device. SHA-256 in hexadecimal.
create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  primary key (user_id, digest)
);

-- Attempts with recovery and setup codes in the last 15 minutes. They count per session, so that a thief who has the
-- password cannot use up the owner's attempts. Codes have 128 bits, so no stricter limit is needed.
create table private.second_factor_attempts (
  user_id uuid not null references auth.users (id) on delete cascade,
  attempted_at timestamptz not null default now(),
  session_id uuid
);

create index second_factor_attempts_user_id on private.second_factor_attempts (user_id);

-- Counts an attempt. Returns false when the person has used up five attempts in 15 minutes in this session.
create function private.count_second_factor_attempt(person uuid, session uuid) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  -- Without the lock, two concurrent calls would both count as the fifth attempt.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('second-factor ' || person::text, 0));
  delete from private.second_factor_attempts where attempted_at < now() - interval '15 minutes';
  if (select count(*) from private.second_factor_attempts where user_id = person and session_id = session) >= 5 then
    return false;
  end if;
  insert into private.second_factor_attempts (user_id, session_id) values (person, session);
  return true;
end;
$$;

-- Ten new codes replace all older ones. They are shown once; the database keeps only their digests. They have 128 bits,
-- and from 112 bits on a plain digest is enough (OWASP ASVS 5, 6.5.2). Shorter codes would need a salted, slow hash,
-- which one wrong guess would compute once for each of a person's ten codes.
create function public.create_recovery_codes() returns text[]
language plpgsql security definer
set search_path = ''
as $$
declare
  codes text[];
begin
  perform private.require_admin();
  if auth.jwt() ->> 'aal' is distinct from 'aal2' then
    raise exception 'recovery codes are for those who have a second factor' using errcode = '42501';
  end if;
  -- A version 4 UUID has only 122 random bits, so each code takes two.
  select array_agg(substr(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'), 1, 32))
  into codes from generate_series(1, 10);
  delete from private.recovery_codes where user_id = auth.uid();
  insert into private.recovery_codes (user_id, digest)
  select auth.uid(), encode(sha256(convert_to(code, 'UTF8')), 'hex') from unnest(codes) as code;
  return codes;
end;
$$;

comment on function public.create_recovery_codes is
  'Replaces the caller''s recovery codes with ten of 32 hexadecimal digits and returns them. Raises 42501 unless the '
  'caller is an admin who has used a second factor in this session.';
revoke all on function public.create_recovery_codes from public, anon, authenticated, service_role;
grant execute on function public.create_recovery_codes to authenticated;

create function public.count_recovery_codes() returns integer
language sql stable security definer
set search_path = ''
as $$ select count(*)::integer from private.recovery_codes where user_id = auth.uid() $$;

comment on function public.count_recovery_codes is 'Returns how many recovery codes the caller has left.';
revoke all on function public.count_recovery_codes from public, anon, authenticated, service_role;
grant execute on function public.count_recovery_codes to authenticated;

-- Removes a person's second factor, so that the password is enough or a new factor can be enrolled. Ends their other
-- sessions, because from now on a session opened with the password alone has full access. kept_session: the session
-- that requests the removal; null ends all of the person's sessions.
create function private.remove_second_factor(person uuid, kept_session uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from auth.mfa_factors where user_id = person;
  delete from auth.sessions where user_id = person and id is distinct from kept_session;
  update auth.sessions set aal = 'aal1' where user_id = person;
end;
$$;

create function public.use_recovery_code(person uuid, code_digest text, own_session uuid) returns text
language plpgsql security definer
set search_path = ''
as $$
begin
  if not private.count_second_factor_attempt(person, own_session) then
    return 'wait';
  end if;
  delete from private.recovery_codes where user_id = person and digest = code_digest;
  if not found then
    perform private.note_wrong_code(person);
    return 'wrong';
  end if;
  perform set_config('private.uses_recovery_code', 'on', true);
  perform private.remove_second_factor(person, own_session);
  perform set_config('private.uses_recovery_code', 'off', true);
  perform private.note_account_event(person, 'recovery-code');
  perform private.permit_factor(person, own_session);
  delete from private.second_factor_attempts where user_id = person and session_id = own_session;
  return 'right';
end;
$$;

comment on function public.use_recovery_code is
  'Uses a recovery code. right: the code is used up, the person''s second factor is removed, all their sessions except '
  'own_session have ended, and own_session may enroll a factor for 15 minutes. wrong: not one of their codes. wait: '
  'five attempts in 15 minutes in this session.';
revoke all on function public.use_recovery_code from public, anon, authenticated, service_role;
grant execute on function public.use_recovery_code to service_role;

create function public.use_setup_code(person uuid, code_digest text, own_session uuid) returns text
language plpgsql security definer
set search_path = ''
as $$
begin
  if not private.count_second_factor_attempt(person, own_session) then
    return 'wait';
  end if;
  if exists (select from auth.mfa_factors where user_id = person and status = 'verified') then
    return 'has-factor';
  end if;
  if not exists (select from public.user_roles where user_id = person and role = 'admin') then
    return 'wrong';
  end if;
  delete from private.setup_codes as code
  where code.user_id = person and code.digest = code_digest and code.expires_at > now();
  if not found then
    perform private.note_wrong_code(person);
    return 'wrong';
  end if;
  -- A thief who has the password may have begun to enroll a factor, or have an open session.
  delete from auth.mfa_factors where user_id = person and status <> 'verified';
  delete from auth.sessions where user_id = person and id is distinct from own_session;
  perform private.permit_factor(person, own_session);
  delete from private.second_factor_attempts where user_id = person and session_id = own_session;
  return 'right';
end;
$$;

comment on function public.use_setup_code is
  'Uses a setup code. right: the code is used up, all the person''s sessions except own_session have ended, and '
  'own_session may enroll a trusted factor for 15 minutes. has-factor: the person already has a factor, which a setup '
  'code never removes. wrong and wait: as for use_recovery_code.';
revoke all on function public.use_setup_code from public, anon, authenticated, service_role;
grant execute on function public.use_setup_code to service_role;

create function public.require_second_factor(wanted boolean) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if not wanted then
    delete from private.second_factor_rule where is_required;
  elsif not exists (select from private.second_factor_rule) then
    -- Existing factors become trusted: until now their owners' passwords alone gave full access.
    insert into private.trusted_factors (factor_id, user_id)
    select factor.id, factor.user_id from auth.mfa_factors as factor where factor.status = 'verified'
    on conflict (factor_id) do nothing;
    insert into private.second_factor_rule (is_required) values (true) on conflict (is_required) do nothing;
  end if;
end;
$$;

comment on function public.require_second_factor is
  'Sets whether every admin must have a second factor (the setting ADMIN_SECOND_FACTOR).';
revoke all on function public.require_second_factor from public, anon, authenticated, service_role;
grant execute on function public.require_second_factor to service_role;

-- A setup code belongs to one person, works once within 72 hours and removes no factor. A setup code or recovery code
-- permits enrollment only in the session in which it was entered, for 15 minutes: a thief who has the password gains
-- nothing from it later.
create table private.setup_codes (
  user_id uuid primary key references auth.users (id) on delete cascade,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null
);

-- Sessions that may enroll a trusted factor while one is required. No foreign key to the session: a move to another
-- project copies this table, but no sessions.
create table private.factor_permits (
  session_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  expires_at timestamptz not null,
  -- True once the session has new tokens, so that a copy of the earlier ones is useless. The embedded authentication
  -- service sets it.
  is_session_new boolean not null default false
);

create index factor_permits_user_id on private.factor_permits (user_id);

-- Factors that are accepted while one is required.
create table private.trusted_factors (
  factor_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  trusted_at timestamptz not null default now()
);

create index trusted_factors_user_id on private.trusted_factors (user_id);

create function private.has_factor_permit(session uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.factor_permits as permit where permit.session_id = session and permit.expires_at > now()
  )
$$;

create function private.permit_factor(person uuid, session uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from private.factor_permits as permit where permit.expires_at <= now();
  insert into private.factor_permits (session_id, user_id, expires_at)
  select own.id, own.user_id, now() + interval '15 minutes'
  from auth.sessions as own where own.id = session and own.user_id = person
  on conflict (session_id) do update set expires_at = excluded.expires_at, is_session_new = false;
end;
$$;

-- Fires when a session reaches aal2 with a factor. The factor becomes trusted if that session had a permit or had
-- already used a trusted factor.
create function private.trust_factor() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.trusted_factors (factor_id, user_id)
  select new.factor_id, new.user_id
  where private.has_factor_permit(new.id) or (
    old.aal::text = 'aal2'
    and exists (select from private.trusted_factors as trusted where trusted.factor_id = old.factor_id)
  )
  on conflict (factor_id) do nothing;
  delete from private.factor_permits as permit where permit.session_id = new.id;
  return null;
end;
$$;

-- A thief who has only the password cannot enroll a factor and lock the owner out, not even with an untrusted factor.
create function private.refuse_untrusted_factor() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if exists (select from private.second_factor_rule)
    and not exists (
      select from private.factor_permits as permit where permit.user_id = new.user_id and permit.expires_at > now()
    )
    and not exists (select from private.trusted_factors as trusted where trusted.user_id = new.user_id) then
    raise exception 'a setup code is needed first' using errcode = '42501';
  end if;
  return new;
end;
$$;

create function private.forget_trusted_factor() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  delete from private.trusted_factors as trusted where trusted.factor_id = old.id;
  return null;
end;
$$;

-- For the operator, at the command line or in the SQL editor of a hosted project. Returns a new setup code of 32
-- hexadecimal digits for the account with this address. It replaces an earlier one and works once within 72 hours.
-- Raises P0002 for an unknown address.
create function private.make_setup_code(email text) returns text
language plpgsql security definer
set search_path = ''
as $$
declare
  person uuid := (select account.id from auth.users as account where lower(account.email) = lower(btrim(make_setup_code.email)));
  -- 128 random bits, as a recovery code.
  code text := substr(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'), 1, 32);
begin
  if person is null then
    raise exception 'there is no such account' using errcode = 'P0002';
  end if;
  delete from private.setup_codes as old where old.expires_at <= now();
  insert into private.setup_codes (user_id, digest, expires_at)
  values (person, encode(sha256(convert_to(code, 'UTF8')), 'hex'), now() + interval '72 hours')
  on conflict (user_id) do update set digest = excluded.digest, expires_at = excluded.expires_at;
  insert into public.admin_events (action, person) values ('setup-code-made', lower(btrim(make_setup_code.email)));
  return regexp_replace(code, '(.{8})(?=.)', '\1-', 'g');
end;
$$;

-- The site calls this before an admin turns off their own factor. Sessions opened with the password alone end, and
-- while a factor is required this session may enroll another.
create function public.begin_factor_removal() returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform public.end_own_sessions();
  if auth.jwt() ->> 'aal' = 'aal2' then
    perform private.permit_factor(auth.uid(), (auth.jwt() ->> 'session_id')::uuid);
  end if;
end;
$$;

comment on function public.begin_factor_removal is
  'Ends the caller''s other sessions. If this session has used a second factor, permits it to enroll another within 15 '
  'minutes. Raises 42501 for non-admins.';
revoke all on function public.begin_factor_removal from public, anon, authenticated, service_role;
grant execute on function public.begin_factor_removal to authenticated;

-- For the operator: lets an admin who lost both phone and recovery codes start over. Removes their second factor, recovery
-- codes and setup code, ends all their sessions, and returns how many there were.
create function private.reset_second_factor(person uuid) returns integer
language plpgsql
set search_path = ''
as $$
declare
  sessions integer := (select count(*) from auth.sessions as session where session.user_id = person);
begin
  perform private.remove_second_factor(person, null);
  delete from private.recovery_codes as code where code.user_id = person;
  delete from private.setup_codes as code where code.user_id = person;
  delete from private.factor_permits as permit where permit.user_id = person;
  insert into public.admin_events (action, person)
  select 'second-factor-reset', lower(account.email) from auth.users as account where account.id = person;
  return sessions;
end;
$$;

create trigger trust_factor after update on auth.sessions
  for each row when (
    new.aal::text = 'aal2' and new.factor_id is not null
    and (old.factor_id is distinct from new.factor_id or old.aal is distinct from new.aal)
  )
  execute function private.trust_factor();

create trigger refuse_untrusted_factor before update of status on auth.mfa_factors
  for each row when (old.status::text <> 'verified' and new.status::text = 'verified')
  execute function private.refuse_untrusted_factor();

create trigger forget_trusted_factor after delete on auth.mfa_factors
  for each row execute function private.forget_trusted_factor();
