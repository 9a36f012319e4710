-- The firm replies from the inbox. A reply is kept with its message and goes with it; its mail has the same id, by which the next
-- reply points back at it, so that a mailbox shows the acknowledgement and all replies as one conversation.
create table private.message_replies (
  -- Given by the form, so that a form that is posted twice is one reply; and the id of its mail.
  id uuid primary key,
  submission_id uuid not null references public.contact_submissions (id) on delete cascade,
  written_by uuid not null,
  written_at timestamptz not null default now(),
  body text not null check (char_length(body) between 1 and 10000)
);
create index message_replies_submission on private.message_replies (submission_id, written_at);

-- A reply that is not sent yet: one a message, whoever goes on with it.
create table private.reply_drafts (
  submission_id uuid primary key references public.contact_submissions (id) on delete cascade,
  saved_by uuid not null,
  saved_at timestamptz not null default now(),
  body text not null check (char_length(body) between 1 and 10000)
);

alter table private.message_replies enable row level security;
alter table private.reply_drafts enable row level security;
revoke all on table private.message_replies, private.reply_drafts from public, anon, authenticated, service_role;

alter table private.email_outbox
  -- The mails of the same conversation that came before, the oldest first (RFC 5322, section 3.6.4).
  add column thread uuid[] not null default '{}',
  drop constraint email_outbox_kind_check,
  add constraint email_outbox_kind_check check (kind in (
    'firm', 'digest', 'acknowledgement', 'reply', 'request-firm', 'request-acknowledgement', 'request-answer', 'account',
    'account-link'
  ));

-- The message, locked. What is held back or spam is moved to New first: an answer would tell a spammer that somebody reads there.
create function private.lock_answerable(submission_id uuid) returns public.contact_submissions
language plpgsql
set search_path = ''
as $$
declare
  submission public.contact_submissions := private.lock_submission(lock_answerable.submission_id);
begin
  if submission.quarantine_reason is not null or submission.state = 'spam' then
    raise exception 'what is spam or held back is moved to New before it is answered' using errcode = '55000';
  end if;
  return submission;
end;
$$;

create function public.send_reply(submission_id uuid, reply_id uuid, reply text, mail jsonb) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions := private.lock_answerable(send_reply.submission_id);
  words text := rtrim(reply, e' \t\r\n');
  subject text := mail ->> 'subject';
  quotation text := mail ->> 'quotation';
begin
  if reply_id is null or coalesce(words, '') !~ '\S' or char_length(words) > 10000
    or coalesce(btrim(subject), '') = '' or char_length(subject) > 200 or subject ~ '[\r\n]'
    or quotation is null or char_length(quotation) > 30000 then
    raise exception 'a reply needs words, a subject of one line and a quotation' using errcode = '22023';
  end if;
  -- With the message locked, the second of two equal posts finds the first.
  if exists (
    select 1 from private.message_replies as sent
    where sent.id = reply_id and sent.submission_id = submission.id and sent.body = words
  ) then
    return false;
  end if;

  insert into private.email_outbox (id, submission_id, kind, recipient, subject, body, thread)
  values (
    reply_id, submission.id, 'reply', submission.email, subject, words || e'\n\n' || quotation,
    array(
      select earlier.id
      from (
        select queued.id, queued.created_at from private.email_outbox as queued
        where queued.submission_id = submission.id and queued.kind = 'acknowledgement'
        union all
        select sent.id, sent.written_at from private.message_replies as sent where sent.submission_id = submission.id
      ) as earlier
      order by earlier.created_at, earlier.id
    )
  );
  insert into private.message_replies (id, submission_id, written_by, body)
  values (reply_id, submission.id, actor, words);
  delete from private.reply_drafts as draft where draft.submission_id = submission.id;
  update public.contact_submissions as answered
  set state = 'done', answered_at = coalesce(answered.answered_at, now())
  where answered.id = submission.id;
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-replied', submission.id);
  return true;
end;
$$;

comment on function public.send_reply(uuid, uuid, text, jsonb) is
  'Keeps a reply, queues its mail to the sender and marks the message as done and answered, all or nothing. mail: {subject, quotation}; '
  'the quotation stands under the words. reply_id is new for each form: the same reply a second time is false and does nothing. Raises '
  '42501 for others than admins, P0002 for an unknown message, 55000 for one that is restricted, held back or spam, 22023 for missing '
  'or too many words, 23505 where another reply has that id.';

