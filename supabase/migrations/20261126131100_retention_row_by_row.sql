-- A row that the database refuses to delete stays, is counted and keeps nothing else from being deleted. Before, one such row
-- undid the whole run, on every day anew. Days are the firm's.

-- Applies a statement to all rows that are due; where one of them is refused, to each row by itself.
-- action: an update or delete of the target as "due", without its condition.
create function private.apply_to_due(action text, target regclass, is_due text, out done integer, out refused integer)
language plpgsql
set search_path = ''
as $$
declare
  place tid;
  more integer;
begin
  done := 0;
  refused := 0;
  begin
    execute format('%s where %s', action, is_due);
    get diagnostics done = row_count;
    return;
  exception when others then
    done := 0;
  end;
  for place in execute format('select due.ctid from %s as due where %s', target, is_due) loop
    begin
      execute format('%s where due.ctid = $1 and (%s)', action, is_due) using place;
      get diagnostics more = row_count;
      done := done + more;
    exception when others then
      refused := refused + 1;
      raise warning 'retention: a row of % is refused with %', target, sqlstate;
    end;
  end loop;
end;
$$;

-- What a run of retention has counted, with one more kind of row. Several steps may count as one kind.
create function private.add_to_counts(counts jsonb, kind text, done integer, refused integer) returns jsonb
language sql immutable
set search_path = ''
as $$
  select counts
    || jsonb_build_object(kind, coalesce((counts ->> kind)::integer, 0) + done)
    || case
      when refused = 0 then '{}'
      else jsonb_build_object(kind || '_refused', coalesce((counts ->> (kind || '_refused'))::integer, 0) + refused)
    end
$$;

-- As before, but a person whose restriction cannot be lifted keeps nobody else restricted. Returns how many cannot.
drop function private.lift_ended_restrictions();
create function private.lift_ended_restrictions() returns integer
language plpgsql
set search_path = ''
as $$
declare
  person text;
  request public.data_rights_requests;
  refused integer := 0;
begin
  for person in
    select distinct private.subject_key(own.email) from public.data_rights_requests as own
    where own.restriction_ends_on <= private.today()
    order by 1
  loop
    begin
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
    exception when others then
      refused := refused + 1;
      raise warning 'retention: a restriction cannot be lifted: %', sqlstate;
    end;
  end loop;
  return refused;
end;
$$;

-- As before, row by row where one is refused. Takes the counts and returns them with those of consent.
drop function private.keep_consent_retention();
create function private.keep_consent_retention(counts jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  ended text[];
  told record;
begin
  -- Found first: once a decision is gone, its record no longer shows that it was withdrawn.
  select coalesce(array_agg(consent.session_id), '{}') into ended
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
    );
  perform set_config('private.erases_consent', 'on', true);
  told := private.apply_to_due(
    'delete from public.user_consents as due', 'public.user_consents',
    format('due.updated_at < now() - private.retention_period(''consents'') or due.session_id = any (%L::text[])', ended)
  );
  counts := private.add_to_counts(counts, 'consents', told.done, told.refused);
  -- The decisions of a record that was refused stay with it, or the next run would not find it.
  select coalesce(array_agg(gone.session_id), '{}') into ended
  from unnest(ended) as gone (session_id)
  where not exists (select from public.user_consents as consent where consent.session_id = gone.session_id);
  told := private.apply_to_due(
    'delete from private.consent_history as due', 'private.consent_history',
    format('due.decided_at < now() - private.retention_period(''consents'') or due.session_id = any (%L::text[])', ended)
  );
  perform set_config('private.erases_consent', 'off', true);
  return private.add_to_counts(counts, 'consent_decisions', told.done, told.refused);
end;
$$;

