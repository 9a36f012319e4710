-- The inbox is opened more often than anything else there. As before, but who asks is found out once instead of five times, and
-- nothing is counted that need not be. And what is owed to the firm, for which deliver-outbox asks every two seconds, is looked for
-- without computing it for every message that has waited too long.

-- As count_submissions, for functions that have found out who asks.
create function private.count_submissions() returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  -- Each in its own part of the index contact_submissions_counts, so that no message is compared with the one before it.
  new_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state = 'new');
  in_progress_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state = 'in_progress');
  done_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state = 'done');
  spam_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state = 'spam');
  quarantined_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is not null);
  -- Few: those of the last day or two.
  in_time_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state in ('new', 'in_progress') and answer_due_at >= now());
begin
  return jsonb_build_object(
    'waiting', new_count + in_progress_count,
    'all', new_count + in_progress_count + done_count,
    'new', new_count,
    'in_progress', in_progress_count,
    'done', done_count,
    'spam', spam_count,
    'quarantined', quarantined_count,
    'late', new_count + in_progress_count - in_time_count
  );
end;
$$;

create or replace function public.count_submissions() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return private.count_submissions();
end;
$$;

-- As outbox_status, for functions that have found out who asks.
create function private.outbox_status()
returns table (waiting bigint, given_up bigint, oldest_waiting timestamptz)
language plpgsql stable
set search_path = ''
as $$
begin
  return query
    select
      count(*) filter (where mail.gave_up_at is null),
      count(*) filter (where mail.gave_up_at is not null),
      min(mail.created_at) filter (where mail.gave_up_at is null)
    from private.email_outbox as mail
    where mail.delivered_at is null and not private.is_held(mail);
end;
$$;

create or replace function public.outbox_status()
returns table (waiting bigint, given_up bigint, oldest_waiting timestamptz)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  if coalesce(auth.role(), '') <> 'service_role' and not public.is_admin() then
    raise exception 'only admins see the state of the mail' using errcode = '42501';
  end if;
  return query select * from private.outbox_status();
end;
$$;

-- As before, but by the index of those that are not closed, which open ones never are; and planned once a session.
create or replace function private.count_overdue_requests() returns bigint
language plpgsql stable
set search_path = ''
as $$
begin
  return (
    select count(*) from public.data_rights_requests as request
    where request.closed_at is null and request.state in ('open', 'in_progress')
      and request.due_on < (now() at time zone 'UTC')::date
  );
end;
$$;

revoke all on function private.count_submissions(), private.outbox_status() from public, anon, authenticated, service_role;

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
      from private.retention_runs as run order by run.ran_at desc limit 1
    ),
    'overdue_requests', private.count_overdue_requests()
  );
end;
$$;

-- As before.
create or replace function public.list_firm_notices(morning date) returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'answers', (
      select coalesce(jsonb_agg(due.told), '[]')
      from (
        select jsonb_build_object('notice', private.due_answer_notice(submission)) || (to_jsonb(submission) - 'ip_address') as told
        from public.contact_submissions as submission
        where submission.frozen_at is null and submission.quarantine_reason is null
          and submission.state in ('new', 'in_progress') and submission.answer_due_at <= now() + interval '6 hours'
          -- After that mail none is owed. The function below says so as well, but it would be called for years of messages.
          and submission.answer_notice is distinct from 'late'
          and private.due_answer_notice(submission) is not null
        order by submission.answer_due_at, submission.id
        limit 20
      ) as due
    ),
    'is_digest_due', morning is not null and not exists (select from private.digests as digest where digest.day >= morning),
    'digest', case
      when morning is not null and not exists (select from private.digests as digest where digest.day >= morning)
        then private.describe_digest()
    end
  )
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261124010000' $$;
