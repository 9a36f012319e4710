-- Two things are kept for 30 days and no longer: the record of a refusal that a browser's signal made, and the internet address
-- of the machine that a message came from.

create or replace function private.retention_periods() returns table (kind text, period interval)
language sql immutable
set search_path = ''
as $$
  values
    -- REQUIREMENTS 10.
    ('contact_submissions', interval '2 years'),
    ('consents', interval '2 years'),
    -- A consent that was withdrawn ends sooner, but not at once: until then the record keeps a copy of the earlier
    -- consent that arrives late from counting, and the withdrawal can be shown to whoever asks.
    ('withdrawn_consents', interval '30 days'),
    -- Nobody is told the number of such a record, so nobody can ask for it: it shows that signals are heard, and that is all.
    ('signal_records', interval '30 days'),
    -- Abuse is looked into within days.
    ('sender_addresses', interval '30 days'),
    -- After they were closed: claims can be made for that long.
    ('closed_requests', interval '3 years'),
    -- After their request was closed.
    ('status_links', interval '90 days'),
    -- After they were due. Until then an admin may still help somebody whose mail was lost.
    ('unconfirmed_requests', interval '30 days'),
    -- After delivery, or after it was given up.
    ('mails', interval '30 days'),
    ('receipts', interval '1 day'),
    -- What proves that all this was done: erasures, the log of what admins did, the runs below. It names no visitor.
    ('records', interval '3 years')
$$;

-- Records of consent "until withdrawn or two years" (REQUIREMENTS 10.2). Who never allowed anything has withdrawn nothing:
-- that refusal is kept for the two years, as the proof that it was heard. New: where only a signal ever spoke, 30 days.
create or replace function private.keep_consent_retention() returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  consents integer;
  decisions integer;
begin
  perform set_config('private.erases_consent', 'on', true);
  with ended as (
    select consent.session_id
    from public.user_consents as consent
    where not (consent.analytics_consent or consent.marketing_consent)
      and (
        (
          consent.updated_at < now() - private.retention_period('withdrawn_consents')
          and exists (
            select 1 from private.consent_history as earlier
            where earlier.session_id = consent.session_id and (earlier.analytics_consent or earlier.marketing_consent)
          )
        ) or (
          consent.updated_at < now() - private.retention_period('signal_records')
          and not exists (
            select 1 from private.consent_history as chosen
            where chosen.session_id = consent.session_id and chosen.source <> 'signal'
          )
        )
      )
  ), gone as (
    delete from public.user_consents as consent
    where consent.updated_at < now() - private.retention_period('consents')
      or consent.session_id in (select session_id from ended)
    returning 1
  ), told as (
    delete from private.consent_history as history
    where history.decided_at < now() - private.retention_period('consents')
      or history.session_id in (select session_id from ended)
    returning 1
  )
  select (select count(*) from gone), (select count(*) from told) into consents, decisions;
  perform set_config('private.erases_consent', 'off', true);
  return jsonb_build_object('consents', consents, 'consent_decisions', decisions);
end;
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122130000' $$;