create function public.save_reply_draft(submission_id uuid, draft text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions := private.lock_answerable(save_reply_draft.submission_id);
  words text := rtrim(draft, e' \t\r\n');
begin
  if char_length(words) > 10000 then
    raise exception 'a draft has at most 10,000 characters' using errcode = '22023';
  end if;
  delete from private.reply_drafts as kept where kept.submission_id = submission.id;
  if coalesce(words, '') ~ '\S' then
    insert into private.reply_drafts (submission_id, saved_by, body) values (submission.id, actor, words);
  end if;
end;
$$;

comment on function public.save_reply_draft(uuid, text) is
  'Keeps the draft of a reply in the place of an earlier one; without words there is none any more. Errors as send_reply.';

-- As before, with the replies, and with what is written of the next one.
create or replace function public.find_submission(submission_id uuid) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select to_jsonb(submission) - array['frozen_at', 'answer_notice'] || jsonb_build_object(
      'replies', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', reply.id, 'written_at', reply.written_at, 'body', reply.body,
          'by', (select person.email from auth.users as person where person.id = reply.written_by),
          -- Null once its mail is past its time.
          'delivery', (
            select case
              when mail.delivered_at is not null then 'sent' when mail.gave_up_at is not null then 'given-up' else 'waiting'
            end
            from private.email_outbox as mail where mail.id = reply.id
          )
        ) order by reply.written_at, reply.id), '[]')
        from private.message_replies as reply where reply.submission_id = submission.id
      ),
      'draft', (
        select jsonb_build_object(
          'saved_at', draft.saved_at, 'body', draft.body,
          'by', (select person.email from auth.users as person where person.id = draft.saved_by)
        )
        from private.reply_drafts as draft where draft.submission_id = submission.id
      ),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'at', event.at, 'action', event.action,
          'by', (select person.email from auth.users as person where person.id = event.actor)
        ) order by event.id), '[]')
        from public.admin_events as event where event.submission_id = submission.id
      ),
      'others', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', other.id, 'created_at', other.created_at, 'goal', other.goal, 'state', other.state,
          'quarantine_reason', other.quarantine_reason
        ) order by other.created_at desc, other.id), '[]')
        from (
          select * from public.contact_submissions as sent
          where private.subject_key(sent.email) = private.subject_key(submission.email)
            and sent.id <> submission.id and sent.frozen_at is null
          order by sent.created_at desc, sent.id
          limit 50
        ) as other
      ),
      'requests', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', request.id, 'reference', request.reference, 'request_type', request.request_type, 'state', request.state
        ) order by request.received_at desc, request.id), '[]')
        from public.data_rights_requests as request
        where private.subject_key(request.email) = private.subject_key(submission.email) and request.frozen_at is null
      )
    )
    from public.contact_submissions as submission
    where submission.id = find_submission.submission_id and submission.frozen_at is null
  );
end;
$$;

comment on function public.find_submission(uuid) is
  'One message that is not frozen, as list_submissions shows it, with {replies: [{id, written_at, body, by, delivery}], draft: '
  '{saved_at, body, by} or null, events: [{at, action, by}], others: [{id, created_at, goal, state, quarantine_reason}], requests: '
  '[{id, reference, request_type, state}]}: what was answered and done, and what else came from the same address; null if there is none. '
  'delivery: waiting, sent, given-up or null. Raises 42501 for others than admins.';

revoke all on function
  private.lock_answerable(uuid), public.send_reply(uuid, uuid, text, jsonb), public.save_reply_draft(uuid, text)
  from public, anon, authenticated, service_role;
grant execute on function public.send_reply(uuid, uuid, text, jsonb), public.save_reply_draft(uuid, text) to authenticated;

-- As before, with the thread. What a function returns cannot be changed, so it is made anew.
drop function public.claim_due_mail(integer, integer);
create function public.claim_due_mail(batch_size integer, lease_seconds integer)
returns table (
  id uuid, kind text, recipient text, reply_to text, subject text, body text, thread uuid[], attempts integer,
  created_at timestamptz
)
language sql security definer
set search_path = ''
as $$
  with due as (
    select mail.id
    from private.email_outbox as mail
    where mail.delivered_at is null
      and mail.gave_up_at is null
      and mail.next_attempt_at <= now()
      and (mail.leased_until is null or mail.leased_until <= now())
      and not private.is_held(mail)
    order by mail.next_attempt_at
    limit least(greatest(batch_size, 0), 100)
    for update skip locked
  )
  update private.email_outbox as mail
  set leased_until = now() + make_interval(secs => lease_seconds), attempts = mail.attempts + 1
  from due
  where mail.id = due.id
  returning
    mail.id, mail.kind, mail.recipient, mail.reply_to, mail.subject, mail.body, mail.thread, mail.attempts,
    mail.created_at;
$$;

comment on function public.claim_due_mail(integer, integer) is
  'Leases up to batch_size due mails (100 at most) for lease_seconds and counts the attempt. Settle each with settle_mail. thread: the '
  'ids of the mails that it follows in a conversation, the oldest first.';

revoke all on function public.claim_due_mail(integer, integer) from public, anon, authenticated, service_role;
grant execute on function public.claim_due_mail(integer, integer) to service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261123030000' $$;
