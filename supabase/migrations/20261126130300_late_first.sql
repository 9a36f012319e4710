-- Lists show late messages first, then the rest, both newest first. A message can become late, or be answered, while an admin turns pages.
-- So a cursor carries the time of the first page, and later pages keep the order of that time: no message is repeated or skipped.

-- The start of the current wait for a reply. A message that was answered and reopened was not late in between.
alter table public.contact_submissions add column waiting_since timestamptz;
update public.contact_submissions set waiting_since = created_at;
alter table public.contact_submissions
  alter column waiting_since set default now(),
  alter column waiting_since set not null;

create function private.set_waiting_since() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if new.state in ('new', 'in_progress') and old.state not in ('new', 'in_progress') then
    new.waiting_since := now();
  end if;
  return new;
end;
$$;

revoke all on function private.set_waiting_since() from public, anon, authenticated, service_role;

create trigger set_waiting_since before update of state on public.contact_submissions
  for each row execute function private.set_waiting_since();

create index contact_submissions_waiting_newest_first on public.contact_submissions (created_at desc, id desc)
  where frozen_at is null and quarantine_reason is null and state in ('new', 'in_progress');

drop function private.scan_submissions(text, text, bigint, uuid, boolean, integer);
drop function private.scan_requests(text, text, bigint, uuid, boolean, integer);
drop function private.request_place(timestamptz, date);

-- Messages of a folder, newest first: either those that were late as_of a moment, or the others.
create function private.scan_part_of_folder(
  folder text, needle text, is_late boolean, after timestamptz, after_id uuid, forward boolean, most integer, as_of timestamptz
) returns setof public.contact_submissions
language plpgsql stable
set search_path = ''
as $$
declare
  -- Sorted by the table that is read first. A search reads the table of words first, except for late messages, which are few.
  by_words constant boolean := needle is not null and not is_late;
  at_column constant text := case when by_words then 'search.created_at' else 'submission.created_at' end;
  id_column constant text := case when by_words then 'search.submission_id' else 'submission.id' end;
  direction constant text := case when forward then 'desc' else 'asc' end;
  in_folder constant text := 'submission.frozen_at is null and ' || case folder
    when 'all' then 'submission.quarantine_reason is null and submission.state <> ''spam'''
    when 'waiting' then 'submission.quarantine_reason is null and submission.state in (''new'', ''in_progress'')'
    else '(case when submission.quarantine_reason is null then submission.state else ''quarantined'' end) = $1'
  end;
  was_waiting constant text := 'submission.waiting_since <= $6 and (submission.state in (''new'', ''in_progress'') '
    || 'or (submission.state = ''done'' and coalesce(submission.answered_at, ''-infinity'') > $6))';
  was_late constant text := 'submission.quarantine_reason is null and submission.answer_due_at < $6 and ' || was_waiting;
  -- Few messages wait, and an index finds them. Messages answered since as_of are only possible on later pages.
  late_of_all constant text := '(select * from public.contact_submissions as own where own.frozen_at is null '
    || 'and own.quarantine_reason is null and own.state in (''new'', ''in_progress'')'
    || case when as_of < now() then ' union all select * from public.contact_submissions as own where own.frozen_at is null '
      || 'and own.quarantine_reason is null and own.state = ''done'' and own.answered_at > $6' else '' end
    || ')';
  source constant text := case when is_late and folder = 'all' then late_of_all else 'public.contact_submissions' end;
