-- Returns the source of a cause: state (the site reports it again and again while it lasts), event (of the site, reported
-- once and over at once), or database (which finds it by itself). Null for an unknown cause.
-- supabase/functions/_shared/trouble.ts repeats them.
create function private.trouble_source(cause text) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when cause in ('backup-failed', 'backup-late', 'copy-failed', 'copy-late', 'backup-unverified', 'disk-low',
      'limits-refused', 'database-behind') then 'state'
    when cause in ('thread-ended', 'process-ended', 'process-stuck', 'firm-address-refused') then 'event'
    when cause in ('retention-waits', 'retention-late', 'mail-waits') then 'database'
  end
$$;

-- Trouble with the site itself: one row a cause, from its first occurrence on. The firm gets one mail a day and cause
-- while it lasts, and one when it has ended; TROUBLE_URL gets one call for each. The site reports what its processes know
-- (`report_trouble`); the database finds the rest whenever deliver-outbox runs (`list_due_trouble_mails`).
create table private.troubles (
  cause text primary key check (private.trouble_source(cause) is not null),
  since timestamptz not null default now(),
  -- When the site last reported it, or when the database found it. Long ago for reports to an earlier process
  -- (private.forget_trouble_reports).
  seen_at timestamptz not null default now(),
  -- Null while it lasts. An event has ended when it is reported.
  ended_at timestamptz,
  -- When the last mail about it was queued, and that mail, which is deleted when it is delivered.
  mailed_at timestamptz,
  mail_id uuid references private.email_outbox (id) on delete set null,
  -- The last notice that TROUBLE_URL accepted, and when; and when a call began that has not succeeded.
  hook_notice text check (hook_notice in ('lasts', 'ended', 'happened')),
  hook_called_at timestamptz,
  hook_tried_at timestamptz
);

-- Lists the causes that the database finds now. Mail waits when it is an hour old: many servers refuse a first attempt
-- and take one ten minutes later. Letters wait for other mail, so they do not count. Retention is late as on /admin:
-- after two days without a complete run; where it never ran, two days after the first admin.
create function private.find_own_troubles() returns text[]
language sql stable
set search_path = ''
as $$
  select array_remove(array[
    case when private.retention_waits() then 'retention-waits' end,
    case when not private.retention_waits() and now() - interval '2 days' > coalesce(
      (
        select max(run.ran_at) from private.retention_runs as run
        where not jsonb_path_exists(run.counts, '$.keyvalue() ? (@.key like_regex "_refused$")')
      ),
      (select min(role.granted_at) from public.user_roles as role)
    ) then 'retention-late' end,
    case when exists (
      select from private.email_outbox as mail
      where mail.delivered_at is null and mail.gave_up_at is null and not private.is_recent(mail.created_at, '1 hour')
        and mail.kind <> 'letter' and not private.is_held(mail)
    ) then 'mail-waits' end
  ], null)
$$;

-- Returns true for what the database found less than ten minutes ago, or for less than ten minutes: a site that was off
-- for a while catches up by then. Also for a state that no process reports now: only an earlier one did.
create function private.is_doubtful(trouble private.troubles) returns boolean
language sql stable
set search_path = ''
as $$
  select case private.trouble_source(trouble.cause)
    when 'database' then coalesce(trouble.ended_at < trouble.since + interval '10 minutes',
      now() < trouble.seen_at + interval '10 minutes')
    when 'state' then trouble.ended_at is null and not private.is_recent(trouble.seen_at, '30 minutes')
    else false
  end
$$;

-- Returns the mail that is due about a trouble: lasts, ended or happened (for an event), or null. Mail that waits is
-- mailed only once the server takes mail, which is usually when it has ended.
create function private.due_trouble_mail(trouble private.troubles) returns text
language sql stable
set search_path = ''
as $$
  select case
    when exists (
      select from private.email_outbox as mail where mail.id = trouble.mail_id and mail.delivered_at is null
    ) then null
    -- The end of what was mailed. The mail about it is later than the end.
    when trouble.mailed_at >= trouble.since and trouble.mailed_at < trouble.ended_at
      and private.trouble_source(trouble.cause) <> 'event' then 'ended'
    when trouble.mailed_at between now() - interval '1 day' and now() then null
    when private.is_doubtful(trouble) then null
    when trouble.cause = 'mail-waits' and trouble.ended_at is null and not exists (
      select from private.email_outbox as mail where mail.delivered_at > greatest(trouble.since, now() - interval '1 hour')
    ) then null
    when trouble.ended_at is null then 'lasts'
    when trouble.mailed_at >= trouble.since then null
    when private.trouble_source(trouble.cause) = 'event' then 'happened'
    when trouble.cause = 'mail-waits' then 'ended'
  end
