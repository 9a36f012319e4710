-- Retention: the periods, the check of the clock, and the function that deletes expired data.

-- The periods that the privacy policy promises, from app/content/facts.ts.
create function private.retention_periods() returns table (kind text, period interval)
language sql immutable
set search_path = ''
as $$
  values
    -- REQUIREMENTS 10.
    ('contact_submissions', interval '2 years'),
    ('consents', interval '2 years'),
    -- Withdrawn consent ends sooner, but not immediately: until then the record prevents a delayed copy of the earlier
    -- consent from taking effect, and the withdrawal can be proven on request.
    ('withdrawn_consents', interval '30 days'),
    -- The record of a browser signal. The visitor never sees its id, so cannot request it. It only proves that the site
    -- honors signals.
    ('signal_records', interval '30 days'),
    -- Abuse is investigated within days.
    ('sender_addresses', interval '30 days'),
    -- After closing: legal claims can be made for that long.
    ('closed_requests', interval '3 years'),
    -- After the request was closed.
    ('status_links', interval '90 days'),
    -- After the due date. Until then an admin may still help a requester whose mail was lost.
    ('unconfirmed_requests', interval '30 days'),
    -- After the mail to confirm was delivered: a wish to join the network, and a member's later wish.
    ('unconfirmed_members', interval '7 days'),
    -- After the link to a member's page was made.
    ('page_links', interval '30 days'),
    -- After a member who is away asked for a link: until then they get no second one.
    ('away_mails', interval '30 days'),
    -- After the key of the links in letters was changed.
    ('ended_link_keys', interval '60 days'),
    -- After the message was answered: a link that marks it as answered.
    ('answered_links', interval '30 days'),
    -- After the last yes a member is asked again, and is removed without a response.
    ('member_renewals', interval '24 months'),
    ('silent_members', interval '60 days'),
    -- After the decision: the firm can say why it declined.
    ('declined_members', interval '24 months'),
    -- After the member stopped all mail. Until then they can take it back.
    ('unsubscribed_members', interval '7 days'),
    -- After delivery, or after it was given up.
    ('mails', interval '30 days'),
    -- Longer than any absence without checking the account.
    ('account_events', interval '30 days'),
    ('receipts', interval '1 day'),
    -- Allows month-by-month comparison with the year before. They identify no visitor.
    ('day_counts', interval '13 months'),
    -- Proof of compliance: erasures, the log of admin actions, and the runs below. It identifies no visitor.
    ('records', interval '3 years')
$$;

-- Returns one period. With a constant argument the planner evaluates it in advance, so indexes can be used.
create function private.retention_period(kind text) returns interval
language sql immutable
set search_path = ''
as $$ select periods.period from private.retention_periods() as periods where periods.kind = retention_period.kind $$;

create table private.retention_runs (
  ran_at timestamptz primary key default clock_timestamp(),
  -- The trigger of the run: the server's timer, pg_cron or an operator.
  source text not null check (source ~ '^[a-z0-9_-]{1,40}$'),
  counts jsonb not null
);

-- The time of the last retention run by the database's clock. No row before the first run.
create table private.retention_clock (
  is_only boolean primary key default true check (is_only),
  seen_at timestamptz not null,
  -- Start of distrust in the clock; null while it is trusted.
  doubted_since timestamptz
);

-- Returns true when the clock is not credible given the time of the last run: it was set back, or advanced by more than
-- two weeks. Retention runs daily, and the shortest period whose loss would matter is 30 days; a smaller jump cuts at
-- most half of it.
create function private.is_jump_since(seen_at timestamptz) returns boolean
language sql stable
set search_path = ''
as $$ select now() not between seen_at - interval '1 hour' and seen_at + interval '14 days' $$;

-- Returns true when the clock has jumped since the last retention run, or did so less than a day before it. Then data is
-- not deleted by age, however often retention runs, so that an operator can correct the clock. A site that was off for
-- weeks waits as well: a deletion that is a day late can be made up for, one that is a day early cannot. 23 hours, because
-- a daily timer may fire slightly early.
create function private.retention_waits() returns boolean
language sql stable
set search_path = ''
as $$
  select coalesce(bool_or(
    private.is_jump_since(clock.seen_at) or coalesce(clock.doubted_since > now() - interval '23 hours', false)
  ), false)
  from private.retention_clock as clock
$$;

