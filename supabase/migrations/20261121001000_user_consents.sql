-- What each visitor allows at present: the fields of the spec, section 3. No IP address: it would prove nothing more.
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

-- An upsert under policies would need SELECT, and whoever may select here reads everybody's choice. So visitors have
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
  -- As it was sent, even if that clock was a little fast: with it a decision that is sent again is recognised.
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

-- A proof that can be edited is none: this stops the owner's own scripts, too, which no grant does.
-- Deleting must remain possible, for retention (spec, section 9: two years) and erasure. The function that does it
-- runs with its owner's rights and says so for its own transaction:
--   perform pg_catalog.set_config('private.erases_consent', 'on', true); delete …; and back to 'off'.
-- The setting guards against accidents, not attackers; those have no right to delete in the first place. It cannot
-- stand in that function's SET clause, where hosted projects refuse settings of one's own.
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
