-- Retention: the periods, the clock that they go by, and the function that deletes what is past them.

-- The periods that the privacy policy promises, from app/content/facts.ts.
create function private.retention_periods() returns table (kind text, period interval)
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
    -- The proof that all this was done: erasures, the log of what admins did, the runs below. It names no visitor.
    ('records', interval '3 years')
$$;
revoke all on function private.retention_periods() from public, anon, authenticated, service_role;

-- One of them. With a constant it is worked out before a statement runs, so that indexes serve.
create function private.retention_period(kind text) returns interval
language sql immutable
set search_path = ''
as $$ select periods.period from private.retention_periods() as periods where periods.kind = retention_period.kind $$;
revoke all on function private.retention_period(text) from public, anon, authenticated, service_role;

create table private.retention_runs (
  ran_at timestamptz primary key default clock_timestamp(),
  -- The server's timer, pg_cron or an operator started it.
  source text not null check (source ~ '^[a-z0-9_-]{1,40}$'),
  counts jsonb not null
);
alter table private.retention_runs enable row level security;
revoke all on table private.retention_runs from public, anon, authenticated, service_role;

-- The clock as retention last saw it; no row before its first run.
create table private.retention_clock (
  is_only boolean primary key default true check (is_only),
  seen_at timestamptz not null,
  -- Since when the clock is doubted; null while it is trusted.
  doubted_since timestamptz
);
alter table private.retention_clock enable row level security;
revoke all on table private.retention_clock from public, anon, authenticated, service_role;

-- Tells a clock that cannot be believed from the time of the last run: it was set back, or went on by more than two weeks. Retention runs
-- daily, and the shortest period that anybody would miss is 30 days, of which a smaller jump ends no more than half.
create function private.is_jump_since(seen_at timestamptz) returns boolean
language sql stable
set search_path = ''
as $$ select now() not between seen_at - interval '1 hour' and seen_at + interval '14 days' $$;
revoke all on function private.is_jump_since(timestamptz) from public, anon, authenticated, service_role;

-- Nothing is deleted for its age for a day after a jump, however often retention runs: somebody can mend the clock. A site that was off
-- for weeks waits as long, since a day late can be mended and a day early cannot. 23 hours, because a daily timer may be a little early.
create function private.retention_waits() returns boolean
language sql stable
set search_path = ''
as $$
  select coalesce(bool_or(
    private.is_jump_since(clock.seen_at) or coalesce(clock.doubted_since > now() - interval '23 hours', false)
  ), false)
  from private.retention_clock as clock
$$;

comment on function private.retention_waits() is
  'Says that the clock has jumped since the last run of retention, or had less than a day before: nothing may be deleted for its age.';
revoke all on function private.retention_waits() from public, anon, authenticated, service_role;

-- Records of consent "until withdrawn or two years" (REQUIREMENTS 10.2). Who never allowed anything has withdrawn nothing: that refusal is
-- kept for the two years, as the proof that it was heard. Where only a signal ever spoke, it is 30 days. Takes the counts and returns them
-- with those of consent.
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
revoke all on function private.keep_consent_retention(jsonb) from public, anon, authenticated, service_role;

-- Deletes what is past its time, and says how much; nothing by a clock that has jumped. What is frozen stays: it may be stored and nothing else (GDPR, article 18(2)), and
-- its person may be the one who wants it kept (article 18(1)(b) and (c)). So does what its person has asked for. Restrictions whose end
-- was announced for today are lifted. The last mail to somebody who was erased ends with the period of mails even where no worker ever
-- tried to deliver it: attempts end after five days, so nothing is deleted that might still be sent.
create function public.keep_retention(source text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  counts jsonb := '{}';
  waits boolean;
  step record;
  told record;
  stuck integer;
begin
  -- Two runs at once take turns; the second finds nothing.
  perform pg_advisory_xact_lock(hashtextextended('keep_retention', 0));

  waits := private.retention_waits();
  insert into private.retention_clock as clock (seen_at) values (now())
  on conflict (is_only) do update
    set seen_at = excluded.seen_at,
      doubted_since = case
        when private.is_jump_since(clock.seen_at) then excluded.seen_at
        when waits then clock.doubted_since
      end;
  if waits then
    return null;
  end if;

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
  'database refused to delete. Null, with nothing deleted, while private.retention_waits. Safe to repeat. Raises 23514 for a source that is no word.';
revoke all on function public.keep_retention(text) from public, anon, authenticated, service_role;
grant execute on function public.keep_retention(text) to service_role;

-- A hosted database that has pg_cron keeps retention by itself, at a quiet hour; elsewhere the server's timer does.
-- An operator who adds pg_cron later calls this once: select private.schedule_retention();
create function private.schedule_retention() returns boolean
language plpgsql
set search_path = ''
as $$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  -- By its name, so that doing it twice is one schedule. Dynamic, because elsewhere there is no such function.
  execute $call$select cron.schedule('keep-retention', '17 3 * * *', 'select public.keep_retention(''pg_cron'')')$call$;
  return true;
end;
$$;

comment on function private.schedule_retention() is 'Whether there is pg_cron, which now runs keep_retention every day at 03:17 UTC.';
revoke all on function private.schedule_retention() from public, anon, authenticated, service_role;

do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_cron') then
    begin
      create extension if not exists pg_cron;
    exception when others then
      -- Installed on the machine, but not set up for this database: then the server's timer does it.
      raise notice 'pg_cron cannot be used here: %', sqlstate;
    end;
  end if;
  perform private.schedule_retention();
end;
$$;

-- Applies a statement to all rows that are due; where one of them is refused, to each row by itself. A row that the database refuses to
-- delete stays, is counted and keeps nothing else from being deleted. Days are the firm's.
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
revoke all on function private.apply_to_due(text, regclass, text) from public, anon, authenticated, service_role;

-- The counts of a run of retention, with one more kind of row. Several steps may count as one kind.
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
revoke all on function private.add_to_counts(jsonb, text, integer, integer) from public, anon, authenticated, service_role;
