-- Counts of a day are kept for 13 months, and numbers of reports for a day. Both functions are as before but for that.
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
    -- Longer than anybody is away without a look.
    ('account_events', interval '30 days'),
    ('receipts', interval '1 day'),
    -- A year can be compared with the one before, month by month. They name no visitor.
    ('day_counts', interval '13 months'),
    -- What proves that all this was done: erasures, the log of what admins did, the runs below. It names no visitor.
    ('records', interval '3 years')
$$;

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
  where submission.frozen_at is null and submission.created_at < now() - private.retention_period('contact_submissions')
    and not private.is_asked_for(submission.email);
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('submissions', deleted);

  counts := counts || jsonb_build_object('requests', private.keep_request_retention());

  perform set_config('private.erases_log', 'on', true);
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
  where (
      coalesce(mail.delivered_at, mail.gave_up_at) < now() - private.retention_period('mails')
      or (
        mail.forget_when_delivered
        and mail.created_at < now() - private.retention_period('mails') - interval '5 days'
      )
    )
    and not private.is_frozen(mail) and not private.is_asked_for(mail);
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('mails', deleted);

  delete from private.account_events as event where event.at < now() - private.retention_period('account_events');
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('account_events', deleted);

  delete from private.contact_receipts as receipt where receipt.received_at < now() - private.retention_period('receipts');
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('receipts', deleted);

  delete from private.day_counts as counted where counted.day < (now() - private.retention_period('day_counts'))::date;
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('day_counts', deleted);
  delete from private.count_reports as report where report.received_at < now() - private.retention_period('receipts');

  -- A copy of what is counted elsewhere.
  delete from private.data_packages as package where package.available_until < now();

  delete from private.data_rights_links as link
  where link.expires_at < now() or link.request_id in (
    select request.id from public.data_rights_requests as request
    where request.frozen_at is null and request.closed_at < now() - private.retention_period('status_links')
  );
  get diagnostics deleted = row_count;
  delete from private.account_links as link where link.expires_at < now() - interval '1 day';
  get diagnostics more = row_count;
  counts := counts || jsonb_build_object('links', deleted + more);

  -- Counting deletes them by itself, but only while somebody is counted. Past what others hold: nobody waits for this.
  delete from private.rate_limits as expired
  where expired.key in (
    select old.key from private.rate_limits as old where old.resets_at <= now() for update skip locked
  );

  -- After what is deleted, so that what becomes free is deleted no sooner than a day later.
  perform private.lift_ended_restrictions();

  counts := counts || private.forget_sender_addresses();
  counts := counts || private.keep_consent_retention();
  insert into private.retention_runs (source, counts) values (keep_retention.source, counts);
  return counts;
end;
$$;

comment on function public.keep_retention(text) is
  'Deletes what is past its time and returns the counts {submissions, requests, records, mails, account_events, receipts, '
  'day_counts, links, sender_addresses, consents, consent_decisions}, which are kept with source. Safe to repeat. Raises 23514 for a '
  'source that is no word.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261123040100' $$;
