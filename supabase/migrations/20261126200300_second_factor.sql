-- Second factors: the rule that requires one, recovery codes, setup codes.

-- The second factor of admins: once somebody has one, a password alone opens nothing; where the firm requires it, nobody is
-- an admin without. The codes themselves are the authentication service's; what it does not know is here: whether
-- a factor is required, who may set one up then, and recovery codes.

-- A row where every admin must have one; else none.
create table private.second_factor_rule (
  is_required boolean primary key default true check (is_required)
);
alter table private.second_factor_rule enable row level security;
revoke all on table private.second_factor_rule from public, anon, authenticated, service_role;

-- Each lets somebody in once who has lost their device; SHA-256 in hexadecimal.
create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  primary key (user_id, digest)
);
alter table private.recovery_codes enable row level security;
revoke all on table private.recovery_codes from public, anon, authenticated, service_role;

-- Recovery and setup codes that were entered in the last 15 minutes. Tries count for their session, so that a thief of the password uses up
-- none of the owner's. A code of 80 bits needs no more than that.
create table private.second_factor_attempts (
  user_id uuid not null references auth.users (id) on delete cascade,
  attempted_at timestamptz not null default now(),
  session_id uuid
);

create index second_factor_attempts_user_id on private.second_factor_attempts (user_id);
alter table private.second_factor_attempts enable row level security;
revoke all on table private.second_factor_attempts from public, anon, authenticated, service_role;

-- For the functions below that a signed-in person calls with the secret key's rights behind them.
create function private.count_second_factor_attempt(person uuid, session uuid) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  -- Two at once would both be the fifth.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('second-factor ' || person::text, 0));
  delete from private.second_factor_attempts where attempted_at < now() - interval '15 minutes';
  if (select count(*) from private.second_factor_attempts where user_id = person and session_id = session) >= 5 then
    return false;
  end if;
  insert into private.second_factor_attempts (user_id, session_id) values (person, session);
  return true;
end;
$$;

comment on function private.count_second_factor_attempt(uuid, uuid) is
  'False where the person has had five tries in 15 minutes in this session.';
revoke all on function private.count_second_factor_attempt(uuid, uuid) from public, anon, authenticated, service_role;

-- Ten new codes replace all older ones. They are shown once; only their digests stay here. They have 120 bits: from 112 bits on, a plain
-- digest is enough (OWASP ASVS 5, 6.5.2). Shorter codes would need a salted, slow hash, and a wrong code would cost one of them for each
-- of a person's ten.
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
  -- A version 4 UUID has 122 random bits.
  select array_agg(substr(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 1, 30)) into codes
  from generate_series(1, 10);
  delete from private.recovery_codes where user_id = auth.uid();
  insert into private.recovery_codes (user_id, digest)
  select auth.uid(), encode(sha256(convert_to(code, 'UTF8')), 'hex') from unnest(codes) as code;
  return codes;
end;
$$;

comment on function public.create_recovery_codes() is
  'Replaces the caller''s recovery codes with ten of 30 hexadecimal digits. Raises 42501 unless the caller is an admin who has '
  'used a second factor in this session.';
revoke all on function public.create_recovery_codes() from public, anon, authenticated, service_role;
grant execute on function public.create_recovery_codes() to authenticated;

create function public.count_recovery_codes() returns integer
language sql stable security definer
set search_path = ''
as $$ select count(*)::integer from private.recovery_codes where user_id = auth.uid() $$;

comment on function public.count_recovery_codes() is 'How many recovery codes the caller has left.';
revoke all on function public.count_recovery_codes() from public, anon, authenticated, service_role;
grant execute on function public.count_recovery_codes() to authenticated;

-- Takes a person's second factor away, so that their password is enough, or a new factor can be set up. Their other sessions
-- end: those that were opened with the password alone would be good for everything from then on.
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

comment on function private.remove_second_factor(uuid, uuid) is
  'kept_session: the one in which it is asked for; null ends all of the person''s sessions.';
revoke all on function private.remove_second_factor(uuid, uuid) from public, anon, authenticated, service_role;

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

comment on function public.use_recovery_code(uuid, text, uuid) is
  'right: the code is used up, the person''s second factor is gone, their sessions but for own_session have ended, and in that one they '
  'may set up a factor for 15 minutes. wrong: it was none of theirs. wait: five tries in 15 minutes were enough in this session.';
revoke all on function public.use_recovery_code(uuid, text, uuid) from public, anon, authenticated, service_role;
grant execute on function public.use_recovery_code(uuid, text, uuid) to service_role;

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
  -- A thief of the password may have begun to set up one, or have a session open.
  delete from auth.mfa_factors where user_id = person and status <> 'verified';
  delete from auth.sessions where user_id = person and id is distinct from own_session;
  perform private.permit_factor(person, own_session);
  delete from private.second_factor_attempts where user_id = person and session_id = own_session;
  return 'right';
end;
$$;

comment on function public.use_setup_code(uuid, text, uuid) is
  'right: the code is used up, the person''s sessions but for own_session have ended, and in that one they may set up a factor that '
  'counts, for 15 minutes. has-factor: the person has one, which no setup code takes away. wrong and wait as use_recovery_code.';
