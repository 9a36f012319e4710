-- The inbox: lists, pages, search and export.

-- Keyset pagination: a page costs the same at any depth, and a new row neither repeats nor hides another. A scan
-- returns rows in order from a position, in either direction.
create type private.placed_row as (
  place bigint, -- sort key, ascending
  id uuid,      -- tie-breaker
  data jsonb    -- the row as the admin sees it
);

-- Returns one page of a list as {rows, previous, next}; a cursor is null at the end of the list. A row can move while
-- an admin turns pages, for example when a reply turns out to be undelivered. A cursor therefore carries the time of the first page,
-- and later pages keep the order as of that time, so no row is repeated or skipped.
--
-- scan: the name of a function in this schema (folder, needle, place, id, forward, most, as_of) that returns setof
-- placed_row. needle: words of the search, all of which a row contains, in any order.
-- page_cursor: null for the first page, otherwise a cursor from an earlier page. Raises 22023 for a malformed cursor.
create function private.turn_page(scan text, folder text, search text, page_cursor text, page_size integer) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  scan_query constant text := format('select array(select placed from private.%I($1, $2, $3, $4, $5, $6, $7) as placed)', scan);
  needle text[] := private.find_search_words(search);
  -- <direction>.<place>.<id>.<as_of in microseconds>. No personal data, because a cursor is part of a URL.
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

  -- The first page. Also when paging back reaches it with a partly filled page, or when the cursor's page no longer
  -- exists.
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

-- The sort key is the time of arrival in microseconds, negated so that the newest comes first. A constant is subtracted
-- for messages whose reply was not delivered, so that they come before all others. Spam and held-back messages appear
-- only in their own folders.
create function private.scan_submissions(
  folder text, needle text[], place bigint, id uuid, forward boolean, most integer, as_of timestamptz
) returns setof private.placed_row
language plpgsql stable
set search_path = ''
as $$
declare
  distance constant bigint := 10000000000000000;
  -- Part 1, replies not delivered, precedes part 0, the others.
  last_part constant integer := case when folder in ('waiting', 'late', 'all', 'new', 'in_progress') then 1 else 0 end;
  part integer := least(last_part, coalesce(-place / distance, case when forward then 1 else 0 end));
  after timestamptz := timestamptz 'epoch' - (place + part * distance) * interval '1 microsecond';
  found_rows integer;
begin
  if folder is null or folder not in ('waiting', 'late', 'all', 'new', 'in_progress', 'done', 'spam', 'quarantined') then
    raise exception 'there is no such folder' using errcode = '22023';
  end if;
  -- Scan the part that contains the cursor first, then the next ones from their start or end.
  loop
    return query
      select
        -(extract(epoch from shown.created_at) * 1000000)::bigint - part * distance,
        shown.id,
        to_jsonb(shown) - array['frozen_at', 'answer_notice'] || jsonb_build_object(
          'refusal', case when shown.undelivered_at is not null then private.find_refusal(shown.id) end,
          'member_id', private.find_member_id(shown.email)
        )
      from private.scan_part_of_folder(folder, needle, part, after, scan_submissions.id, forward, most, as_of) as shown;
    get diagnostics found_rows = row_count;
    most := most - found_rows;
    part := part - case when forward then 1 else -1 end;
    exit when most <= 0 or part not between 0 and last_part;
    after := null;
  end loop;
end;
$$;

-- For the CSV file: the same list in larger batches. The log records which admin exported messages.
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

comment on function public.export_submissions is
  'As the page of read_inbox, with 1,000 messages. The first page is logged in admin_events.';
revoke all on function public.export_submissions from public, anon, authenticated, service_role;
grant execute on function public.export_submissions to authenticated;

