-- The state of a message, and the promise to reply in time.

-- For admins. Each public function that changes a message here raises 42501 for non-admins, P0002 for an unknown
-- message, 55000 for a frozen one or one that does not allow the change, and PT409 when the caller saw another version.
-- It logs the change in admin_events.

-- Locks a message and returns it. A restricted message cannot be changed until the restriction is lifted. The locked
-- version must be the one that the caller saw.
create function private.lock_submission(submission_id uuid) returns public.contact_submissions
language plpgsql
set search_path = ''
as $$
declare
  submission public.contact_submissions;
begin
  select * into submission from public.contact_submissions as stored
  where stored.id = lock_submission.submission_id for update;
  if not found then
    raise exception 'there is no such message' using errcode = 'P0002';
  end if;
  if submission.frozen_at is not null then
    raise exception 'the use of this message is restricted' using errcode = '55000';
  end if;
  perform private.require_seen(submission.version);
  return submission;
end;
$$;

-- Returns the fields that set_submission_state and restore_submission change, for the log and for undo.
create function private.changeable_state(submission public.contact_submissions) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'state', submission.state, 'quarantine_reason', submission.quarantine_reason,
    'answered_at', submission.answered_at, 'answer_notice', submission.answer_notice,
    'marked_by_link_at', submission.marked_by_link_at
  )
$$;