begin
  -- Put together here and planned with its values: one statement for every case would be planned for none of them.
  return query execute
    'select submission.* from '
    || case
      when needle is null then source || ' as submission where ' || in_folder
      -- One message for each row of words, and the planner knows it, statistics or not: so it walks the words in their
      -- order and stops when the page is full.
      when by_words then 'private.submission_search as search cross join lateral (
          select submission.* from public.contact_submissions as submission
          where submission.id = search.submission_id and ' || in_folder || ' limit 1
        ) as submission where strpos(search.words, $2) > 0'
      else source || ' as submission join private.submission_search as search on search.submission_id = submission.id where '
        || in_folder || ' and strpos(search.words, $2) > 0'
    end
    || case
      when is_late then ' and ' || was_late
      -- Messages in these folders are never late.
      when folder in ('done', 'spam', 'quarantined') then ''
      else ' and not (' || was_late || ')'
    end
    || case when after is null then ''
      else format(' and (%s, %s) %s ($3, $4)', at_column, id_column, case when forward then '<' else '>' end) end
    || format(' order by %s %s, %s %s limit $5', at_column, direction, id_column, direction)
    using folder, needle, after, after_id, most, as_of;
end;
$$;

-- A place is the time of arrival in microseconds, negative so that the newest comes first. Places of late messages are lower by a fixed
-- distance.
create function private.scan_submissions(
  folder text, needle text, place bigint, id uuid, forward boolean, most integer, as_of timestamptz
) returns setof private.placed_row
language plpgsql stable
set search_path = ''
as $$
declare
  distance constant bigint := 10000000000000000;
  has_late constant boolean := folder in ('waiting', 'all', 'new', 'in_progress');
  begins_late constant boolean := has_late and coalesce(place <= -distance, true);
  part_is_late boolean := case when forward then begins_late else begins_late and place is not null end;
  after timestamptz := timestamptz 'epoch'
    - (place + case when place <= -distance then distance else 0 end) * interval '1 microsecond';
  found_rows integer;
begin
  if folder is null or folder not in ('waiting', 'all', 'new', 'in_progress', 'done', 'spam', 'quarantined') then
    raise exception 'there is no such folder' using errcode = '22023';
  end if;
  -- First the part that holds the place, then the other part from its beginning or its end.
  for turn in 1..2 loop
    return query
      select
        -(extract(epoch from shown.created_at) * 1000000)::bigint - case when part_is_late then distance else 0 end,
        shown.id,
        to_jsonb(shown) - array['frozen_at', 'answer_notice', 'waiting_since']
      from private.scan_part_of_folder(folder, needle, part_is_late, after, scan_submissions.id, forward, most, as_of) as shown;
    get diagnostics found_rows = row_count;
    most := most - found_rows;
    exit when most <= 0 or not has_late or part_is_late <> forward;
    part_is_late := not part_is_late;
    after := null;
  end loop;
end;
$$;

-- Open requests by due date, then closed ones, newest first. A request closed after as_of keeps its place among the open ones.
create function private.request_place(closed_at timestamptz, due_on date, as_of timestamptz) returns bigint
language sql immutable
as $$
  select case
    when closed_at is null or closed_at > as_of then (due_on - date '2000-01-01')::bigint
    else 10000000000000000 - (extract(epoch from closed_at) * 1000000)::bigint
  end
$$;

create function private.scan_requests(
  folder text, needle text, place bigint, id uuid, forward boolean, most integer, as_of timestamptz
) returns setof private.placed_row
language plpgsql stable
set search_path = ''
as $$
#variable_conflict use_column
begin
  if folder is null or folder not in (
    'all', 'active', 'unconfirmed', 'open', 'in_progress', 'closed', 'completed', 'refused', 'withdrawn', 'quarantined',
    'restricted'
  ) then
    raise exception 'there is no such folder' using errcode = '22023';
  end if;
  return query
    select rows.place, rows.id, private.show_request(rows.request)
    from (
      select private.request_place(request.closed_at, request.due_on, scan_requests.as_of) as place, request.id, request
      from public.data_rights_requests as request
      where private.is_in_folder(request, folder)
        and (needle is null or strpos(
          lower(concat_ws(e'\n', request.reference, request.name, request.email, request.description)), needle
        ) > 0)
    ) as rows
    where scan_requests.place is null
      or (forward and (rows.place, rows.id) > (scan_requests.place, scan_requests.id))
      or (not forward and (rows.place, rows.id) < (scan_requests.place, scan_requests.id))
    order by
      case when forward then rows.place end, case when forward then rows.id end,
      rows.place desc, rows.id desc
    limit most;
