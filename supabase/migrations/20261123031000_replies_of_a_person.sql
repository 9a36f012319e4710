-- Replies and drafts of them are data about whoever wrote the message: they are given out, counted and looked through with it. (They
-- are deleted with their message, wherever that is.)

-- As before, with the replies to each message, and with a draft. Which of the firm's people wrote them is their own affair.
create or replace function public.export_subject_data(request_id uuid) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
  person text;
begin
  perform private.require_admin();
  request := private.lock_subject(request_id, array['open', 'in_progress', 'completed']);
  person := private.subject_key(request.email);
  perform private.record_request_event(request.id, 'admin', 'exported', null);
  return jsonb_build_object(
    'exported_at', now(),
    'reference', request.reference,
    'email', request.email,
    'submissions', (
      select coalesce(jsonb_agg(
        to_jsonb(submission) - 'ip_address' || jsonb_build_object(
          'replies', (
            select coalesce(jsonb_agg(
              jsonb_build_object('written_at', reply.written_at, 'body', reply.body) order by reply.written_at, reply.id
            ), '[]')
            from private.message_replies as reply where reply.submission_id = submission.id
          ),
          'reply_draft', (
            select jsonb_build_object('saved_at', draft.saved_at, 'body', draft.body)
            from private.reply_drafts as draft where draft.submission_id = submission.id
          )
        ) order by submission.created_at, submission.id
      ), '[]')
      from public.contact_submissions as submission
      where private.subject_key(submission.email) = person
    ),
    'requests', (
      select coalesce(jsonb_agg(
        to_jsonb(own) || jsonb_build_object('events', (
          -- Which of the firm's people acted is their own affair.
          select coalesce(jsonb_agg(
            jsonb_build_object('at', event.at, 'by', event.actor_kind, 'action', event.action, 'note', event.note)
            order by event.id
          ), '[]')
          from public.data_rights_events as event where event.request_id = own.id
        )) order by own.received_at, own.id
      ), '[]')
      from public.data_rights_requests as own
      where private.subject_key(own.email) = person
    ),
    'mails', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', mail.kind, 'recipient', mail.recipient, 'reply_to', mail.reply_to, 'subject', mail.subject,
        -- A link that opens must not lie in a file that is passed on.
        'body', private.without_tokens(mail.body),
        'created_at', mail.created_at, 'delivered_at', mail.delivered_at
      ) order by mail.created_at, mail.kind, mail.id), '[]')
      from private.find_mails_of(person) as mail
    ),
    'earlier_erasures', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'reference', tombstone.reference, 'erased_at', tombstone.erased_at, 'counts', tombstone.counts
      ) order by tombstone.erased_at), '[]')
      from private.erasure_tombstones as tombstone
      where tombstone.email_hash = private.digest(person)
    )
  );
end;
$$;

comment on function public.export_subject_data(uuid) is
  'Everything held under the address of a confirmed request but the internet addresses of who sent it, as {exported_at, '
  'reference, email, submissions: [{…, replies, reply_draft}], requests: [{…, events}], mails, earlier_erasures}; says so in the log. '
  'Raises 42501 for others than admins, P0002 for an unknown request, 55000 for one that is unconfirmed, refused or withdrawn.';

-- As before, with replies, drafts among them.
create or replace function private.count_subject(person text) returns jsonb
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
    'mails', (select count(*) from private.find_mails_of(person))
  )
$$;

-- As before, with the replies to others and the drafts of them.
create or replace function private.count_mentions(person text) returns bigint
language sql stable
set search_path = ''
as $$
  select (
    select count(*)
    from private.submission_search as search
    join public.contact_submissions as submission on submission.id = search.submission_id
    where strpos(search.words, person) > 0 and private.subject_key(submission.email) <> person
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

comment on function public.preview_erasure(uuid) is
  'What erase_subject would delete: {submissions, replies, receipts, requests, links, events, mails}, and mentions: in how many '
  'texts by or to other people, which stay, the address stands. Same errors as erase_subject.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261123031000' $$;
