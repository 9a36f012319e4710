-- Lists are paged by place, not by number: a page costs the same however deep it lies, and nothing is shown twice or
-- left out because something new came in. A scan gives rows in order, from a place on, in one of both directions.
create type private.placed_row as (
  place bigint, -- what the list is sorted by, ascending
  id uuid,      -- decides between equal places
  data jsonb    -- what the admin sees
);

-- One page of a list, as {rows, previous, next}: the cursors are null where nothing follows.
-- scan: the name of a function of this schema (folder, needle, place, id, forward, most) returns setof placed_row
create function private.turn_page(scan text, folder text, search text, page_cursor text, page_size integer) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  scan_query constant text := format('select array(select placed from private.%I($1, $2, $3, $4, $5, $6) as placed)', scan);
  needle text := nullif(lower(btrim(left(search, 200))), '');
  -- <direction>.<place>.<id>: nothing of a person, so that it can stand in an address.
  parts text[] := regexp_match(
    page_cursor, '^(next|previous)\.(-?[0-9]{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$'
  );
  page private.placed_row[] := '{}';
  further private.placed_row[] := '{}';
  has_previous boolean := false;
  has_next boolean;
begin
  if page_cursor is not null and parts is null then
    raise exception 'no such place in a list' using errcode = '22023';
  end if;
  if parts[1] = 'previous' then
    execute scan_query into page using folder, needle, parts[2]::bigint, parts[3]::uuid, false, page_size + 1;
    has_previous := cardinality(page) > page_size;
    page := array(
      select page[number] from generate_series(least(cardinality(page), page_size), 1, -1) as number
    );
    has_next := true;
  elsif parts[1] = 'next' then
    execute scan_query into page using folder, needle, parts[2]::bigint, parts[3]::uuid, true, page_size + 1;
    has_next := cardinality(page) > page_size;
    page := page[:page_size];
    if cardinality(page) > 0 then
      execute scan_query into further using folder, needle, page[1].place, page[1].id, false, 1;
      has_previous := cardinality(further) > 0;
    end if;
  end if;

  -- The beginning; also for whoever comes back to it by way of a page that is no longer full, or to a page that is gone.
  if cardinality(page) = 0 or (parts[1] = 'previous' and not has_previous) then
    execute scan_query into page using folder, needle, null::bigint, null::uuid, true, page_size + 1;
    has_previous := false;
    has_next := cardinality(page) > page_size;
    page := page[:page_size];
  end if;

  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(rows.data order by rows.number), '[]')
      from unnest(page) with ordinality as rows (place, id, data, number)),
    'previous', case when has_previous then format('previous.%s.%s', page[1].place, page[1].id) end,
    'next', case when has_next then format('next.%s.%s', page[cardinality(page)].place, page[cardinality(page)].id) end
  );
end;
$$;

comment on function private.turn_page(text, text, text, text, integer) is
  'search: any part of a word, in any case, taken literally; its first 200 characters count. page_cursor: null for the '
  'beginning, else what an earlier page gave. Raises 22023 for a cursor of another form.';

revoke all on function private.turn_page(text, text, text, text, integer) from public, anon, authenticated, service_role;

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

comment on function public.list_submissions(text, text, text) is
  'A page of 25 messages, newest first, as {rows, previous, next}. folder: all, new, in_progress, done, spam or '
  'quarantined (in no other but all). search: a part of name, email, company, stage, goal or message. page_cursor: '
  'null, or an earlier page''s previous or next. Raises 42501 for others than admins, 22023 for a folder or cursor that '
  'is none.';

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

comment on function public.count_submissions() is 'How many messages each folder holds. Raises 42501 for others than admins.';

-- For the CSV file: the same list in larger batches. It is logged who exported the messages.
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

comment on function public.export_submissions(text, text, text) is
  'As list_submissions, in pages of 1,000; the first page is logged in admin_events.';

revoke all on function
  private.scan_submissions(text, text, bigint, uuid, boolean, integer), public.list_submissions(text, text, text),
  public.count_submissions(), public.export_submissions(text, text, text)
  from public, anon, authenticated, service_role;
grant execute on function
  public.list_submissions(text, text, text), public.count_submissions(), public.export_submissions(text, text, text)
  to authenticated;