-- Done means answered; reopening clears that. If the message already has the requested state, the call does nothing
-- even with an outdated version: it is a second press of the button, or a colleague made the same change.
create function public.set_submission_state(submission_id uuid, state text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions;
begin
  select * into submission from private.open_submissions as stored
  where stored.id = set_submission_state.submission_id for update;
  if submission.state = set_submission_state.state and submission.quarantine_reason is null
    and not private.saw(submission.version) then
    return;
  end if;
  if (private.lock_submission(submission_id)).quarantine_reason is not null then
    raise exception 'a message in quarantine is restored first' using errcode = '55000';
  end if;
  if set_submission_state.state is null or set_submission_state.state not in ('new', 'in_progress', 'done', 'spam') then
    raise exception 'there is no such state' using errcode = '22023';
  end if;
  update public.contact_submissions as stored
  set state = set_submission_state.state, marked_by_link_at = null,
    -- Work on the message goes on without the reply being delivered.
    undelivered_at = case when set_submission_state.state in ('new', 'in_progress') then stored.undelivered_at end,
    answered_at = case when set_submission_state.state = 'done' then coalesce(stored.answered_at, now()) end
  where stored.id = set_submission_state.submission_id;
  insert into public.admin_events (actor, action, submission_id, replaced)
  values (
    actor, 'submission-' || set_submission_state.state, set_submission_state.submission_id,
    private.changeable_state(submission)
  );
end;
$$;

comment on function public.set_submission_state is
  'Sets the state: new, in_progress, done (which sets answered_at unless it is set) or spam. Raises 22023 for another '
  'state. Raises PT409 only when the caller saw another version and the message is in another state.';
revoke all on function public.set_submission_state from public, anon, authenticated, service_role;
grant execute on function public.set_submission_state to authenticated;

-- The message becomes new. No mail is sent: the admin has just read it, so no late notice is needed, and an
-- acknowledgement days later would confuse the sender.
create function public.restore_submission(submission_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  held_back public.contact_submissions := private.lock_submission(submission_id);
begin
  if held_back.quarantine_reason is null then
    raise exception 'this message is not in quarantine' using errcode = '55000';
  end if;
  update public.contact_submissions as submission
  set quarantine_reason = null, state = 'new',
    answer_notice = case when submission.answer_due_at < now() then 'late' end
  where submission.id = restore_submission.submission_id;
  insert into public.admin_events (actor, action, submission_id, replaced)
  values (actor, 'submission-restored', restore_submission.submission_id, private.changeable_state(held_back));
end;
$$;

comment on function public.restore_submission is
  'Takes a message out of quarantine. It becomes new, without any mail.';
revoke all on function public.restore_submission from public, anon, authenticated, service_role;
grant execute on function public.restore_submission to authenticated;

-- A second press of the button finds the change undone and does nothing. A sent reply cannot be undone.
create function public.undo_submission_change(submission_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions;
  last public.admin_events;
begin
  select * into submission from private.open_submissions as stored
  where stored.id = undo_submission_change.submission_id for update;
  select * into last from public.admin_events as event
  where event.submission_id = undo_submission_change.submission_id order by event.id desc limit 1;
  if last.action = 'submission-undone' and submission.id is not null and not private.saw(submission.version) then
    return;
  end if;
  submission := private.lock_submission(undo_submission_change.submission_id);
  if last.replaced is null then
    raise exception 'the last change of this message cannot be undone' using errcode = '55000';
  end if;
  submission := jsonb_populate_record(submission, last.replaced);
  update public.contact_submissions as stored
  set state = submission.state, quarantine_reason = submission.quarantine_reason, answered_at = submission.answered_at,
    answer_notice = submission.answer_notice, marked_by_link_at = submission.marked_by_link_at
  where stored.id = submission.id;
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-undone', submission.id);
end;
$$;

comment on function public.undo_submission_change is
  'Restores the state that the last logged change of a message replaced: set_submission_state or restore_submission. '
  'Raises 55000 after any other change.';
revoke all on function public.undo_submission_change from public, anon, authenticated, service_role;
grant execute on function public.undo_submission_change to authenticated;

-- Also deletes its receipt, mail and search text, by cascade. Rejected while the sender has an open request for their
-- data.
create function public.delete_submission(submission_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
begin
  if private.is_asked_for((private.lock_submission(submission_id)).email) then
    raise exception 'this person has asked for their data' using errcode = '55006';
  end if;
  delete from public.contact_submissions as submission where submission.id = delete_submission.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-deleted', delete_submission.submission_id);
end;
$$;

comment on function public.delete_submission is
  'Permanently deletes a message and everything that references it. Raises 55006 while its sender has an open request '
  'for their data.';
revoke all on function public.delete_submission from public, anon, authenticated, service_role;
grant execute on function public.delete_submission to authenticated;

-- Deletes the spam that a page showed. A message that is no longer spam stays, so no version is needed.
create function public.delete_spam(submission_ids uuid[]) returns integer
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  deleted uuid[];
begin
  if coalesce(cardinality(submission_ids), 0) not between 1 and 100 then
    raise exception 'one call deletes 1 to 100 messages' using errcode = '22023';
  end if;
  with gone as (
    delete from private.open_submissions as submission
    where submission.id = any (submission_ids) and submission.state = 'spam' and submission.quarantine_reason is null
      and not private.is_asked_for(submission.email)
    returning submission.id
  )
  select array_agg(gone.id) into deleted from gone;
  insert into public.admin_events (actor, action, submission_id)
  select actor, 'submission-deleted', id from unnest(deleted) as id;
  return coalesce(cardinality(deleted), 0);
end;
$$;

comment on function public.delete_spam is
  'Permanently deletes those of 1 to 100 messages that are spam, logs each, and returns their number. Messages that are '
  'no longer spam, restricted, or from a sender with an open request for their data stay. Raises 42501 for non-admins, '
  '22023 for another number of ids.';
revoke all on function public.delete_spam from public, anon, authenticated, service_role;
grant execute on function public.delete_spam to authenticated;

-- Each mail to the firm about a message contains a link with which a person who replied in their own mail program marks
-- it as answered. Its token opens nothing else, and ends 30 days after the message was answered. Only the digest is
-- stored.
create table private.answer_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  submission_id uuid not null references public.contact_submissions (id) on delete cascade
);

create index answer_links_submission on private.answer_links (submission_id);

-- Returns the id of the message that a token opens, or null. The firm's reply may quote the mail including the link, so
-- these functions return no name and no text.
create function private.find_linked_submission(token text) returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  -- At least 32 random bytes in base64url. Skip the digest for anything else.
  if token is null or token !~ '^[A-Za-z0-9_-]{43,128}$' then
    return null;
  end if;
  return (
    select submission.id
    from private.answer_links as link
    join private.open_submissions as submission on submission.id = link.submission_id
    where link.token_hash = private.digest(find_linked_submission.token)
      and submission.quarantine_reason is null and submission.state <> 'spam'
      and (submission.answered_at is null
        or submission.answered_at > now() - private.retention_period('answered_links'))
  );
end;
$$;

create function public.find_answer_link(token text)
returns table (reference text, received_at timestamptz, answered_at timestamptz)
language sql stable security definer
set search_path = ''
as $$
  select left(submission.id::text, 8), submission.created_at, submission.answered_at
  from private.open_submissions as submission
  where submission.id = (select private.find_linked_submission(token))
$$;

comment on function public.find_answer_link is
  'Returns the message that this token would mark as answered, or no row. Changes nothing, because mail scanners '
  'follow links.';
revoke all on function public.find_answer_link from public, anon, authenticated, service_role;
grant execute on function public.find_answer_link to anon, authenticated;

-- The mark stays until an admin next changes the message.
create function public.mark_answered(token text)
returns table (reference text, received_at timestamptz, answered_at timestamptz)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  linked uuid := private.find_linked_submission(mark_answered.token);
begin
  update public.contact_submissions
  set state = 'done', answered_at = coalesce(answered_at, now()), marked_by_link_at = now(), undelivered_at = null
  where id = linked and (state <> 'done' or answered_at is null);
  if found then
    -- Null actor: the reader of the mail is not signed in.
    insert into public.admin_events (actor, action, submission_id) values (null, 'submission-answered-by-link', linked);
  end if;
  return query select * from public.find_answer_link(mark_answered.token);
end;
$$;

comment on function public.mark_answered is
  'Marks the message of this token as done and answered, once, and returns the same columns as find_answer_link; no '
  'row for an invalid token.';
revoke all on function public.mark_answered from public, anon, authenticated, service_role;
grant execute on function public.mark_answered to anon, authenticated;

-- The firm gets one mail per message when six hours are left to reply, and another when the reply is late, plus one
-- digest of waiting work on working mornings. Due mail follows from the rows, so a missed run loses nothing: each run
-- of deliver-outbox lists the due mails, writes them and queues them here.

-- The last morning whose digest was sent or found unnecessary. At most one row.
create table private.digests (
  day date primary key,
  made_at timestamptz not null default now()
);

-- Returns the notice to the firm that is due for a message now, or null.
create function private.due_answer_notice(submission private.open_submissions) returns text
language sql stable
set search_path = ''
as $$
  select case
    when submission.quarantine_reason is not null or submission.state not in ('new', 'in_progress') then null
    when submission.undelivered_at is not null and submission.answer_notice is null then 'undelivered'
    -- A due-soon notice that was missed until the deadline becomes a late notice.
    when submission.answer_due_at <= now() then case when submission.answer_notice is distinct from 'late' then 'late' end
    when submission.answer_due_at <= now() + interval '6 hours' and submission.answer_notice is null then 'due-soon'
  end
$$;

-- Returns the content of a digest, or null when nothing waits.
create function private.describe_digest() returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  since timestamptz := coalesce((select max(digest.made_at) from private.digests as digest), now() - interval '1 day');
  counts jsonb := private.count_submissions();
  content jsonb;
begin
  select jsonb_build_object(
    'waiting', counts -> 'waiting',
    'late', counts -> 'late',
    'held_back', (select count(*) from private.open_submissions as submission
      where submission.quarantine_reason is not null and submission.created_at > since),
    -- Includes requests of people whose data is restricted, because the duty to respond is not.
    'requests', (select coalesce(jsonb_agg(jsonb_build_object(
        'reference', request.reference, 'request_type', request.request_type, 'due_on', request.due_on
      ) order by request.due_on, request.received_at), '[]')
      from public.data_rights_requests as request where request.state in ('open', 'in_progress')),
    'stuck_mails', (select count(*) from private.email_outbox as mail
      where mail.delivered_at is null and mail.gave_up_at is null and not private.is_recent(mail.created_at, '10 minutes')
        and not private.is_held(mail)),
    'undelivered', (select coalesce(jsonb_agg(jsonb_build_object(
        'kind', mail.kind,
        'reference', coalesce(left(mail.submission_id::text, 8), (
          select request.reference from public.data_rights_requests as request where request.id = mail.request_id
        ))
      ) order by mail.gave_up_at, mail.id), '[]') from private.find_undelivered() as mail),
    -- Members whose address is confirmed, and whom no admin has admitted or declined.
    'network_confirmed', (select count(*) from public.network_members as member
      where member.state = 'confirmed' and private.may_write(member, 'link')),
    'troubles', private.list_troubles()
  ) into content;
  return case
    when content ->> 'waiting' <> '0' or content -> 'requests' <> '[]' or content ->> 'held_back' <> '0'
      or content ->> 'stuck_mails' <> '0' or content -> 'undelivered' <> '[]' or content ->> 'network_confirmed' <> '0'
      or content -> 'troubles' <> '[]'
      then content
  end;
end;
$$;

-- Random order, at most twenty per call, so that twenty failing mails cannot block the others forever.
create function public.list_firm_notices(morning date) returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'answers', (
      select coalesce(jsonb_agg(due.notice), '[]')
      from (
        select jsonb_build_object(
            'notice', private.due_answer_notice(submission), 'refusal', private.find_refusal(submission.id)
          ) || (to_jsonb(submission) - 'ip_address') as notice
        from private.open_submissions as submission
        where submission.quarantine_reason is null and submission.state in ('new', 'in_progress')
          and (submission.answer_due_at <= now() + interval '6 hours' or submission.undelivered_at is not null)
          -- No notice follows the late one. due_answer_notice checks this, too, but would be called for years of
          -- messages.
          and submission.answer_notice is distinct from 'late'
          and private.due_answer_notice(submission) is not null
        order by random()
        limit 20
      ) as due
    ),
    'is_digest_due', morning is not null and not exists (select from private.digests as digest where digest.day >= morning),
    'digest', case
      when morning is not null and not exists (select from private.digests as digest where digest.day >= morning)
        then private.describe_digest()
    end
  )
$$;

comment on function public.list_firm_notices is
  'Returns the mails to the firm that are due now. answers: at most twenty messages with notice (undelivered, '
  'due-soon or late) and refusal, why their last reply was refused; queue each with queue_answer_notice. '
  'is_digest_due: whether the digest of that morning is due (morning null: no). digest: as private.describe_digest; '
  'settle it with queue_digest.';
revoke all on function public.list_firm_notices from public, anon, authenticated, service_role;
grant execute on function public.list_firm_notices to service_role;

create function public.queue_answer_notice(submission_id uuid, notice text, mail jsonb, token_hash text) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  submission private.open_submissions;
begin
  -- When two workers run concurrently, the second finds that the notice is no longer due.
  select * into submission from private.open_submissions as stored
  where stored.id = queue_answer_notice.submission_id for update;
  if not found or private.due_answer_notice(submission) is distinct from queue_answer_notice.notice then
    return false;
  end if;
  insert into private.answer_links (token_hash, submission_id) values (queue_answer_notice.token_hash, submission.id);
  insert into private.email_outbox (submission_id, kind, reply_to, subject, body)
  values (submission.id, 'firm', mail ->> 'reply_to', mail ->> 'subject', mail ->> 'body');
  update public.contact_submissions as stored
  -- The mail about the refused reply also serves as the late notice.
  set answer_notice = case when submission.answer_due_at <= now() then 'late' else queue_answer_notice.notice end
  where stored.id = submission.id;
  return true;
end;
$$;

comment on function public.queue_answer_notice is
  'Queues the mail {subject, body, reply_to} to the firm about a message from list_firm_notices, with the SHA-256 of '
  'its link''s token. Returns false if it is no longer due.';
revoke all on function public.queue_answer_notice from public, anon, authenticated, service_role;
grant execute on function public.queue_answer_notice to service_role;

create function public.queue_digest(morning date, mail jsonb) returns boolean
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.digests (day) values (morning) on conflict do nothing;
  if not found then
    return false;
  end if;
  delete from private.digests as digest where digest.day < morning;
  -- One that waits for the mail server is out of date.
  delete from private.email_outbox as late
  where late.kind = 'digest' and late.delivered_at is null and (late.leased_until is null or late.leased_until <= now());
  if mail is not null then
    insert into private.email_outbox (kind, subject, body, forget_when_delivered)
    values ('digest', mail ->> 'subject', mail ->> 'body', true);
  end if;
  return true;
end;
$$;

comment on function public.queue_digest is
  'Queues the digest {subject, body} of a morning, once, and drops earlier ones that still wait. mail is null when nothing waits. Returns false if that '
  'morning is already settled.';
revoke all on function public.queue_digest from public, anon, authenticated, service_role;
grant execute on function public.queue_digest to service_role;

-- Shows how well the firm keeps its promise to reply, by month of arrival. Excludes spam, held-back and restricted
-- messages.
create function public.answer_times() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(to_jsonb(month_of_messages) order by month_of_messages.month desc), '[]')
    from (
      select
        to_char(submission.created_at at time zone private.time_zone(), 'YYYY-MM') as month,
        count(*) as messages,
        count(submission.answered_at) as answered,
        round((percentile_cont(0.5) within group (
          order by extract(epoch from submission.answered_at - submission.created_at)
        ) filter (where submission.answered_at is not null))::numeric) as median_seconds,
        count(*) filter (where submission.answered_at <= submission.answer_due_at) as in_time,
        count(*) filter (where submission.answered_at is not null or submission.answer_due_at < now()) as judged
      from private.open_submissions as submission
      where submission.quarantine_reason is null and submission.state <> 'spam'
        -- A reply that waits for the mail server is no answer yet. Of other messages that are done, the time is unknown.
        and (submission.state <> 'done' or submission.answered_at is not null or exists (
          select from private.email_outbox as mail
          where mail.submission_id = submission.id and mail.kind = 'reply' and mail.delivered_at is null
        ))
        and submission.created_at >= private.start_of_day((date_trunc('month', private.today()) - interval '12 months')::date)
      group by 1
    ) as month_of_messages
  );
end;
$$;

comment on function public.answer_times is
  'Returns this month and the twelve before it, newest first: [{month (YYYY-MM, at the firm), messages, answered, '
  'median_seconds (null when none is answered), in_time, judged}]. judged counts the messages that were answered or '
  'are past their deadline. Raises 42501 for non-admins.';
revoke all on function public.answer_times from public, anon, authenticated, service_role;
grant execute on function public.answer_times to authenticated;