-- Consent records are retained "until withdrawn or two years" (REQUIREMENTS 10.2). A visitor who never consented has
-- withdrawn nothing, so that refusal is retained for the two years, as proof that it was honored. A record based only
-- on a signal is retained for 30 days. Takes the counts and returns them with those of consent added.
create function private.keep_consent_retention(counts jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  ended text[];
  result record;
begin
  -- Select these first: once a decision is deleted, its record no longer shows the withdrawal.
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
  result := private.apply_to_due(
    'delete from public.user_consents as due', 'public.user_consents',
    format('due.updated_at < now() - private.retention_period(''consents'') or due.session_id = any (%L::text[])', ended)
  );
  counts := private.add_to_counts(counts, 'consents', result.done, result.refused);
  -- Keep the decisions of a record that could not be deleted, or the next run would not find it.
  select coalesce(array_agg(deleted.session_id), '{}') into ended
  from unnest(ended) as deleted (session_id)
  where not exists (select from public.user_consents as consent where consent.session_id = deleted.session_id);
  result := private.apply_to_due(
    'delete from private.consent_history as due', 'private.consent_history',
    format('due.decided_at < now() - private.retention_period(''consents'') or due.session_id = any (%L::text[])', ended)
  );
  return private.add_to_counts(counts, 'consent_decisions', result.done, result.refused);
end;
$$;

-- Deletes expired data and returns the counts; deletes nothing after the clock has jumped. Data that is restricted, or
-- that has an open request for it, stays (private.apply_to_due). Restrictions whose end was announced for today are
-- lifted. The last mail to an erased person expires with the retention period of mails even if no worker ever tried to
-- deliver it: attempts end after five days, so no mail is deleted that might still be sent.
create function public.keep_retention(source text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  counts jsonb := '{}';
  waits boolean;
  step record;
  result record;
  failed integer;
begin
  -- Concurrent runs wait for each other; the second finds no expired data.
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
        $due$due.created_at < now() - private.retention_period('contact_submissions')$due$),
      -- An unconfirmed request is deleted only after its requester was written to a second time (GDPR, article 12(4)).
      ('requests', 'public.data_rights_requests',
        $due$due.closed_at < now() - private.retention_period('closed_requests')
          or (
            due.state = 'unconfirmed' and due.last_reminder = 'unconfirmed'
            and greatest(private.start_of_day(due.due_on), due.last_reminder_at)
              < now() - private.retention_period('unconfirmed_requests')
            -- The reminder waits for the mail server.
            and not exists (
              select from private.email_outbox as mail
              where mail.request_id = due.id and mail.delivered_at is null and mail.gave_up_at is null
                and mail.kind = 'request-acknowledgement'
            )
          )$due$),
      ('members', 'public.network_members',
        $due$(due.state = 'asked' and due.asked_at < now() - private.retention_period('unconfirmed_members')
            and not private.has_waiting_mail(due.id))
          or (due.state = 'declined' and due.decided_at < now() - private.retention_period('declined_members'))$due$),
      -- A letter is kept for the members who got it, and a while for the admin who sent or stopped it.
      ('letters', 'public.network_letters',
        $due$due.sent_at is not null and not exists (
          select from private.letter_recipients as recipient where recipient.letter_id = due.id
        ) and coalesce(due.stopped_at, due.sent_at) < now() - private.retention_period('mails')$due$),
      ('records', 'private.network_departures', $due$due.left_at < now() - private.retention_period('records')$due$),
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
      -- A copy of data that is counted elsewhere.
      ('', 'private.data_packages', $due$due.available_until < now()$due$),
      ('links', 'private.data_rights_links',
        $due$due.expires_at < now() or due.request_id in (
          select request.id from private.open_requests as request
          where request.closed_at < now() - private.retention_period('status_links')
        )$due$),
      ('links', 'private.account_links', $due$due.expires_at < now() - interval '1 day'$due$),
      ('links', 'private.answer_links',
        $due$due.submission_id in (
          select submission.id from private.open_submissions as submission
          where submission.answered_at < now() - private.retention_period('answered_links')
        )$due$),
      ('links', 'private.link_keys', $due$due.ended_at < now() - private.retention_period('ended_link_keys')$due$),
      -- count_attempt also deletes these, but only when it is called. Skips locked rows, so that this never waits.
      ('', 'private.rate_limits',
        $due$due.key in (select old.key from private.rate_limits as old where old.resets_at <= now() for update skip locked)$due$)
    ) as steps (kind, target, is_due)
  loop
    result := private.apply_to_due(format('delete from %s as due', step.target), step.target::regclass, step.is_due);
    -- Steps without a kind delete no personal data, so only failures are reported.
    if step.kind <> '' or result.refused > 0 then
      counts := private.add_to_counts(counts, coalesce(nullif(step.kind, ''), 'others'), result.done, result.refused);
    end if;
  end loop;
  -- Members who stopped all mail, and those who got the question to stay and did not respond. A mailbox that refuses mail
  -- cannot be asked, so it counts as silent from the refusal, or the day on which it would have been asked. Skips locked
  -- rows, because a member who is leaving waits for the count of those who left.
  result := private.apply_to_due(
    'select private.remove_member(due) from public.network_members as due', 'public.network_members',
    $due$due.id in (
      select member.id from private.open_members as member
      where member.unsubscribed_at < now() - private.retention_period('unsubscribed_members')
        or (member.state in ('confirmed', 'admitted') and least(
          member.renewal_asked_at,
          case
            when member.paused_at is not null
            then greatest(member.paused_at, member.renewed_at + private.retention_period('member_renewals'))
          end
        ) < now() - private.retention_period('silent_members'))
      for update skip locked
    )$due$
  );
  counts := private.add_to_counts(counts, 'members', result.done, result.refused);

  -- Lift restrictions after the deletions, so that released rows are deleted a day later at the earliest.
  failed := private.lift_ended_restrictions();
  if failed > 0 then
    counts := private.add_to_counts(counts, 'restrictions', 0, failed);
  end if;

  -- A member's later wish that was never confirmed.
  result := private.apply_to_due(
    'update public.network_members as due set pending = null, pending_at = null', 'public.network_members',
    $due$due.pending_at < now() - private.retention_period('unconfirmed_members')
      and not private.has_waiting_mail(due.id)$due$
  );
  counts := private.add_to_counts(counts, 'wishes', result.done, result.refused);

  -- The sender's IP address.
  result := private.apply_to_due(
    'update public.contact_submissions as due set ip_address = null', 'public.contact_submissions',
    $due$due.ip_address is not null and due.created_at < now() - private.retention_period('sender_addresses')$due$
  );
  counts := private.add_to_counts(counts, 'sender_addresses', result.done, result.refused);
  counts := private.keep_consent_retention(counts);
  perform set_config('private.erases_log', 'off', true);
  insert into private.retention_runs (source, counts) values (keep_retention.source, counts);
  return counts;