$$;

-- Returns the notice that TROUBLE_URL has not accepted yet, or null. Unlike a mail it does not need the mail server, so it
-- does not wait for it, and is due once. What ended during an outage of TROUBLE_URL is due for a day.
create function private.due_trouble_call(trouble private.troubles) returns text
language sql stable
set search_path = ''
as $$
  select case
    when private.trouble_source(trouble.cause) = 'event' then case
      when private.is_recent(trouble.since, '1 day')
        and private.is_recent(trouble.hook_called_at, '1 day') is not true then 'happened'
    end
    when trouble.ended_at is not null and trouble.hook_notice = 'lasts' then 'ended'
    when private.is_doubtful(trouble) then null
    when trouble.ended_at is null then case when trouble.hook_notice is distinct from 'lasts' then 'lasts' end
    when trouble.hook_notice is null and private.is_recent(trouble.ended_at, '1 day') then 'ended'
  end
$$;

-- Several processes report, each what it knows. A state has therefore ended when no process has reported it for half an
-- hour and one has reported since; the report of a restarted site comes first.
create function public.report_trouble(causes text[]) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if exists (select from unnest(causes) as reported (cause) where private.trouble_source(reported.cause) = 'database') then
    raise exception 'the database finds this by itself' using errcode = '22023';
  end if;
  insert into private.troubles as known (cause, ended_at)
  select distinct reported.cause, case when private.trouble_source(reported.cause) = 'event' then now() end
  from unnest(causes) as reported (cause)
  on conflict (cause) do update set
    since = case when known.ended_at is null then known.since else now() end,
    seen_at = now(), ended_at = excluded.ended_at, hook_notice = nullif(known.hook_notice, 'ended');
  update private.troubles as known
  set ended_at = now()
  where known.ended_at is null and known.seen_at < now() - interval '30 minutes'
    and private.trouble_source(known.cause) = 'state';
end;
$$;

comment on function public.report_trouble is
  'Records the trouble that a process of the site knows of. causes: all states that last, as often as every half hour, '
  'and each event once. Raises 23514 for an unknown cause, 22023 for one that the database finds by itself.';
revoke all on function public.report_trouble from public, anon, authenticated, service_role;
grant execute on function public.report_trouble to service_role;

-- Writes only what has changed, because it is called every few seconds.
create function public.list_due_trouble_mails() returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  found_now text[] := private.find_own_troubles();
begin
  insert into private.troubles as known (cause)
  select own.cause from unnest(found_now) as own (cause)
  where not exists (select from private.troubles as present where present.cause = own.cause and present.ended_at is null)
  on conflict (cause) do update set
    since = now(), seen_at = now(), ended_at = null, hook_notice = nullif(known.hook_notice, 'ended')
  where known.ended_at is not null;
  update private.troubles as known
  set seen_at = now()
  where known.seen_at = '-infinity' and known.cause = any (found_now);
  update private.troubles as known
  set ended_at = now()
  where known.ended_at is null and private.trouble_source(known.cause) = 'database' and known.cause <> all (found_now);
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'cause', trouble.cause, 'notice', private.due_trouble_mail(trouble), 'since', trouble.since,
      'ended_at', trouble.ended_at
    ) order by trouble.since, trouble.cause), '[]')
    from private.troubles as trouble where private.due_trouble_mail(trouble) is not null
  );
end;
$$;

comment on function public.list_due_trouble_mails is
  'Records the trouble that the database finds, and returns the mails that are due: [{cause, notice (lasts, ended or '
  'happened), since, ended_at}]. Queue each with queue_trouble_mail.';
revoke all on function public.list_due_trouble_mails from public, anon, authenticated, service_role;
grant execute on function public.list_due_trouble_mails to service_role;

create function public.queue_trouble_mail(cause text, notice text, mail jsonb) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  trouble private.troubles;
  queued_id uuid;
