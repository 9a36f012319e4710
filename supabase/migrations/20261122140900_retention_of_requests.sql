-- The part of keep_retention that is about requests. As before, but nothing goes that its person has asked for, and an
-- unconfirmed one goes only when its requester was
-- written to a second time, which says on which day and what they can do (GDPR, article 12(4)).
create function private.keep_request_retention() returns integer
language plpgsql
set search_path = ''
as $$
declare
  deleted integer;
begin
  perform set_config('private.erases_log', 'on', true);
  delete from public.data_rights_requests as request
  where request.frozen_at is null and not private.is_asked_for(request.email) and (
    request.closed_at < now() - private.retention_period('closed_requests')
    or (
      request.state = 'unconfirmed' and request.last_reminder = 'unconfirmed'
      and request.due_on::timestamp at time zone 'UTC' < now() - private.retention_period('unconfirmed_requests')
    )
  );
  get diagnostics deleted = row_count;
  perform set_config('private.erases_log', 'off', true);
  return deleted;
end;
$$;

revoke all on function private.keep_request_retention() from public, anon, authenticated, service_role;

-- The internet address of the machine that a message came from is kept for 30 days. Not where the message is frozen: that is
-- stored and nothing else (GDPR, article 18(2)).
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
    and submission.created_at < now() - private.retention_period('sender_addresses')
    and not private.is_asked_for(submission.email);
  get diagnostics forgotten = row_count;
  return jsonb_build_object('sender_addresses', forgotten);
end;
$$;

revoke all on function private.forget_sender_addresses() from public, anon, authenticated, service_role;

-- As before, with the parts about requests and senders in functions of their own. New: nothing goes that its person has
-- asked for; restrictions whose end was announced for today are lifted; data that was handed over goes when its time is over; and the last mail to somebody who was erased ends
-- with the period of mails even where nothing ever tried to deliver it (attempts end after five days, so that nothing is
-- deleted that might still be sent).
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

  delete from private.contact_receipts as receipt where receipt.received_at < now() - private.retention_period('receipts');
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('receipts', deleted);

  -- A copy of what is counted elsewhere.
  delete from private.data_packages as package where package.available_until < now();

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

  -- After what is deleted, so that what becomes free is deleted no sooner than a day later.
  perform private.lift_ended_restrictions();

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
as $$ select '20261122140900' $$;
