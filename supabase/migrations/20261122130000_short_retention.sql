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

-- Not where the message is frozen: that is stored and nothing else (GDPR, article 18(2)).
create function private.forget_sender_addresses() returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  forgotten integer;
begin
  update public.contact_submissions as submission
  set ip_address = null
  where submission.ip_address is not null and submission.frozen_at is null
    and submission.created_at < now() - private.retention_period('sender_addresses');
  get diagnostics forgotten = row_count;
  return jsonb_build_object('sender_addresses', forgotten);
end;
$$;

revoke all on function private.forget_sender_addresses() from public, anon, authenticated, service_role;

-- Deletes whatever is past its time, and says how much. What is frozen stays: it may be stored and nothing else (GDPR,
-- article 18(2)), and its person may be the one who wants it kept (article 18(1)(b) and (c)). New: the internet
-- addresses of senders.
create or replace function public.keep_retention(source text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  counts jsonb := '{}';
  deleted integer;
  more integer;
begin
  -- Two runs at once take turns; the second finds nothing.
  perform pg_advisory_xact_lock(hashtextextended('keep_retention', 0));

  delete from public.contact_submissions as submission
  where submission.frozen_at is null and submission.created_at < now() - private.retention_period('contact_submissions');
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('submissions', deleted);

  perform set_config('private.erases_log', 'on', true);
  delete from public.data_rights_requests as request
  where request.frozen_at is null and (
    request.closed_at < now() - private.retention_period('closed_requests')
    or (
      request.state = 'unconfirmed'
      and request.due_on::timestamp at time zone 'UTC' < now() - private.retention_period('unconfirmed_requests')
    )
  );
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('requests', deleted);

  delete from public.admin_events as event where event.at < now() - private.retention_period('records');
  get diagnostics deleted = row_count;
  perform set_config('private.erases_log', 'off', true);
  delete from private.erasure_tombstones as tombstone where tombstone.erased_at < now() - private.retention_period('records');
  get diagnostics more = row_count;
  deleted := deleted + more;
  delete from private.retention_runs as run where run.ran_at < now() - private.retention_period('records');
  get diagnostics more = row_count;
  counts := counts || jsonb_build_object('records', deleted + more);

  delete from private.email_outbox as mail
  where coalesce(mail.delivered_at, mail.gave_up_at) < now() - private.retention_period('mails')
    and not private.is_frozen(mail);
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('mails', deleted);

  delete from private.contact_receipts as receipt where receipt.received_at < now() - private.retention_period('receipts');
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('receipts', deleted);

  delete from private.data_rights_links as link
  where link.expires_at < now() or link.request_id in (
    select request.id from public.data_rights_requests as request
    where request.frozen_at is null and request.closed_at < now() - private.retention_period('status_links')
  );
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('links', deleted);

  -- Counting deletes them by itself, but only while somebody is counted. Past what others hold: nobody waits for this.
  delete from private.rate_limits as expired
  where expired.key in (
    select old.key from private.rate_limits as old where old.resets_at <= now() for update skip locked
  );

  counts := counts || private.forget_sender_addresses();
  counts := counts || private.keep_consent_retention();
  insert into private.retention_runs (source, counts) values (keep_retention.source, counts);
  return counts;
end;
$$;

comment on function public.keep_retention(text) is
  'Deletes what is past its time and returns the counts {submissions, requests, records, mails, receipts, links, '
  'sender_addresses, consents, consent_decisions}, which are kept with source. Safe to repeat. Raises 23514 for a source that is no word.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122130000' $$;
