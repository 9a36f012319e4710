-- The owner of an account is mailed when a second factor is set up or turned off, a recovery code is used, or five codes were wrong, and all
-- admins read it at /admin/people. Triggers, because it also happens past the site: at the authentication service, or by the operator.
alter table private.account_events drop constraint account_events_kind_check;
alter table private.account_events add constraint account_events_kind_check check (
  kind in ('password-changed', 'sign-in', 'factor-on', 'factor-off', 'recovery-code', 'wrong-codes')
);

-- Codes that were wrong in the last 15 minutes, whatever kind and session.
create table private.wrong_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  entered_at timestamptz not null default now()
);
create index wrong_codes_user_id on private.wrong_codes (user_id);
alter table private.wrong_codes enable row level security;
revoke all on table private.wrong_codes from public, anon, authenticated, service_role;

create function private.note_account_event(person uuid, kind text) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- With an account its factors go, and nobody is left to tell.
  insert into private.account_events (user_id, kind, is_mail_due)
  select account.id, note_account_event.kind, true from auth.users as account where account.id = person;
  insert into public.admin_events (actor, action, person)
  select account.id, note_account_event.kind, lower(account.email) from auth.users as account where account.id = person;
end;
$$;

create function private.note_factor() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform private.note_account_event(new.user_id, 'factor-on');
  elsif coalesce(current_setting('private.uses_recovery_code', true), '') <> 'on' then
    perform private.note_account_event(old.user_id, 'factor-off');
  end if;
  return null;
end;
$$;

create trigger note_new_factor after update of status on auth.mfa_factors
  for each row when (old.status::text <> 'verified' and new.status::text = 'verified')
  execute function private.note_factor();
create trigger note_lost_factor after delete on auth.mfa_factors
  for each row when (old.status::text = 'verified')
  execute function private.note_factor();

create function private.note_wrong_code(person uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('second-factor ' || person::text, 0));
  delete from private.wrong_codes where entered_at < now() - interval '15 minutes';
  insert into private.wrong_codes (user_id) values (person);
  -- One mail an hour says enough.
  if (select count(*) from private.wrong_codes where user_id = person) >= 5 and not exists (
    select from private.account_events as event
    where event.user_id = person and event.kind = 'wrong-codes' and event.at > now() - interval '1 hour'
  ) then
    perform private.note_account_event(person, 'wrong-codes');
  end if;
end;
$$;

-- Called by the site in the session in which a code of an authenticator app was wrong.
create function public.record_wrong_code() returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if not exists (
    select from auth.sessions as session
    where session.id = nullif(auth.jwt() ->> 'session_id', '')::uuid and session.user_id = auth.uid()
  ) then
    raise exception 'a wrong code is noted in its session' using errcode = '42501';
  end if;
  perform private.note_wrong_code(auth.uid());
end;
$$;
comment on function public.record_wrong_code() is
  'Counts a code that the authentication service refused; of five in 15 minutes the owner is told by mail. Raises 42501 without a session.';

-- As before, and noted.
create or replace function public.use_recovery_code(person uuid, code_digest text, own_session uuid) returns text
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

create or replace function public.use_setup_code(person uuid, code_digest text, own_session uuid) returns text
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
  -- Whoever knew the password may have begun to set up one, or have a session open.
  delete from auth.mfa_factors where user_id = person and status <> 'verified';
  delete from auth.sessions where user_id = person and id is distinct from own_session;
  perform private.permit_factor(person, own_session);
  delete from private.second_factor_attempts where user_id = person and session_id = own_session;
  return 'right';
end;
$$;

revoke all on function
  private.note_account_event(uuid, text), private.note_factor(), private.note_wrong_code(uuid), public.record_wrong_code()
from public, anon, authenticated, service_role;
grant execute on function public.record_wrong_code() to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126181200' $$;
