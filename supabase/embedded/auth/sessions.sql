-- What the sign-in service of a hosted project does about sessions and the embedded one (lite) leaves out: they end after
-- a while, with a new password and with new keys, and a refresh token works once. Run at every start; safe to repeat.
-- Nobody but the superuser has a right in this schema, and the REST API does not know it.

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
  'The ADMIN_PASSWORD that took effect last, as its bcrypt hash: only a changed setting replaces a password.';

create or replace function embedded.limit_session() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- refreshed_at has no time zone (lite writes UTC). It is set at each refresh, which active use brings every hour.
  select least(
      new.created_at + rules.longest,
      coalesce(new.refreshed_at at time zone 'UTC', new.created_at) + rules.longest_idle)
    into new.not_after
    from embedded.session_rules as rules;
  return new;
end;
$$;
create or replace trigger limit_session before insert or update on auth.sessions
  for each row execute function embedded.limit_session();

-- As GoTrue keeps it; lite leaves the column empty.
create or replace function embedded.note_user_agent() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.user_agent := coalesce(new.user_agent, nullif(current_setting('embedded.user_agent', true), ''));
  return new;
end;
$$;
create or replace trigger note_user_agent before insert on auth.sessions
  for each row execute function embedded.note_user_agent();

create or replace function embedded.end_sessions_of(user_id uuid) returns integer
language plpgsql set search_path = '' as $$
declare
  ended integer;
begin
  delete from auth.refresh_tokens as token where token.user_id = end_sessions_of.user_id;
  delete from auth.sessions as session where session.user_id = end_sessions_of.user_id;
  get diagnostics ended = row_count;
  return ended;
end;
$$;
comment on function embedded.end_sessions_of(uuid) is 'Ends all sessions of one person and returns how many there were.';

create or replace function embedded.end_all_sessions() returns integer
language plpgsql set search_path = '' as $$
declare
  ended integer;
begin
  delete from auth.refresh_tokens;
  delete from auth.sessions;
  get diagnostics ended = row_count;
  return ended;
end;
$$;
comment on function embedded.end_all_sessions() is 'Ends all sessions and returns how many there were.';

-- A change of the password ends the user's sessions, however it is made, and clears the mark of a generated password. As at
-- GoTrue the session that asks for it goes on: answer-sign-in.ts names it while the request is answered.
create or replace function embedded.follow_new_password() returns trigger
language plpgsql set search_path = '' as $$
declare
  asking uuid := nullif(current_setting('embedded.asking_session', true), '')::uuid;
begin
  delete from auth.refresh_tokens as token where token.user_id = new.id and token.session_id is distinct from asking;
  delete from auth.sessions as session where session.user_id = new.id and session.id is distinct from asking;
  new.raw_app_meta_data := new.raw_app_meta_data - 'password_is_generated';
  return new;
end;
$$;
create or replace trigger follow_new_password before update of encrypted_password on auth.users
  for each row when (old.encrypted_password is distinct from new.encrypted_password)
  execute function embedded.follow_new_password();

create or replace function embedded.begin_sessions(token_secret text, longest_seconds integer, idle_seconds integer)
returns integer
language plpgsql set search_path = '' as $$
declare
  ended integer := 0;
begin
  -- Access tokens of the old keys are refused by their signature; refresh tokens are rows, which know no keys.
  if not exists (
    select from embedded.session_rules as rules where rules.token_secret = begin_sessions.token_secret
  ) then
    ended := embedded.end_all_sessions();
  end if;
  insert into embedded.session_rules (token_secret, longest, longest_idle)
    values (token_secret, make_interval(secs => longest_seconds), make_interval(secs => idle_seconds))
    on conflict (is_only_row) do update set
      token_secret = excluded.token_secret, longest = excluded.longest, longest_idle = excluded.longest_idle;
  -- So that the trigger applies the limits of today to sessions of yesterday.
  update auth.sessions set updated_at = updated_at;
  return ended;
end;
$$;
comment on function embedded.begin_sessions(text, integer, integer) is
  'Called at each start. Takes the limits over, ends all sessions if the keys are new, and returns how many it ended.';

create or replace function embedded.end_overdue_sessions(used_refresh_token text) returns integer
language plpgsql set search_path = '' as $$
declare
  ended integer;
begin
  delete from auth.sessions where not_after <= now();
  -- A token that was rotated is in two hands, and nobody can tell whose are the right ones. Within ten seconds (as in
  -- GoTrue) it is one browser that asked for several pages at once.
  delete from auth.sessions as session using auth.refresh_tokens as token
    where token.token = used_refresh_token and token.session_id = session.id
      and token.revoked and token.updated_at < now() - interval '10 seconds';
  get diagnostics ended = row_count;
  return ended;
end;
$$;
comment on function embedded.end_overdue_sessions(text) is
  'Ends sessions past their limit, and the one whose refresh token is used again; returns 1 if there was such a one.';
