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