revoke all on function public.use_setup_code(uuid, text, uuid) from public, anon, authenticated, service_role;
grant execute on function public.use_setup_code(uuid, text, uuid) to service_role;

create function public.require_second_factor(wanted boolean) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if not wanted then
    delete from private.second_factor_rule where is_required;
  elsif not exists (select from private.second_factor_rule) then
    -- Those who have a factor keep it: until now their password alone opened everything.
    insert into private.trusted_factors (factor_id, user_id)
    select factor.id, factor.user_id from auth.mfa_factors as factor where factor.status = 'verified'
    on conflict (factor_id) do nothing;
    insert into private.second_factor_rule (is_required) values (true) on conflict (is_required) do nothing;
  end if;
end;
$$;

comment on function public.require_second_factor(boolean) is
  'Says whether every admin must have a second factor, as ADMIN_SECOND_FACTOR has it.';
revoke all on function public.require_second_factor(boolean) from public, anon, authenticated, service_role;
grant execute on function public.require_second_factor(boolean) to service_role;

-- A setup code belongs to one person, works once, for 72 hours, and takes no factor away. The permission that it or a recovery code gives
-- belongs to the session in which the code was entered, and ends after 15 minutes: a thief of the password gains none by it later on.
create table private.setup_codes (
  user_id uuid primary key references auth.users (id) on delete cascade,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null
);
alter table private.setup_codes enable row level security;
revoke all on table private.setup_codes from public, anon, authenticated, service_role;

-- Sessions in which a factor may be set up that counts where one is required. Without a reference to the session: a move to another
-- project takes this table along, but no sessions.
create table private.factor_permits (
  session_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  expires_at timestamptz not null,
  -- True once the session has new tokens, so that a copy of its earlier ones gains nothing. The embedded sign-in service sets it.
  is_session_new boolean not null default false
);

create index factor_permits_user_id on private.factor_permits (user_id);
alter table private.factor_permits enable row level security;
revoke all on table private.factor_permits from public, anon, authenticated, service_role;

-- Factors that count where one is required.
create table private.trusted_factors (
  factor_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  trusted_at timestamptz not null default now()
);

create index trusted_factors_user_id on private.trusted_factors (user_id);
alter table private.trusted_factors enable row level security;
revoke all on table private.trusted_factors from public, anon, authenticated, service_role;

create function private.has_factor_permit(session uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.factor_permits as permit where permit.session_id = session and permit.expires_at > now()
  )
$$;
revoke all on function private.has_factor_permit(uuid) from public, anon, authenticated, service_role;

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
revoke all on function private.permit_factor(uuid, uuid) from public, anon, authenticated, service_role;

-- A session reaches the second level with a factor: the factor is trusted if that session had a permit, or one that is trusted already.
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
revoke all on function private.trust_factor() from public, anon, authenticated, service_role;

-- With the password alone a thief cannot put a factor of their own in front of the account, not even one that would not count.
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
revoke all on function private.refuse_untrusted_factor() from public, anon, authenticated, service_role;

create function private.forget_trusted_factor() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  delete from private.trusted_factors as trusted where trusted.factor_id = old.id;
  return null;
end;
$$;
revoke all on function private.forget_trusted_factor() from public, anon, authenticated, service_role;

-- For the operator: at the command line, or on a hosted project in the SQL editor.
create function private.make_setup_code(email text) returns text
language plpgsql security definer
set search_path = ''
as $$
declare
  person uuid := (select account.id from auth.users as account where lower(account.email) = lower(btrim(make_setup_code.email)));
  -- 120 bits out of the 122 random ones of a UUID.
  code text := substr(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 1, 30);
begin
  if person is null then
    raise exception 'there is no such account' using errcode = 'P0002';
  end if;
  delete from private.setup_codes as old where old.expires_at <= now();
  insert into private.setup_codes (user_id, digest, expires_at)
  values (person, encode(sha256(convert_to(code, 'UTF8')), 'hex'), now() + interval '72 hours')
  on conflict (user_id) do update set digest = excluded.digest, expires_at = excluded.expires_at;
  insert into public.admin_events (action, person) values ('setup-code-made', lower(btrim(make_setup_code.email)));
  return regexp_replace(code, '(.{5})(?=.)', '\1-', 'g');
end;
$$;

comment on function private.make_setup_code(text) is
  'A setup code of 30 hexadecimal digits for the account with this address, in place of an earlier one; it works once, for 72 hours. '
  'Raises P0002 for an unknown address.';
revoke all on function private.make_setup_code(text) from public, anon, authenticated, service_role;

-- Before an admin turns their factor off on the site: the sessions that know the password alone end, and where one is required this session
-- may set up another.
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

comment on function public.begin_factor_removal() is
  'Ends the caller''s other sessions and, where this one has used a second factor, permits it to set up another within 15 minutes. Raises '
  '42501 for others than admins.';
revoke all on function public.begin_factor_removal() from public, anon, authenticated, service_role;
grant execute on function public.begin_factor_removal() to authenticated;

-- For the operator: whoever lost phone and recovery codes begins anew.
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

comment on function private.reset_second_factor(uuid) is
  'Takes a person''s second factor, recovery codes and setup code away, ends all their sessions and returns how many there were.';
revoke all on function private.reset_second_factor(uuid) from public, anon, authenticated, service_role;

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