end;
$$;

comment on function public.keep_retention is
  'Deletes expired data and returns the counts {submissions, requests, members, wishes, letters, records, mails, '
  'account_events, receipts, day_counts, links, sender_addresses, consents, consent_decisions}, plus <kind>_refused for rows that the database '
  'refused to delete. Stores the counts with source. Returns null and deletes nothing while private.retention_waits. '
  'Safe to repeat. Raises 23514 for a malformed source.';
revoke all on function public.keep_retention from public, anon, authenticated, service_role;
grant execute on function public.keep_retention to service_role;

-- On a hosted database with pg_cron, this schedules retention at a quiet hour, 03:17 UTC; elsewhere the server's timer
-- runs it, and this returns false. After adding pg_cron later, an operator runs it once: select
-- private.schedule_retention();
create function private.schedule_retention() returns boolean
language plpgsql
set search_path = ''
as $$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  -- A named schedule, so that repeating this is safe. Dynamic SQL, because this function does not exist without
  -- pg_cron.
  execute $call$select cron.schedule('keep-retention', '17 3 * * *', 'select public.keep_retention(''pg_cron'')')$call$;
  return true;
end;
$$;

do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_cron') then
    begin
      create extension if not exists pg_cron;
    exception when others then
      -- Installed on the machine, but not configured for this database: the server's timer takes over.
      raise notice 'pg_cron cannot be used here: %', sqlstate;
    end;
  end if;
  perform private.schedule_retention();
end;
$$;

-- Applies a statement to all due rows, or, if a row fails, to each row separately. A row that the database refuses to
-- delete stays and is counted, and does not block the others. Rows about a person stay while they are restricted, because
-- such data may only be stored (GDPR, article 18(2)) and the person may want it preserved (article 18(1)(b) and (c)), and
-- while the person has an open request for them. Days are calendar days at the firm. action: an update or delete of the
-- target with the alias "due", or a select that changes it, without a where clause.
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
  if target in ('public.contact_submissions'::regclass, 'public.data_rights_requests', 'public.network_members') then
    is_due := format('(%s) and due.frozen_at is null and not private.is_asked_for(due.email)', is_due);
  end if;
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

-- Adds one kind of row to the counts of a retention run. Several steps may count as one kind.
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
