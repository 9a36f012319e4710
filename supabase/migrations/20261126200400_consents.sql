-- Visitors' decisions about cookies.

-- Each visitor's present choices: the fields of REQUIREMENTS 4.7. No IP address: it would prove nothing more.
create table public.user_consents (
  -- 128 random bits or more, 32 characters in hexadecimal. It names no person, and knowing it is the only way to
  -- change the row.
  session_id text primary key check (session_id ~ '^[A-Za-z0-9_-]{32,128}$'),
  analytics_consent boolean not null,
  marketing_consent boolean not null,
  -- Without these cookies the choice itself could not be kept: nobody can refuse them.
  functional_consent boolean not null check (functional_consent),
  user_agent text check (char_length(user_agent) <= 512),
  consent_version text not null check (consent_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'),
  -- When the visitor decided, not when the row was written: a decision that could not be saved at once is saved later.
  updated_at timestamptz not null
);
alter table public.user_consents enable row level security;

-- An upsert under policies would need SELECT, which would let anybody read everybody's choice. So visitors have
-- no right at all and no policy; record_consent writes for them. The service may read, for a visitor who asks what is
-- kept, but not write: a record without its history proves nothing.
revoke all on table public.user_consents from public, anon, authenticated, service_role;
grant select on table public.user_consents to service_role;

-- Every decision that was ever made, to prove it (GDPR, article 7(1)): what was chosen, where, and on what text. It
-- does not refer to user_consents, because it says what was true then, whatever became of the record.
create table private.consent_history (
  session_id text not null check (session_id ~ '^[A-Za-z0-9_-]{32,128}$'),
  analytics_consent boolean not null,
  marketing_consent boolean not null,
  functional_consent boolean not null check (functional_consent),
  consent_version text not null check (consent_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'),
  -- SHA-256 of the text that was shown.
  text_hash text not null check (text_hash ~ '^[0-9a-f]{64}$'),
  source text not null check (source in ('banner', 'dialog', 'signal')),
  -- As it was sent, even if that clock was a little fast: with it a decision that is sent again is recognized.
  decided_at timestamptz not null,
  -- By this database's clock, which no caller can set: a decision cannot be back-dated without its showing.
  recorded_at timestamptz not null default now(),
  -- A browser's signal (DNT, GPC) can refuse, never allow.
  check (source <> 'signal' or not (analytics_consent or marketing_consent)),
  -- All that makes two decisions different: the very same one, sent again, is one row.
  primary key (session_id, decided_at, analytics_consent, marketing_consent, consent_version, text_hash, source)
);
alter table private.consent_history enable row level security;
revoke all on table private.consent_history from public, anon, authenticated, service_role;

-- As private.keep_log, but deleting, which retention does after two years (REQUIREMENTS 10.2), needs
--   perform pg_catalog.set_config('private.erases_consent', 'on', true); delete …; and back to 'off'.
create function private.keep_consent_history() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and current_setting('private.erases_consent', true) = 'on' then
    return old;
  end if;
  raise exception 'the history of consent is only ever added to' using errcode = '42501';
end;
$$;
revoke all on function private.keep_consent_history() from public, anon, authenticated, service_role;

create trigger keep_consent_history before update or delete on private.consent_history
  for each row execute function private.keep_consent_history();

create trigger keep_consent_history_whole before truncate on private.consent_history
  for each statement execute function private.keep_consent_history();

-- Keeps one decision, record and history or neither. The publishable key may call it, so it takes everything for
-- hostile: it touches only the session whose random id the caller knows, and answers nothing, whether that session
-- existed or not. Withdrawal is a decision like any other.
create function public.record_consent(
  session_id text,
  analytics boolean,
  marketing boolean,
  consent_version text,
  text_hash text,
  source text,
  user_agent text,
  decided_at timestamptz
) returns void
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
begin
  -- Refused here before anything is read, or below by a CHECK on what was sent: no error tells of what is stored.
  if num_nulls(
    record_consent.session_id, analytics, marketing, record_consent.consent_version, record_consent.text_hash,
    record_consent.source, record_consent.decided_at
  ) > 0 then
    raise exception 'a decision on consent is incomplete' using errcode = '22023';
  end if;
  -- As in the table, which a decision that has come before does not reach.
  if char_length(record_consent.user_agent) > 512 then
    raise exception 'a user agent is too long' using errcode = '22023';
  end if;
  -- Clocks differ by a little. What is older than two years would be due for deletion at once (REQUIREMENTS 10.2).
  if record_consent.decided_at > now() + interval '5 minutes'
    or record_consent.decided_at < now() - interval '2 years' then
    raise exception 'a decision on consent cannot be of that time' using errcode = '22023';
  end if;

  -- The history first: it knows whether this very decision has come before, and then there is nothing left to do. Of
  -- equal ones at once, one inserts and the others wait here for its end.
  insert into private.consent_history (
    session_id, analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source, decided_at
  )
  values (
    record_consent.session_id, analytics, marketing, true, record_consent.consent_version, record_consent.text_hash,
    record_consent.source, record_consent.decided_at
  )
  on conflict do nothing;
  if not found then
    return;
  end if;

  insert into public.user_consents as consent (
    session_id, analytics_consent, marketing_consent, functional_consent, user_agent, consent_version, updated_at
  )
  values (
    record_consent.session_id, analytics, marketing, true, record_consent.user_agent, record_consent.consent_version,
    -- Never in the future, or a fast clock would shut out the decisions of the next minutes.
    least(record_consent.decided_at, now())
  )
  on conflict (session_id) do update
    set analytics_consent = excluded.analytics_consent,
      marketing_consent = excluded.marketing_consent,
      user_agent = excluded.user_agent,
      consent_version = excluded.consent_version,
      updated_at = excluded.updated_at
    -- The last decision counts, not the last to arrive. Of two at the same instant the one that refuses counts, so
    -- that the outcome does not depend on which arrives first.
    where (excluded.updated_at, not excluded.analytics_consent, not excluded.marketing_consent)
      >= (consent.updated_at, not consent.analytics_consent, not consent.marketing_consent);
end;
$$;

comment on function public.record_consent(text, boolean, boolean, text, text, text, text, timestamptz) is
  'Adds a decision to the history and makes it the session''s record unless a later one is there; safe to repeat. '
  'user_agent may be null. Answers nothing. Raises 22023 for a value that is missing, a user agent of more than 512 '
  'characters, or a time more than 5 minutes ahead or 2 years back; 23514 for what else is malformed. Then nothing is kept.';
revoke all on function public.record_consent(text, boolean, boolean, text, text, text, text, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function public.record_consent(text, boolean, boolean, text, text, text, text, timestamptz) to service_role;

-- Visitors who show the number of a record of consent may see it and have it deleted (GDPR, articles 11(2), 15 and 17). The number is
-- the key: 192 random bits that only the visitor's browser holds.
create function public.find_consent(session_id text) returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select to_jsonb(consent) || jsonb_build_object('history', (
    select coalesce(jsonb_agg(to_jsonb(decision) - 'session_id' order by decision.decided_at), '[]')
    from private.consent_history as decision
    where decision.session_id = consent.session_id
  ))
  from public.user_consents as consent
  where consent.session_id = find_consent.session_id
$$;

comment on function public.find_consent(text) is
  'The record of that number with its fields, and history: every decision with its fields; null where there is none.';
revoke all on function public.find_consent(text) from public, anon, authenticated, service_role;
grant execute on function public.find_consent(text) to anon, authenticated;

-- All of it, at once: who gives up the proof of their consent has no consent any longer.
create function public.erase_consent(session_id text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform set_config('private.erases_consent', 'on', true);
  delete from private.consent_history as decision where decision.session_id = erase_consent.session_id;
  perform set_config('private.erases_consent', 'off', true);
  delete from public.user_consents as consent where consent.session_id = erase_consent.session_id;
end;
$$;

comment on function public.erase_consent(text) is
  'Deletes the record of that number and its history. Answers nothing, whether there was one or not; safe to repeat.';
revoke all on function public.erase_consent(text) from public, anon, authenticated, service_role;
grant execute on function public.erase_consent(text) to anon, authenticated;