end;
$$;

create function private.write_cursor(direction text, shown private.placed_row, as_of timestamptz) returns text
language sql immutable
set search_path = ''
as $$ select format('%s.%s.%s.%s', direction, shown.place, shown.id, (extract(epoch from as_of) * 1000000)::bigint) $$;

create or replace function private.turn_page(scan text, folder text, search text, page_cursor text, page_size integer) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  scan_query constant text := format('select array(select placed from private.%I($1, $2, $3, $4, $5, $6, $7) as placed)', scan);
  needle text := nullif(lower(btrim(left(search, 200))), '');
  -- <direction>.<place>.<id>.<as_of in microseconds>: no personal data, because it is part of an address.
  parts text[] := regexp_match(
    page_cursor, '^(next|previous)\.(-?[0-9]{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([0-9]{1,17}))?$'
  );
  as_of timestamptz := least(now(), timestamptz 'epoch' + parts[4]::bigint * interval '1 microsecond');
  page private.placed_row[] := '{}';
  further private.placed_row[] := '{}';
  has_previous boolean := false;
  has_next boolean;
begin
  if page_cursor is not null and parts is null then
    raise exception 'no such place in a list' using errcode = '22023';
  end if;
  if parts[1] = 'previous' then
    execute scan_query into page using folder, needle, parts[2]::bigint, parts[3]::uuid, false, page_size + 1, as_of;
    has_previous := cardinality(page) > page_size;
    page := array(
      select page[number] from generate_series(least(cardinality(page), page_size), 1, -1) as number
    );
    has_next := true;
  elsif parts[1] = 'next' then
    execute scan_query into page using folder, needle, parts[2]::bigint, parts[3]::uuid, true, page_size + 1, as_of;
    has_next := cardinality(page) > page_size;
    page := page[:page_size];
    if cardinality(page) > 0 then
      execute scan_query into further using folder, needle, page[1].place, page[1].id, false, 1, as_of;
      has_previous := cardinality(further) > 0;
    end if;
  end if;

  -- The beginning; also for whoever comes back to it by way of a page that is no longer full, or to a page that is gone.
  if cardinality(page) = 0 or (parts[1] = 'previous' and not has_previous) then
    as_of := now();
    execute scan_query into page using folder, needle, null::bigint, null::uuid, true, page_size + 1, as_of;
    has_previous := false;
    has_next := cardinality(page) > page_size;
    page := page[:page_size];
  end if;

  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(rows.data order by rows.number), '[]')
      from unnest(page) with ordinality as rows (place, id, data, number)),
    'previous', case when has_previous then private.write_cursor('previous', page[1], as_of) end,
    'next', case when has_next then private.write_cursor('next', page[cardinality(page)], as_of) end
  );
end;
$$;

comment on function private.turn_page(text, text, text, text, integer) is
  'search: any part of a word, in any case, taken literally; its first 200 characters count. page_cursor: null for the '
  'beginning, else what an earlier page gave; it carries the moment of the first page, and every later one shows the order of that '
  'moment. Raises 22023 for a cursor of another form.';

revoke all on function
  private.scan_part_of_folder(text, text, boolean, timestamptz, uuid, boolean, integer, timestamptz),
  private.scan_submissions(text, text, bigint, uuid, boolean, integer, timestamptz),
  private.scan_requests(text, text, bigint, uuid, boolean, integer, timestamptz),
  private.request_place(timestamptz, date, timestamptz),
  private.write_cursor(text, private.placed_row, timestamptz)
from public, anon, authenticated, service_role;

comment on function public.list_submissions(text, text, text) is
  'A page of 25 messages, late ones first and then the rest, both newest first, as {rows, previous, next}. folder: waiting (for an '
  'answer), all, new, in_progress, done, spam or quarantined (the last two in no other). search: a part of name, email, company, stage, '
  'goal or message. page_cursor: null, or an earlier page''s previous or next. Raises 42501 for others than admins, 22023 for a folder '
  'or cursor that is none.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126130300' $$;
