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
  -- Clocks differ by a little. What is older than two years would be due for deletion at once (spec, section 9).
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
grant execute on function public.record_consent(text, boolean, boolean, text, text, text, text, timestamptz)
  to anon, authenticated;
