-- Newest first: the place is the time of arrival in microseconds, negative so that it ascends.
create function private.scan_submissions(
  folder text, needle text, place bigint, id uuid, forward boolean, most integer
) returns setof private.placed_row
language plpgsql stable
set search_path = ''
as $$
declare
  -- Sorted by the table that is read first: by that of the words where something is searched for.
  at_column text := case when needle is null then 'submission.created_at' else 'search.created_at' end;
  id_column text := case when needle is null then 'submission.id' else 'search.submission_id' end;
  direction text := case when forward then 'desc' else 'asc' end;
  in_folder text := 'submission.frozen_at is null' || case when folder = 'all' then '' else
    ' and (case when submission.quarantine_reason is null then submission.state else ''quarantined'' end) = $1' end;
begin
  if folder is null or folder not in ('all', 'new', 'in_progress', 'done', 'spam', 'quarantined') then
    raise exception 'there is no such folder' using errcode = '22023';
  end if;
  -- Put together here and planned with its values: one statement for every case would be planned for none of them.
  return query execute
    'select
       -(extract(epoch from submission.created_at) * 1000000)::bigint, submission.id,
       to_jsonb(submission) - ''frozen_at'' from '
    || case when needle is null then 'public.contact_submissions as submission where ' || in_folder
      -- One message for each row of words, and the planner knows it, statistics or not: so it walks the words in their
      -- order and stops when the page is full.
      else 'private.submission_search as search cross join lateral (
          select submission.* from public.contact_submissions as submission
          where submission.id = search.submission_id and ' || in_folder || ' limit 1
        ) as submission where strpos(search.words, $2) > 0' end
    || case when place is null then ''
      else format(
        ' and (%s, %s) %s (timestamptz ''epoch'' - $3 * interval ''1 microsecond'', $4)',
        at_column, id_column, case when forward then '<' else '>' end
      ) end
    || format(' order by %s %s, %s %s limit $5', at_column, direction, id_column, direction)
    using folder, needle, place, id, most;
end;
$$;

create function public.list_submissions(
  folder text default 'all', search text default null, page_cursor text default null
) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return private.turn_page('scan_submissions', folder, search, page_cursor, 25);
end;
$$;

create function public.count_submissions() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'all', count(*),
      'new', count(*) filter (where quarantine_reason is null and state = 'new'),
      'in_progress', count(*) filter (where quarantine_reason is null and state = 'in_progress'),
      'done', count(*) filter (where quarantine_reason is null and state = 'done'),
      'spam', count(*) filter (where quarantine_reason is null and state = 'spam'),
      'quarantined', count(*) filter (where quarantine_reason is not null)
    )
    from public.contact_submissions
    where frozen_at is null
  );
end;
$$;

-- For the file: the same list in larger pieces. Who takes the messages out of the house is written down.
create function public.export_submissions(
  folder text default 'all', search text default null, page_cursor text default null
) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
begin
  if page_cursor is null then
    insert into public.admin_events (actor, action) values (actor, 'submissions-exported');
  end if;
  return private.turn_page('scan_submissions', folder, search, page_cursor, 1000);
end;
$$;

comment on function public.list_submissions(text, text, text) is
  'A page of 25 messages, newest first, as {rows, previous, next}. folder: all, new, in_progress, done, spam or '
  'quarantined (in no other but all). search: a part of name, email, company, stage, goal or message. page_cursor: '
  'null, or an earlier page''s previous or next. Raises 42501 for others than admins, 22023 for a folder or cursor that '
  'is none.';
comment on function public.count_submissions() is 'How many messages each folder holds. Raises 42501 for others than admins.';
comment on function public.export_submissions(text, text, text) is
  'As list_submissions, in pages of 1,000; the first page is logged in admin_events.';

revoke all on function
  private.scan_submissions(text, text, bigint, uuid, boolean, integer), public.list_submissions(text, text, text),
  public.count_submissions(), public.export_submissions(text, text, text)
  from public, anon, authenticated, service_role;
grant execute on function
  public.list_submissions(text, text, text), public.count_submissions(), public.export_submissions(text, text, text)
  to authenticated;
