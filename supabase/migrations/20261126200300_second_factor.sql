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

-- Whose factor counts where one is required: who set it up with the operator's setup code, or before it was required.
-- Otherwise whoever steals a password could set up a factor of their own.
create table private.trusted_second_factors (
  user_id uuid primary key references auth.users (id) on delete cascade,
  trusted_at timestamptz not null default now()
);
alter table private.trusted_second_factors enable row level security;
revoke all on table private.trusted_second_factors from public, anon, authenticated, service_role;

-- Each lets somebody in once who has lost their device; SHA-256 in hexadecimal.
create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  primary key (user_id, digest)
);
alter table private.recovery_codes enable row level security;
revoke all on table private.recovery_codes from public, anon, authenticated, service_role;

-- Recovery and setup codes that were entered in the last 15 minutes.
create table private.second_factor_attempts (
  user_id uuid not null references auth.users (id) on delete cascade,
  attempted_at timestamptz not null default now()
);

create index second_factor_attempts_user_id on private.second_factor_attempts (user_id);
alter table private.second_factor_attempts enable row level security;
revoke all on table private.second_factor_attempts from public, anon, authenticated, service_role;

-- For the functions below that a signed-in person calls with the secret key's rights behind them.
create function private.count_second_factor_attempt(person uuid) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  -- Two at once would both be the fifth.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('second-factor ' || person::text, 0));
  delete from private.second_factor_attempts where attempted_at < now() - interval '15 minutes';
  if (select count(*) from private.second_factor_attempts where user_id = person) >= 5 then
    return false;
  end if;
  insert into private.second_factor_attempts (user_id) values (person);
  return true;
end;
$$;

comment on function private.count_second_factor_attempt(uuid) is 'False where the person has had five tries in 15 minutes.';
revoke all on function private.count_second_factor_attempt(uuid) from public, anon, authenticated, service_role;

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
  if not private.count_second_factor_attempt(person) then
    return 'wait';
  end if;
  delete from private.recovery_codes where user_id = person and digest = code_digest;
  if not found then
    return 'wrong';
  end if;
  perform private.remove_second_factor(person, own_session);
  delete from private.second_factor_attempts where user_id = person;
  return 'right';
end;
$$;

comment on function public.use_recovery_code(uuid, text, uuid) is
  'right: the code is used up, the person''s second factor is gone, and their sessions but for own_session have ended. wrong: '
  'it was none of theirs. wait: five tries in 15 minutes were enough.';
revoke all on function public.use_recovery_code(uuid, text, uuid) from public, anon, authenticated, service_role;
grant execute on function public.use_recovery_code(uuid, text, uuid) to service_role;

create function public.use_setup_code(person uuid, is_right boolean, own_session uuid) returns text
language plpgsql security definer
set search_path = ''
as $$
begin
  if not private.count_second_factor_attempt(person) then
    return 'wait';
  end if;
  if is_right is not true or not exists (select from public.user_roles where user_id = person and role = 'admin') then
    return 'wrong';
  end if;
  -- A factor that is there already was not set up with the code.
  perform private.remove_second_factor(person, own_session);
  delete from private.second_factor_attempts where user_id = person;
  insert into private.trusted_second_factors (user_id) values (person) on conflict (user_id) do nothing;
  return 'right';
end;
$$;

comment on function public.use_setup_code(uuid, boolean, uuid) is
  'is_right: whether the setup code was the operator''s. Returns right, wrong or wait as use_recovery_code; right lets the '
  'person set up a factor that counts.';
revoke all on function public.use_setup_code(uuid, boolean, uuid) from public, anon, authenticated, service_role;
grant execute on function public.use_setup_code(uuid, boolean, uuid) to service_role;

-- People who have a factor when it becomes required keep it: until then their password alone opened everything.
create function public.require_second_factor(wanted boolean) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if not wanted then
    delete from private.second_factor_rule where is_required;
  elsif not exists (select from private.second_factor_rule) then
    insert into private.trusted_second_factors (user_id)
    select distinct user_id from auth.mfa_factors where status = 'verified'
    on conflict (user_id) do nothing;
    insert into private.second_factor_rule (is_required) values (true) on conflict (is_required) do nothing;
  end if;
end;
$$;

comment on function public.require_second_factor(boolean) is
  'Says whether every admin must have a second factor, as ADMIN_SECOND_FACTOR has it.';
revoke all on function public.require_second_factor(boolean) from public, anon, authenticated, service_role;
grant execute on function public.require_second_factor(boolean) to service_role;