-- The inbox is the most visited admin page, and most of its database cost is counting. So one call returns everything
-- and checks the caller once. A retention run that failed for some rows does not count as the last run: after two days
-- /admin shows a warning.
create function public.read_inbox(
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
    'mail', (select to_jsonb(mail) from public.outbox_status() as mail),
    'retention', (
      select jsonb_build_object('ran_at', run.ran_at, 'source', run.source, 'counts', run.counts)
      from private.retention_runs as run
      where not jsonb_path_exists(run.counts, '$.keyvalue() ? (@.key like_regex "_refused$")')
      order by run.ran_at desc limit 1
    ),
    'retention_waits', private.retention_waits(),
    'since', (select min(role.granted_at) from public.user_roles as role),
    'overdue_requests', private.count_overdue_requests(),
    'troubles', private.list_troubles(),
    'marked_by_link', (
      select coalesce(jsonb_agg(
        to_jsonb(marked) - array['frozen_at', 'answer_notice'] order by marked.marked_by_link_at desc, marked.id
      ), '[]')
      from (
        select * from private.open_submissions as submission
        where submission.marked_by_link_at is not null
        order by submission.marked_by_link_at desc, submission.id
        limit 25
      ) as marked
    )
  );
end;
$$;

comment on function public.read_inbox is
  'Returns the inbox. page: 25 messages, newest first, but those whose reply was not delivered before the others, with '
  'the cursors previous and next. folder: waiting (for a reply), late (of these), all, new, in_progress, done, spam or '
  'quarantined (the last two overlap with no other). search: words, each a part of name, email, company, stage, goal, '
  'message or a phone number in it, regardless of accents. page_cursor: null, or a cursor of an earlier page. counts: '
  'the messages in each folder. retention: the last run of keep_retention without failures, or null. since: when the '
  'first admin got the role. marked_by_link: the newest 25 messages that the link in a mail marked as answered and '
  'that no admin has changed since. Raises 42501 for non-admins, 22023 for an invalid folder or cursor.';
revoke all on function public.read_inbox from public, anon, authenticated, service_role;
grant execute on function public.read_inbox to authenticated;

-- One message, together with other data about its sender.
create function public.find_submission(submission_id uuid) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select to_jsonb(submission) - array['frozen_at', 'answer_notice'] || jsonb_build_object(
      'signature', coalesce((select own.signature from private.admin_names as own where own.user_id = auth.uid()), ''),
      'member_id', private.find_member_id(submission.email),
      'replies', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', reply.id, 'written_at', reply.written_at, 'body', reply.body,
          'by', private.name_person(reply.written_by),
          -- Null once retention has deleted the mail.
          'delivery', (
            select case
              when mail.delivered_at is not null then 'sent' when mail.gave_up_at is not null then 'given-up' else 'waiting'
            end
            from private.email_outbox as mail where mail.id = reply.id
          ),
          -- Null unless the mail has still to leave, and the reply can be taken back.
          'leaves_at', (
            select mail.next_attempt_at from private.email_outbox as mail
            where mail.id = reply.id and mail.attempts = 0 and mail.last_error is null and mail.next_attempt_at > now()
              and mail.delivered_at is null and mail.gave_up_at is null
          ),
          'code', (select mail.last_error from private.email_outbox as mail where mail.id = reply.id)
        ) order by reply.written_at, reply.id), '[]')
        from private.message_replies as reply where reply.submission_id = submission.id
      ),
      'undelivered', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', mail.id, 'kind', mail.kind, 'code', mail.last_error, 'recipient', mail.recipient, 'gave_up_at', mail.gave_up_at
        ) order by mail.created_at desc, mail.id), '[]')
        from private.email_outbox as mail
        where mail.submission_id = submission.id and mail.kind in ('firm', 'reply', 'acknowledgement')
          and private.is_resendable(mail) and not private.is_replaced(mail)
          and (mail.gave_up_at is null or submission.state in ('new', 'in_progress'))
      ),
      'draft', (
        select jsonb_build_object(
          'saved_at', draft.saved_at, 'body', draft.body,
          'by', private.name_person(draft.saved_by)
        )
        from private.reply_drafts as draft where draft.submission_id = submission.id
      ),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'at', event.at, 'action', event.action,
          'by', private.name_person(event.actor)
        ) order by event.id), '[]')
        from public.admin_events as event where event.submission_id = submission.id
      ),
      'others', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', other.id, 'created_at', other.created_at, 'goal', other.goal, 'state', other.state,
          'quarantine_reason', other.quarantine_reason
        ) order by other.created_at desc, other.id), '[]')
        from (
          select * from private.open_submissions as sent
          where private.subject_key(sent.email) = private.subject_key(submission.email) and sent.id <> submission.id
          order by sent.created_at desc, sent.id
          limit 50
        ) as other
      ),
      'requests', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', request.id, 'reference', request.reference, 'request_type', request.request_type, 'state', request.state
        ) order by request.received_at desc, request.id), '[]')
        from private.open_requests as request
        where private.subject_key(request.email) = private.subject_key(submission.email)
      )
    )
    from private.open_submissions as submission
    where submission.id = find_submission.submission_id
  );
