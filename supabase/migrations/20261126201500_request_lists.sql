-- Lists of data rights requests.

-- Returns a request as the admin sees it. An unconfirmed one waits for its requester, so it is never overdue.
create function private.show_request(request public.data_rights_requests) returns jsonb
language sql stable
set search_path = ''
as $$
  select to_jsonb(request) || jsonb_build_object(
    'is_overdue', request.state in ('open', 'in_progress') and request.due_on < private.today(),
    -- Why the last reply was not delivered.
    'refusal', case when request.undelivered_at is not null then private.find_refusal(request.id) end,
    'link_waits', request.closed_at is null and private.has_mail_in_line(request.id)
  )
$$;

-- No SET clause, so that PostgreSQL inlines it: it runs for every request and folder. A suspicious request is also in
-- the folders of its state.
create function private.is_in_folder(request public.data_rights_requests, folder text) returns boolean
language sql immutable
as $$
  select (request.frozen_at is not null) = (folder = 'restricted') and case
    when folder in ('all', 'restricted') then true
    when folder = 'quarantined' then request.quarantine_reason is not null
    when folder = 'active' then request.closed_at is null
    when folder = 'closed' then request.closed_at is not null
    else request.state = folder
  end
$$;

-- Requests are few (a thousand is a lot), so all are read and sorted: open ones whose reply was not delivered, the other
-- open ones by due date, overdue ones first, then unconfirmed ones, which wait for their requester, then closed ones,
-- newest first. A request that was closed or confirmed after as_of keeps its position.
create function private.scan_requests(
  folder text, needle text[], place bigint, id uuid, forward boolean, most integer, as_of timestamptz
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
      select request.id, request, case
        when request.closed_at is null or request.closed_at > as_of then
          (request.due_on - date '2000-01-01')::bigint
          - case when request.undelivered_at <= as_of then 1000000 else 0 end
          -- A complaint needs no confirmation.
          + case when request.request_type <> 'complaint' and coalesce(request.confirmed_at > as_of, true) then 100000000 else 0 end
        else 10000000000000000 - (extract(epoch from request.closed_at) * 1000000)::bigint
      end as place
      from public.data_rights_requests as request
      where private.is_in_folder(request, folder)
        and (needle is null or (
          select bool_and(strpos(folded.words, word) > 0)
          from unnest(needle) as word, (
            select private.fold_text(
              concat_ws(e'\n', request.reference, request.name, request.email, request.description)
            ) as words
          ) as folded
        ))
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

create function public.read_requests(
  folder text default 'active', search text default null, page_cursor text default null
) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'page', private.turn_page('scan_requests', folder, search, page_cursor, 25),
    'counts', (
      select jsonb_object_agg(each.folder, (
        select count(*) from public.data_rights_requests as request where private.is_in_folder(request, each.folder)
      ))
      from unnest(array[
        'all', 'active', 'unconfirmed', 'open', 'in_progress', 'closed', 'completed', 'refused', 'withdrawn',
        'quarantined', 'restricted'
      ]) as each (folder)
    ) || jsonb_build_object('overdue', private.count_overdue_requests())
  );
end;
$$;

comment on function public.read_requests is
  'Returns a page of 25 requests, with is_overdue and link_waits, and counts, the requests in each folder and overdue '
  'ones. folder: active (not closed), unconfirmed, open, in_progress, closed, completed, refused, withdrawn, '
  'quarantined (marked as suspicious), all, or restricted, whose requests are in no other folder. search: words, '
  'each a part of reference, name, email or description, regardless of accents. Errors as read_inbox.';
revoke all on function public.read_requests from public, anon, authenticated, service_role;
grant execute on function public.read_requests to authenticated;

create function public.find_request(request_id uuid) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select private.show_request(request) || jsonb_build_object(
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'at', event.at, 'actor_kind', event.actor_kind,
          'actor', coalesce(private.name_person(event.actor), left(event.actor::text, 8)),
          'action', event.action, 'note', event.note
        ) order by event.id), '[]')
        from public.data_rights_events as event where event.request_id = request.id
      ),
      'mails', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', mail.id, 'kind', mail.kind, 'subject', mail.subject, 'recipient', mail.recipient,
          'created_at', mail.created_at, 'delivered_at', mail.delivered_at, 'gave_up_at', mail.gave_up_at,
          'code', mail.last_error, 'waits_in_line', mail.line is not null
        ) order by mail.created_at, mail.kind, mail.id), '[]')
        from private.email_outbox as mail where mail.request_id = request.id
      ),
      'confirmation_expires_at', (
        select link.expires_at from private.data_rights_links as link
        where link.request_id = request.id and link.purpose = 'confirm' and link.used_at is null
      ),
      'steps', steps,
      'erasure', case when 'erase' = any (steps) then private.count_subject(private.subject_key(request.email))
        || jsonb_build_object('mentions', private.count_mentions(private.subject_key(request.email))) end,
      -- Includes restricted records: the correction is what the person requests.
      'messages', case when 'correct' = any (steps) then (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', submission.id, 'created_at', submission.created_at, 'version', submission.version, 'name', submission.name,
          'company', submission.company, 'stage', submission.stage, 'goal', submission.goal, 'message', submission.message
        ) order by submission.created_at desc, submission.id), '[]')
        from public.contact_submissions as submission
        where private.subject_key(submission.email) = private.subject_key(request.email)
      ) end,
      'membership', case when 'correct' = any (steps) then (
        select jsonb_build_object(
          'id', member.id, 'name', member.name, 'company', member.company, 'place', member.place, 'version', member.version
        )
        from public.network_members as member
        where private.subject_key(member.email) = private.subject_key(request.email)
      ) end
    )
    from public.data_rights_requests as request
    cross join lateral private.possible_steps(request) as steps
    where request.id = find_request.request_id
  );
end;
$$;

comment on function public.find_request is
  'Returns one request, frozen or not; null if there is none. An admin who acted is named by name and address, or the '
  'address alone. steps: as private.possible_steps. erasure: the counts of what erase_subject would delete, by table, '
  'and mentions, the number of texts by or to other people that contain the address and stay. messages, membership: '
  'the person''s, with the fields that may be corrected. These three are null when their step is not possible. Raises '
  '42501 for non-admins.';
revoke all on function public.find_request from public, anon, authenticated, service_role;
grant execute on function public.find_request to authenticated;

-- Returns the number of open requests past their due date, with restricted ones: a duty that other lists hide must still
-- be visible. The condition closed_at is null is redundant, but lets the planner use the index of open requests. plpgsql,
-- so that the query is planned once per session.
create function private.count_overdue_requests() returns bigint
language plpgsql stable
set search_path = ''
as $$
begin
  return (
    select count(*) from public.data_rights_requests as request
    where request.closed_at is null and request.state in ('open', 'in_progress')
      and request.due_on < private.today()
  );
end;
$$;