-- As before, row by row where one is refused.
create or replace function public.keep_retention(source text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  counts jsonb := '{}';
  step record;
  told record;
  stuck integer;
begin
  -- Two runs at once take turns; the second finds nothing.
  perform pg_advisory_xact_lock(hashtextextended('keep_retention', 0));

  perform set_config('private.erases_log', 'on', true);
  for step in
    select * from (values
      ('submissions', 'public.contact_submissions',
        $due$due.frozen_at is null and due.created_at < now() - private.retention_period('contact_submissions')
          and not private.is_asked_for(due.email)$due$),
      -- An unconfirmed one goes only when its requester was written to a second time (GDPR, article 12(4)).
      ('requests', 'public.data_rights_requests',
        $due$due.frozen_at is null and not private.is_asked_for(due.email) and (
          due.closed_at < now() - private.retention_period('closed_requests')
          or (
            due.state = 'unconfirmed' and due.last_reminder = 'unconfirmed'
            and private.start_of_day(due.due_on) < now() - private.retention_period('unconfirmed_requests')
          )
        )$due$),
      ('records', 'public.admin_events', $due$due.at < now() - private.retention_period('records')$due$),
      ('records', 'private.erasure_tombstones', $due$due.erased_at < now() - private.retention_period('records')$due$),
      ('records', 'private.retention_runs', $due$due.ran_at < now() - private.retention_period('records')$due$),
      ('mails', 'private.email_outbox',
        $due$(
          coalesce(due.delivered_at, due.gave_up_at) < now() - private.retention_period('mails')
          or (due.forget_when_delivered and due.created_at < now() - private.retention_period('mails') - interval '5 days')
        ) and not private.is_frozen(due) and not private.is_asked_for(due)$due$),
      ('account_events', 'private.account_events', $due$due.at < now() - private.retention_period('account_events')$due$),
      ('receipts', 'private.contact_receipts', $due$due.received_at < now() - private.retention_period('receipts')$due$),
      ('day_counts', 'private.day_counts', $due$due.day < (private.today() - private.retention_period('day_counts'))::date$due$),
      ('', 'private.count_reports', $due$due.received_at < now() - private.retention_period('receipts')$due$),
      -- A copy of what is counted elsewhere.
      ('', 'private.data_packages', $due$due.available_until < now()$due$),
      ('links', 'private.data_rights_links',
        $due$due.expires_at < now() or due.request_id in (
          select request.id from public.data_rights_requests as request
          where request.frozen_at is null and request.closed_at < now() - private.retention_period('status_links')
        )$due$),
      ('links', 'private.account_links', $due$due.expires_at < now() - interval '1 day'$due$),
      -- Counting deletes them by itself, but only while somebody is counted. Past what others hold: nobody waits for this.
      ('', 'private.rate_limits',
        $due$due.key in (select old.key from private.rate_limits as old where old.resets_at <= now() for update skip locked)$due$)
    ) as steps (kind, target, is_due)
  loop
    told := private.apply_to_due(format('delete from %s as due', step.target), step.target::regclass, step.is_due);
    -- Without a kind, rows that name nobody: only what is refused is told.
    if step.kind <> '' or told.refused > 0 then
      counts := private.add_to_counts(counts, coalesce(nullif(step.kind, ''), 'others'), told.done, told.refused);
    end if;
  end loop;
  perform set_config('private.erases_log', 'off', true);

  -- After what is deleted, so that what becomes free is deleted no sooner than a day later.
  stuck := private.lift_ended_restrictions();
  if stuck > 0 then
    counts := private.add_to_counts(counts, 'restrictions', 0, stuck);
  end if;

  -- The internet address of a sender's machine. Not where the message is frozen: that is stored and nothing else (GDPR, 18(2)).
  told := private.apply_to_due(
    'update public.contact_submissions as due set ip_address = null', 'public.contact_submissions',
    $due$due.ip_address is not null and due.frozen_at is null
      and due.created_at < now() - private.retention_period('sender_addresses') and not private.is_asked_for(due.email)$due$
  );
  counts := private.add_to_counts(counts, 'sender_addresses', told.done, told.refused);
  counts := private.keep_consent_retention(counts);
  insert into private.retention_runs (source, counts) values (keep_retention.source, counts);
  return counts;
end;
$$;

comment on function public.keep_retention(text) is
  'Deletes what is past its time and returns the counts {submissions, requests, records, mails, account_events, receipts, '
  'day_counts, links, sender_addresses, consents, consent_decisions}, which are kept with source; with <kind>_refused of rows that the '
  'database refused to delete. Safe to repeat. Raises 23514 for a source that is no word.';

drop function private.keep_request_retention();
drop function private.forget_sender_addresses();

-- As before, but a run that left something undone is not the last one: after two days /admin says so.
create or replace function public.read_inbox(
  folder text default 'all', search text default null, page_cursor text default null
) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'page', private.turn_page('scan_submissions', folder, search, page_cursor, 25),
    'counts', private.count_submissions(),
    'mail', (select to_jsonb(mail) from private.outbox_status() as mail),
    'retention', (
      select jsonb_build_object('ran_at', run.ran_at, 'source', run.source, 'counts', run.counts)
      from private.retention_runs as run
      where not jsonb_path_exists(run.counts, '$.keyvalue() ? (@.key like_regex "_refused$")')
      order by run.ran_at desc limit 1
    ),
    'overdue_requests', private.count_overdue_requests()
  );
end;
$$;

revoke all on function
  private.apply_to_due(text, regclass, text), private.add_to_counts(jsonb, text, integer, integer),
  private.lift_ended_restrictions(), private.keep_consent_retention(jsonb)
  from public, anon, authenticated, service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126131100' $$;