end;
$$;

comment on function public.find_submission is
  'Returns one message that is not frozen, as read_inbox shows it, with its replies and history, the caller''s '
  'signature for a reply, and other data about its sender; null if there is none. by: name and address, or the '
  'address alone. delivery: waiting, sent, given-up or null. Raises 42501 for non-admins.';
revoke all on function public.find_submission from public, anon, authenticated, service_role;
grant execute on function public.find_submission to authenticated;

-- Position of a message in a list, for the links of its page and for the message to open after a change. A message that
-- has left the list still has a position in it.
create function public.find_neighbors(submission_id uuid, folder text default 'waiting', search text default null)
returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  needle constant text[] := private.find_search_words(search);
  here private.placed_row;
  before private.placed_row[];
  after private.placed_row[];
begin
  perform private.require_admin();
  select
    -(extract(epoch from submission.created_at) * 1000000)::bigint - case
      when folder in ('waiting', 'late', 'all', 'new', 'in_progress') and submission.undelivered_at <= now()
        then 10000000000000000
      else 0
    end,
    submission.id
  into here.place, here.id
  from private.open_submissions as submission
  where submission.id = find_neighbors.submission_id;
  if here.id is null then
    return null;
  end if;
  before := array(
    select placed from private.scan_submissions(folder, needle, here.place, here.id, false, 1, now()) as placed
  );
  -- Begins at the row before, so that the message itself comes first if the list holds it.
  after := array(
    select placed from private.scan_submissions(folder, needle, before[1].place, before[1].id, true, 2, now()) as placed
  );
  return jsonb_build_object(
    'is_listed', coalesce(after[1].id = here.id, false),
    'count', case when needle is null then private.count_submissions() -> folder end,
    'previous', (select jsonb_build_object('id', shown.id, 'name', shown.data -> 'name') from unnest(before) as shown),
    'next', (
      select jsonb_build_object('id', shown.id, 'name', shown.data -> 'name') from unnest(after) as shown
      where shown.id <> here.id limit 1
    ),
    'cursor', private.write_cursor('next', here, now())
  );
end;
$$;

comment on function public.find_neighbors is
  'Returns the position of a message in a list of read_inbox; null for an unknown or frozen message. is_listed: the '
  'list holds it. count: messages in the folder, null for a search. previous, next: {id, name} of the messages before '
  'and after it, or null. cursor: of the page that begins after it. Raises 42501 for non-admins, 22023 for an invalid '
  'folder.';
revoke all on function public.find_neighbors from public, anon, authenticated, service_role;
grant execute on function public.find_neighbors to authenticated;

