-- Where no mail server is set, a mail is a file that is named after its row and is deleted with it. So the last mail to
-- somebody who was erased keeps its row for as long as its file may be read: 'filed' is delivered, but deletes nothing.
-- What is different: the outcome 'filed'.
create or replace function public.settle_mail(mail_id uuid, outcome text, error_code text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if outcome is null or outcome not in ('delivered', 'filed', 'retry', 'rejected') then
    raise exception 'unknown outcome' using errcode = '22023';
  end if;

  update private.email_outbox as mail
  set leased_until = null,
    last_error = case when outcome in ('delivered', 'filed') then null else error_code end,
    delivered_at = case when outcome in ('delivered', 'filed') then now() end,
    gave_up_at = case
      when mail.recipient is not null
        and (outcome = 'rejected' or (outcome = 'retry' and mail.created_at < now() - interval '5 days'))
      then now()
    end,
    -- 15 s, 30 s, 1 min … 6 h; a tenth of jitter keeps a recovered server from getting everything at once.
    next_attempt_at = now()
      + least(interval '15 seconds' * power(2, least(greatest(mail.attempts - 1, 0), 12)), interval '6 hours')
      * (1 + random() / 10)
  where mail.id = mail_id and mail.delivered_at is null;

  delete from private.email_outbox as mail
  where mail.id = mail_id
    and mail.forget_when_delivered
    and outcome <> 'filed'
    and (mail.delivered_at is not null or mail.gave_up_at is not null);

  update private.email_outbox as mail
  set body = private.without_tokens(mail.body)
  where mail.id = mail_id
    and mail.kind = 'request-acknowledgement'
    and (mail.delivered_at is not null or mail.gave_up_at is not null);
end;
$$;

comment on function public.settle_mail(uuid, text, text) is
  'Ends one attempt: delivered, filed (written to a file, whose row must stay), retry (after a growing pause) or rejected '
  '(for good, except for the firm''s mail). A mail that is already delivered stays so.';

-- What is different: the last mail to somebody who was erased ends with the period of mails even where nothing ever tried
-- to deliver it. Attempts end after five days, so that nothing is deleted that might still be sent.
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
  where (
      coalesce(mail.delivered_at, mail.gave_up_at) < now() - private.retention_period('mails')
      or (
        mail.forget_when_delivered
        and mail.created_at < now() - private.retention_period('mails') - interval '5 days'
      )
    )
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

  counts := counts || private.keep_consent_retention();
  insert into private.retention_runs (source, counts) values (keep_retention.source, counts);
  return counts;
end;
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122120000' $$;
