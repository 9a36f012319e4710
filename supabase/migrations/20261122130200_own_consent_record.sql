-- Whoever shows the number of a record of consent may see it and have it deleted (GDPR, articles 11(2), 15 and 17). The number is
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

revoke all on function public.find_consent(text), public.erase_consent(text)
  from public, anon, authenticated, service_role;
grant execute on function public.find_consent(text), public.erase_consent(text) to anon, authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122130200' $$;
