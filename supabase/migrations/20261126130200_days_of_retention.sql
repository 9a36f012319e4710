-- What ends with a day, and the months of the times to answer: by the firm's days instead of UTC's. All as before otherwise.
create or replace function private.keep_request_retention() returns integer
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
      and private.start_of_day(request.due_on) < now() - private.retention_period('unconfirmed_requests')
    )
  );
  get diagnostics deleted = row_count;
  perform set_config('private.erases_log', 'off', true);
  return deleted;
end;
$$;

create or replace function private.lift_ended_restrictions() returns void
language plpgsql
set search_path = ''
as $$
declare
  person text;
  request public.data_rights_requests;
begin
  for person in
    select distinct private.subject_key(own.email) from public.data_rights_requests as own
    where own.restriction_ends_on <= private.today()
    order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended(person, 0));
    -- Asked again: it may have been called off before the turn came.
    select * into request from public.data_rights_requests as own
    where private.subject_key(own.email) = person and own.restriction_ends_on <= private.today()
    order by own.received_at, own.id
    limit 1;
    continue when not found;
    update public.contact_submissions as submission
    set frozen_at = null
    where private.subject_key(submission.email) = person and submission.frozen_at is not null;
    update public.data_rights_requests as own
    set frozen_at = null, restriction_ends_on = null
    where private.subject_key(own.email) = person and own.frozen_at is not null;
    perform private.record_request_event(request.id, 'system', 'restriction-lifted', null);
  end loop;
end;
$$;

create or replace function public.lift_restriction(request_id uuid, reason text, mail jsonb) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_restricted(request_id);
  if request.restriction_ends_on is not null then
    raise exception 'that the restriction ends is announced already' using errcode = '55000';
  end if;
  request.restriction_ends_on := private.today() + private.restriction_notice();
  update public.data_rights_requests as own
  set restriction_ends_on = request.restriction_ends_on
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is not null;
  perform private.record_request_event(request.id, 'admin', 'restriction-ending', private.require_words(reason));
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return jsonb_build_object('ends_on', request.restriction_ends_on);
end;
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

  delete from private.day_counts as counted where counted.day < (private.today() - private.retention_period('day_counts'))::date;
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

create or replace function public.answer_times() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(to_jsonb(month_of_messages) order by month_of_messages.month desc), '[]')
    from (
      select
        to_char(submission.created_at at time zone private.time_zone(), 'YYYY-MM') as month,
        count(*) as messages,
        count(submission.answered_at) as answered,
        round((percentile_cont(0.5) within group (
          order by extract(epoch from submission.answered_at - submission.created_at)
        ) filter (where submission.answered_at is not null))::numeric) as median_seconds,
        count(*) filter (where submission.answered_at <= submission.answer_due_at) as in_time,
        count(*) filter (where submission.answered_at is not null or submission.answer_due_at < now()) as judged
      from public.contact_submissions as submission
      where submission.frozen_at is null and submission.quarantine_reason is null and submission.state <> 'spam'
        and (submission.state <> 'done' or submission.answered_at is not null)
        and submission.created_at >= private.start_of_day((date_trunc('month', private.today()) - interval '12 months')::date)
      group by 1
    ) as month_of_messages
  );
end;
$$;

comment on function public.answer_times() is
  'Of this month and the twelve before it, the newest first: [{month (YYYY-MM, at the firm), messages, answered, median_seconds (null where '
  'none is answered), in_time, judged}]; judged are those that were answered or whose time is over. Raises 42501 for others than admins.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126130200' $$;