begin
  perform private.require_mail(mail);
  -- When two workers run concurrently, the second finds that the mail is no longer due.
  select * into trouble from private.troubles as stored where stored.cause = queue_trouble_mail.cause for update;
  if not found or private.due_trouble_mail(trouble) is distinct from queue_trouble_mail.notice then
    return false;
  end if;
  insert into private.email_outbox (kind, subject, body, forget_when_delivered)
  values ('trouble', mail ->> 'subject', mail ->> 'body', true)
  returning id into queued_id;
  update private.troubles as stored set mailed_at = now(), mail_id = queued_id
  where stored.cause = queue_trouble_mail.cause;
  return true;
end;
$$;

comment on function public.queue_trouble_mail is
  'Queues the mail {subject, body} to the firm about a cause from list_due_trouble_mails. Returns false if it is no longer '
  'due.';
revoke all on function public.queue_trouble_mail from public, anon, authenticated, service_role;
grant execute on function public.queue_trouble_mail to service_role;

-- Tries again after a minute. Calls of one moment are made together, and while one fails, the others wait for it.
create function public.claim_trouble_calls() returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  claimed jsonb;
begin
  if exists (select from private.troubles as trouble where private.is_recent(trouble.hook_tried_at, '1 minute')) then
    return '[]';
  end if;
  with due as (
    select trouble.cause, private.due_trouble_call(trouble) as notice,
      coalesce(trouble.hook_tried_at >= trouble.since, false) as is_repeated
    from private.troubles as trouble
    where private.due_trouble_call(trouble) is not null
  ), tried as (
    update private.troubles as trouble set hook_tried_at = now()
    from due
    where due.cause = trouble.cause and private.is_recent(trouble.hook_tried_at, '1 minute') is not true
    returning due.*
  )
  select coalesce(jsonb_agg(to_jsonb(tried) order by tried.cause), '[]') into claimed from tried;
  return claimed;
end;
$$;

comment on function public.claim_trouble_calls is
  'Returns the notices that are due to TROUBLE_URL, once a minute at most: [{cause, notice (lasts, ended or happened), '
  'is_repeated}]. is_repeated: an earlier call failed. Confirm each success with settle_trouble_call.';
revoke all on function public.claim_trouble_calls from public, anon, authenticated, service_role;
grant execute on function public.claim_trouble_calls to service_role;

create function public.settle_trouble_call(cause text, notice text) returns void
language sql security definer
set search_path = ''
as $$
  update private.troubles as trouble
  set hook_notice = settle_trouble_call.notice, hook_called_at = now(), hook_tried_at = null
  where trouble.cause = settle_trouble_call.cause
$$;

comment on function public.settle_trouble_call is
  'Records that TROUBLE_URL accepted a notice of claim_trouble_calls. Raises 23514 for an unknown notice.';
revoke all on function public.settle_trouble_call from public, anon, authenticated, service_role;
grant execute on function public.settle_trouble_call to service_role;

-- Called when the one process of an embedded site starts: reports to an earlier process tell nothing about now. A mail
-- that still waits is withdrawn. If a mail of an earlier day was delivered, its end is still due.
create function private.forget_trouble_reports() returns void
language sql
set search_path = ''
as $$
  with withdrawn as (
    delete from private.email_outbox as mail using private.troubles as trouble
    where mail.id = trouble.mail_id and mail.delivered_at is null and trouble.ended_at is null
    returning trouble.cause, case when mail.created_at > trouble.since + interval '1 day' then trouble.since end as mailed_at
  )
  update private.troubles as trouble
  set seen_at = '-infinity',
    mailed_at = case when withdrawn.cause is null then stored.mailed_at else withdrawn.mailed_at end
  from private.troubles as stored left join withdrawn on withdrawn.cause = stored.cause
  where stored.cause = trouble.cause and trouble.ended_at is null
$$;

-- Lists the present trouble for the digest and /admin: what lasts, and the events of the last day.
create function private.list_troubles() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('cause', trouble.cause, 'since', trouble.since) order by trouble.since, trouble.cause
  ), '[]')
  from private.troubles as trouble
  where not private.is_doubtful(trouble) and case
    when private.trouble_source(trouble.cause) = 'event' then trouble.since > now() - interval '1 day'
    else trouble.ended_at is null
  end
$$;
