-- The inbox is opened more often than anything else there, and most of what it costs the database is counting. As before, but the
-- messages are counted once by state, and the folders are sums of those few numbers: seven conditions for each of ten thousand
-- messages took twice as long.
create or replace function public.count_submissions() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'waiting', coalesce(sum(grouped.total) filter (where grouped.is_received and grouped.state in ('new', 'in_progress')), 0),
      'all', coalesce(sum(grouped.total) filter (where grouped.is_received and grouped.state <> 'spam'), 0),
      'new', coalesce(sum(grouped.total) filter (where grouped.is_received and grouped.state = 'new'), 0),
      'in_progress', coalesce(sum(grouped.total) filter (where grouped.is_received and grouped.state = 'in_progress'), 0),
      'done', coalesce(sum(grouped.total) filter (where grouped.is_received and grouped.state = 'done'), 0),
      'spam', coalesce(sum(grouped.total) filter (where grouped.is_received and grouped.state = 'spam'), 0),
      'quarantined', coalesce(sum(grouped.total) filter (where not grouped.is_received), 0)
    )
    from (
      -- By the index's own columns, so that it is read in its order and nothing is computed for a single message.
      select submission.state, submission.quarantine_reason is null as is_received, count(*) as total
      from public.contact_submissions as submission
      where submission.frozen_at is null
      group by submission.state, submission.quarantine_reason
    ) as grouped
  ) || jsonb_build_object('late', (
    select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state in ('new', 'in_progress') and answer_due_at < now()
  ));
end;
$$;

-- Those that must be answered, the restricted ones among them: a duty that is in no list must be seen all the same.
create function private.count_overdue_requests() returns bigint
language sql stable
set search_path = ''
as $$
  select count(*) from public.data_rights_requests as request
  where request.state in ('open', 'in_progress') and request.due_on < (now() at time zone 'UTC')::date
$$;

comment on function private.count_overdue_requests() is 'How many requests are past the day by which they had to be answered.';

revoke all on function private.count_overdue_requests() from public, anon, authenticated, service_role;

-- As before.
create or replace function public.count_requests() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_object_agg(folder, (
      select count(*) from public.data_rights_requests as request where private.is_in_folder(request, folder)
    ))
    from unnest(array[
      'all', 'active', 'unconfirmed', 'open', 'in_progress', 'closed', 'completed', 'refused', 'withdrawn',
      'quarantined', 'restricted'
    ]) as folder
  ) || jsonb_build_object('overdue', private.count_overdue_requests());
end;
$$;

-- As before, but only the one number of the requests that it shows is counted.
create or replace function public.read_inbox(
  folder text default 'all', search text default null, page_cursor text default null
) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'page', public.list_submissions(folder, search, page_cursor),
    'counts', public.count_submissions(),
    'mail', (select to_jsonb(mail) from public.outbox_status() as mail),
    'retention', (select to_jsonb(run) from public.last_retention_run() as run),
    'overdue_requests', private.count_overdue_requests()
  );
end;
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261123060000' $$;
