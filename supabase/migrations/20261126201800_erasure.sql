-- Erasure of a person's data, and the record of it.

-- Counts the data held about a person, by table, for the preview and for the record of an erasure. Drafts count as
-- replies.
create function private.count_subject(person text) returns jsonb
language sql stable
set search_path = ''
as $$
  with submissions as (
    select id from public.contact_submissions as submission where private.subject_key(submission.email) = person
  ), requests as (
    select id from public.data_rights_requests as request where private.subject_key(request.email) = person
  )
  select jsonb_build_object(
    'submissions', (select count(*) from submissions),
    'replies', (
      select count(*) from private.message_replies as reply where reply.submission_id in (select id from submissions)
    ) + (
      select count(*) from private.reply_drafts as draft where draft.submission_id in (select id from submissions)
    ),
    'receipts', (
      select count(*) from private.contact_receipts as receipt where receipt.submission_id in (select id from submissions)
    ),
    'requests', (select count(*) from requests),
    'links', (select count(*) from private.data_rights_links as link where link.request_id in (select id from requests)),
    'events', (
      select count(*) from public.data_rights_events as event where event.request_id in (select id from requests)
    ),
    'memberships', (
      select count(*) from public.network_members as member where private.subject_key(member.email) = person
    ),
    'mails', (select count(*) from private.find_mails_of(person))
  )
$$;

-- Counts other people's messages and requests, and the replies to them and drafts, that mention the address. Erasure
-- leaves other people's texts alone, but an admin should check them.
create function private.count_mentions(person text) returns bigint
language sql stable
set search_path = ''
as $$
  select (
    select count(*)
    from private.submission_search as search
    join public.contact_submissions as submission on submission.id = search.submission_id
    where strpos(search.words, private.fold_text(person)) > 0 and private.subject_key(submission.email) <> person
  ) + (
    select count(*)
    from (
      select reply.submission_id, reply.body from private.message_replies as reply
      union all
      select draft.submission_id, draft.body from private.reply_drafts as draft
    ) as written
    join public.contact_submissions as submission on submission.id = written.submission_id
    where strpos(lower(written.body), person) > 0 and private.subject_key(submission.email) <> person
  ) + (
    select count(*)
    from public.data_rights_requests as request
    where private.subject_key(request.email) <> person and (
      strpos(lower(request.name || e'\n' || request.description), person) > 0
      or exists (
        select 1 from public.data_rights_events as event
        where event.request_id = request.id and strpos(lower(event.note), person) > 0
      )
    )
  )
$$;

create function public.erase_subject(request_id uuid, mail jsonb, elsewhere text[] default '{}') returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests := private.begin_step(request_id, 'erase');
  person text := private.subject_key(request.email);
  counts jsonb := private.count_subject(person);
begin
  perform set_config('private.erases_log', 'on', true);
  -- Lock messages and the membership before their mails, as settle_mails does.
  perform from public.contact_submissions as submission
  where private.subject_key(submission.email) = person order by submission.id for update;
  perform from public.network_members as member where private.subject_key(member.email) = person for update;
  delete from private.email_outbox as queued where queued.id in (select own.id from private.find_mails_of(person) as own);
  -- Receipts and search text are deleted with the messages, links and events with the requests and the membership.
  delete from public.contact_submissions as submission where private.subject_key(submission.email) = person;
  delete from public.data_rights_requests as own where private.subject_key(own.email) = person;
  delete from public.network_members as member where private.subject_key(member.email) = person;
  perform set_config('private.erases_log', 'off', true);

  insert into private.erasure_tombstones (reference, email_hash, counts, erased_by, elsewhere)
  values (request.reference, private.digest(person), counts, auth.uid(), erase_subject.elsewhere);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, true);
  return counts;
end;
$$;

comment on function public.erase_subject is
  'Deletes all data held under the address of a confirmed request for erasure (or an objection or other request), '
  'including that request. Leaves a tombstone and one last mail {subject, body}, which is deleted once delivered. '
  'elsewhere: the places that the admin handled manually (mailbox, exports, advisers, google); the tombstone records '
  'them. Returns the counts. Errors as take_request_step, and 23514 for another place. Deletes nothing when it '
  'raises.';
revoke all on function public.erase_subject from public, anon, authenticated, service_role;
grant execute on function public.erase_subject to authenticated;