-- Counts the messages in each folder, and the late ones among those that wait. "all" excludes spam and held-back
-- messages. Messages are counted once by state, and the folders are sums of these counts: evaluating seven conditions
-- for each of ten thousand messages took twice as long.
create function private.count_submissions() returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  -- Each count scans its own range of the index contact_submissions_counts, which avoids comparing neighboring rows as
  -- group by does.
  new_count constant bigint := (select count(*) from private.open_submissions
    where quarantine_reason is null and state = 'new');
  in_progress_count constant bigint := (select count(*) from private.open_submissions
    where quarantine_reason is null and state = 'in_progress');
  done_count constant bigint := (select count(*) from private.open_submissions
    where quarantine_reason is null and state = 'done');
  spam_count constant bigint := (select count(*) from private.open_submissions
    where quarantine_reason is null and state = 'spam');
  quarantined_count constant bigint := (select count(*) from private.open_submissions
    where quarantine_reason is not null);
  -- Few rows: those of the last day or two.
  in_time_count constant bigint := (select count(*) from private.open_submissions
    where quarantine_reason is null and state in ('new', 'in_progress') and answer_due_at >= now());
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

-- Returns messages of one part of a folder, newest first. Part 1 has those whose reply counted as not delivered as of a
-- given time, part 0 the others.
create function private.scan_part_of_folder(
  folder text, needle text[], part integer, after timestamptz, after_id uuid, forward boolean, most integer, as_of timestamptz
) returns setof private.open_submissions
language plpgsql stable
set search_path = ''
as $$
declare
  -- Sort by the table that is read first. A search reads submission_search first, except for undelivered replies, which
  -- are few.
  by_words constant boolean := needle is not null and part = 0;
  at_column constant text := case when by_words then 'search.created_at' else 'submission.created_at' end;
  id_column constant text := case when by_words then 'search.submission_id' else 'submission.id' end;
  direction constant text := case when forward then 'desc' else 'asc' end;
  has_words constant text := (
    select string_agg(format('strpos(search.words, ($2)[%s]) > 0', number), ' and ') from generate_subscripts(needle, 1) as number
  );
  waits constant text := 'submission.quarantine_reason is null and submission.state in (''new'', ''in_progress'')';
  in_folder constant text := case folder
    when 'all' then 'submission.quarantine_reason is null and submission.state <> ''spam'''
    when 'waiting' then waits
    when 'late' then waits || ' and submission.answer_due_at < $6'
    else '(case when submission.quarantine_reason is null then submission.state else ''quarantined'' end) = $1'
  end;
begin
  -- Dynamic SQL, planned for its actual values: one statement for all cases would get a plan that suits none of them.
  return query execute
    'select submission.* from '
    || case
      when needle is null then 'private.open_submissions as submission where ' || in_folder
      -- The lateral join with limit 1 tells the planner, even without statistics, that each search row has one message.
      -- So it walks submission_search in index order and stops when the page is full.
      when by_words then 'private.submission_search as search cross join lateral (
          select submission.* from private.open_submissions as submission
          where submission.id = search.submission_id and ' || in_folder || ' limit 1
        ) as submission where ' || has_words
      else 'private.open_submissions as submission join private.submission_search as search '
        || 'on search.submission_id = submission.id where ' || in_folder || ' and ' || has_words
    end
    || case
      when part = 1 then ' and submission.undelivered_at <= $6'
      -- In these folders the messages are one part.
      when folder in ('done', 'spam', 'quarantined') then ''
      else ' and not coalesce(submission.undelivered_at <= $6, false)'
    end
    || case when after is null then ''
      else format(' and (%s, %s) %s ($3, $4)', at_column, id_column, case when forward then '<' else '>' end) end
    || format(' order by %s %s, %s %s limit $5', at_column, direction, id_column, direction)
    using folder, needle, after, after_id, most, as_of;
end;
$$;

create function private.write_cursor(direction text, shown private.placed_row, as_of timestamptz) returns text
language sql immutable
set search_path = ''
as $$ select format('%s.%s.%s.%s', direction, shown.place, shown.id, (extract(epoch from as_of) * 1000000)::bigint) $$;
