-- Visitors' decisions about cookies.

-- Each visitor's current decision: the fields of REQUIREMENTS 4.7. Stores no IP address, because it would prove nothing
-- more.
create table public.user_consents (
  -- At least 128 random bits (32 characters in hexadecimal). The id identifies no person, and only a caller who knows
  -- it can change the row.
  session_id text primary key check (session_id ~ '^[A-Za-z0-9_-]{32,128}$'),
  analytics_consent boolean not null,
  marketing_consent boolean not null,
  -- Always true: the decision itself is stored in a functional cookie, so visitors cannot refuse these.
  functional_consent boolean not null check (functional_consent),
  user_agent text check (char_length(user_agent) <= 512),
  consent_version text not null check (consent_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'),
  -- When the visitor decided, not when the row was written: a decision that cannot be stored immediately is stored
  -- later.
  updated_at timestamptz not null
);
alter table public.user_consents enable row level security;

-- An upsert under row level security needs SELECT, which would let every visitor read every decision. So visitors have
-- no grant and no policy; record_consent writes for them. The service role has no grant either: a record without its
-- history proves nothing.
revoke all on table public.user_consents from public, anon, authenticated, service_role;

-- The append-only history of decisions, as proof of consent (GDPR, article 7(1)): the choices, the place where the
-- visitor made them, and the text shown. No foreign key to user_consents: the history states what was true at that
-- time, even after the record changed or was deleted.
create table private.consent_history (
  session_id text not null check (session_id ~ '^[A-Za-z0-9_-]{32,128}$'),
  analytics_consent boolean not null,
  marketing_consent boolean not null,
  functional_consent boolean not null check (functional_consent),
  consent_version text not null check (consent_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'),
  -- SHA-256 of the text shown to the visitor.
  text_hash text not null check (text_hash ~ '^[0-9a-f]{64}$'),
  source text not null check (source in ('banner', 'dialog', 'signal')),
  -- As sent, even if the sender's clock was slightly fast: it identifies a decision that is sent again.
  decided_at timestamptz not null,
  -- From the database's clock, which callers cannot set: a backdated decision is visible as such.
  recorded_at timestamptz not null default now(),
  -- A browser signal (DNT, GPC) can refuse consent, never grant it.
  check (source <> 'signal' or not (analytics_consent or marketing_consent)),
  -- Everything that distinguishes two decisions, so that a resent decision stays one row.
  primary key (session_id, decided_at, analytics_consent, marketing_consent, consent_version, text_hash, source)
);

create trigger keep_log before update or delete or truncate on private.consent_history
  for each statement execute function private.keep_log();

-- Stores one decision: both the record and the history, or neither. Treats its input as hostile, because the edge
-- function forwards input from any caller: it touches only the session whose random id the caller knows, and its result
-- does not reveal whether that session existed. Withdrawal is a decision like any other.
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
  -- Rejected here before any read, or below by a constraint on the input: no error reveals stored data. This repeats the
  -- table's CHECK, which a repeated decision never reaches.
  if char_length(record_consent.user_agent) > 512 then
    raise exception 'a user agent is too long' using errcode = '22023';
  end if;
  -- Allows for slightly different clocks. A decision older than two years would already be due for deletion
  -- (REQUIREMENTS 10.2).
  if record_consent.decided_at > now() + interval '5 minutes'
    or record_consent.decided_at < now() - interval '2 years' then
    raise exception 'a decision on consent cannot be of that time' using errcode = '22023';
  end if;

  -- Insert into the history first: on conflict this decision is already stored, and no work is left. Among concurrent
  -- duplicates, one inserts and the others wait here for its transaction.
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
    -- Never in the future: a fast clock would shut out the decisions of the next minutes.
    least(record_consent.decided_at, now())
  )
  on conflict (session_id) do update
    set analytics_consent = excluded.analytics_consent,
      marketing_consent = excluded.marketing_consent,
      user_agent = excluded.user_agent,
      consent_version = excluded.consent_version,
      updated_at = excluded.updated_at
    -- The latest decision wins, not the latest arrival. Of two at the same instant the refusal wins, so that the order
    -- of arrival does not matter.
    -- A decision to come was stored while the clock was wrong, and must not outlast a withdrawal.
    where consent.updated_at > now()
      or (excluded.updated_at, not excluded.analytics_consent, not excluded.marketing_consent)
        >= (consent.updated_at, not consent.analytics_consent, not consent.marketing_consent);
end;
$$;

comment on function public.record_consent is
  'Adds a decision to the history and makes it the session''s record unless a later one is stored. Safe to repeat. '
  'user_agent may be null. Returns nothing. Raises 22023 for a user agent of more than 512 characters, or a time more '
  'than 5 minutes ahead or 2 years back; 23502 or 23514 for a missing or any other malformed value. Stores nothing when '
  'it raises.';
revoke all on function public.record_consent from public, anon, authenticated, service_role;
grant execute on function public.record_consent to service_role;

-- Visitors who present the id of a consent record may read it and have it deleted (GDPR, articles 11(2), 15 and 17).
-- The id is the credential: 192 random bits that only the visitor's browser holds.
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

comment on function public.find_consent is
  'Returns the record with this id, all its fields, and history (every decision with its fields); null when there is '
  'none.';
revoke all on function public.find_consent from public, anon, authenticated, service_role;
grant execute on function public.find_consent to anon, authenticated;

-- Deletes record and history together: a visitor who gives up the proof of their consent no longer consents.
create function public.erase_consent(session_id text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform set_config('private.erases_log', 'on', true);
  delete from private.consent_history as decision where decision.session_id = erase_consent.session_id;
  perform set_config('private.erases_log', 'off', true);
  delete from public.user_consents as consent where consent.session_id = erase_consent.session_id;
end;
$$;

comment on function public.erase_consent is
  'Deletes the record with this id and its history. Returns nothing, whether or not it existed. Safe to repeat.';
revoke all on function public.erase_consent from public, anon, authenticated, service_role;
grant execute on function public.erase_consent to anon, authenticated;
