-- Rules for sessions: they end after a while, with a new password and with new keys, and a refresh token works once. Runs
-- at every start; safe to repeat.
-- Only the superuser has rights in this schema, and the REST API does not expose it.

create schema if not exists embedded;

create table if not exists embedded.session_rules (
  is_only_row boolean primary key default true check (is_only_row),
  token_secret text not null,
  longest interval not null,
  longest_idle interval not null
);
comment on column embedded.session_rules.token_secret is 'SHA-256 of the secret that signs tokens, in hexadecimal.';

create table if not exists embedded.applied_passwords (
  user_id uuid primary key references auth.users (id) on delete cascade,
  password_hash text not null
);
comment on table embedded.applied_passwords is
  'Bcrypt hash of the ADMIN_PASSWORD that took effect last: only a changed setting replaces a password.';

create or replace function embedded.limit_session() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- refreshed_at has no time zone (it is UTC). Each refresh sets it; active use refreshes every hour.
  select least(
      -- A session from a time when the clock was ahead ends no later than one of today.
      least(new.created_at, now()) + rules.longest,
      least(coalesce(new.refreshed_at at time zone 'UTC', new.created_at), now()) + rules.longest_idle)
    into new.not_after
    from embedded.session_rules as rules;
  return new;
end;
$$;
create or replace trigger limit_session before insert or update on auth.sessions
  for each row execute function embedded.limit_session();

-- Any change of the password ends the user's sessions and clears the mark of a generated password. As in GoTrue, the
-- session that requests the change continues: change-account.ts names it in a setting during the request.
create or replace function embedded.follow_new_password() returns trigger
language plpgsql set search_path = '' as $$
declare
  asking uuid := nullif(current_setting('embedded.asking_session', true), '')::uuid;
begin
  delete from auth.sessions as session where session.user_id = new.id and session.id is distinct from asking;
  new.raw_app_meta_data := new.raw_app_meta_data - 'password_is_generated';
  return new;
end;
$$;
create or replace trigger follow_new_password before update of encrypted_password on auth.users
  for each row when (old.encrypted_password is distinct from new.encrypted_password)
  execute function embedded.follow_new_password();

-- Called at each start. Stores the limits, ends all sessions if the keys are new, and returns the number ended.
create or replace function embedded.begin_sessions(token_secret text, longest_seconds integer, idle_seconds integer)
returns integer
language plpgsql set search_path = '' as $$
declare
  ended integer := 0;
begin
  -- Access tokens signed with the old keys fail verification; refresh tokens are rows and do not depend on the keys.
  if not exists (
    select from embedded.session_rules as rules where rules.token_secret = begin_sessions.token_secret
  ) then
    delete from auth.sessions;
    get diagnostics ended = row_count;
  end if;
  insert into embedded.session_rules (token_secret, longest, longest_idle)
    values (token_secret, make_interval(secs => longest_seconds), make_interval(secs => idle_seconds))
    on conflict (is_only_row) do update set
      token_secret = excluded.token_secret, longest = excluded.longest, longest_idle = excluded.longest_idle;
  -- Fires the trigger, which applies today's limits to existing sessions.
  update auth.sessions set updated_at = updated_at;
  return ended;
end;
$$;

-- Ends sessions past their limit, and the session whose refresh token is reused; returns 1 if a token was reused.
create or replace function embedded.end_overdue_sessions(used_refresh_token text) returns integer
language plpgsql set search_path = '' as $$
declare
  ended integer;
begin
  delete from auth.sessions where not_after <= now();
  -- Two parties hold a rotated token that is used again, and the server cannot tell which is legitimate. Within ten
  -- seconds (as in GoTrue) it is one browser with concurrent requests.
  delete from auth.sessions as session using auth.refresh_tokens as token
    where token.token = used_refresh_token and token.session_id = session.id
      and token.revoked and token.updated_at < now() - interval '10 seconds';
  get diagnostics ended = row_count;
  return ended;
end;
$$;

-- Begins a session, and returns false when the account has another password now.
create or replace function embedded.begin_session(
  person uuid, password_hash text, session uuid, refresh_token text, agent text
) returns boolean
language plpgsql set search_path = '' as $$
begin
  update auth.users as account set last_sign_in_at = now(), updated_at = now()
    where account.id = person and account.encrypted_password = password_hash;
  if not found then
    return false;
  end if;
  insert into auth.sessions (id, user_id, aal, user_agent) values (session, person, 'aal1', nullif(agent, ''));
  insert into auth.mfa_amr_claims (session_id, authentication_method) values (session, 'password');
  insert into auth.refresh_tokens (token, user_id, session_id) values (refresh_token, person, session);
  return true;
end;
$$;

-- Exchanges a refresh token for the next one. Returns no row for an unknown one, and the live one when it was used before;
-- call end_overdue_sessions first, which ends the sessions where that is too long ago.
create or replace function embedded.renew_session(used text, next text)
returns table (session uuid, token text)
language plpgsql set search_path = '' as $$
declare
  present auth.refresh_tokens;
begin
  select * into present from auth.refresh_tokens as known where known.token = used;
  if not found then
    return;
  end if;
  if present.revoked then
    return query select live.session_id, live.token::text from auth.refresh_tokens as live
      where live.session_id = present.session_id and not live.revoked order by live.created_at desc limit 1;
    return;
  end if;
  update auth.refresh_tokens as known set revoked = true, updated_at = now() where known.token = used;
  insert into auth.refresh_tokens (token, user_id, session_id) values (next, present.user_id, present.session_id);
  update auth.sessions set refreshed_at = now() at time zone 'UTC', updated_at = now() where id = present.session_id;
  return query select present.session_id, next;
end;
$$;
