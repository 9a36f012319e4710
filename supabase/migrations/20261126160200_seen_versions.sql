-- Two people at the firm open the same page, and the first changes what the second still sees. Each form now says what its page showed,
-- by a version that goes up with each change; a change of something that is no longer so is refused, and the page asks again.
--
-- The version comes in the header x-seen-version of the call, and is compared where each function locks what it changes. So every
-- function that does is held to it, and a call without the header is not.
create function private.saw(version bigint) returns boolean
language sql stable
set search_path = ''
as $$
  select coalesce(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-seen-version' = version::text, true)
$$;

comment on function private.saw(bigint) is 'Whether the caller saw this version, by the header x-seen-version; true without the header.';

create function private.require_seen(version bigint) returns void
language plpgsql stable
set search_path = ''
as $$
begin
  if not private.saw(version) then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
end;
$$;

comment on function private.require_seen(bigint) is 'Raises PT409 where the caller saw another version.';

create function private.count_version() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;

-- Of each table, what a person decides by. What the site notes for itself, such as a reminder that was sent, is no change.
alter table public.contact_submissions add column version integer not null default 0;
create trigger count_version before update of state, quarantine_reason, frozen_at, name, company, stage, goal, message
  on public.contact_submissions for each row execute function private.count_version();

alter table public.data_rights_requests add column version integer not null default 0;
create trigger count_version before update of state, due_on, quarantine_reason, frozen_at, restriction_ends_on
  on public.data_rights_requests for each row execute function private.count_version();

alter table private.reply_snippets add column version integer not null default 0;
create trigger count_version before update of name, body
  on private.reply_snippets for each row execute function private.count_version();

-- As before, and what it locks must be what the caller saw.
create or replace function private.lock_submission(submission_id uuid) returns public.contact_submissions
language plpgsql
set search_path = ''
as $$
declare
  submission public.contact_submissions;
begin
  select * into submission from public.contact_submissions as kept
  where kept.id = lock_submission.submission_id for update;
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

-- As before, and what it locks must be what the caller saw.
create or replace function private.lock_request(request_id uuid, allowed_states text[]) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  select * into request from public.data_rights_requests as kept where kept.id = lock_request.request_id for update;
  if not found then
    raise exception 'there is no such request' using errcode = 'P0002';
  end if;
  perform private.require_seen(request.version);
  if request.state <> all (allowed_states) then
    raise exception 'a request that is % cannot do this', request.state using errcode = '55000';
  end if;
  return request;
end;
$$;

-- As before, but a message that somebody has put into that state meanwhile is left alone: it was a second press of the button, or a
-- colleague who decided the same.
create or replace function public.set_submission_state(submission_id uuid, state text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions;
begin
  select * into submission from public.contact_submissions as kept
  where kept.id = set_submission_state.submission_id for update;
  if submission.state = set_submission_state.state and submission.quarantine_reason is null
    and submission.frozen_at is null and not private.saw(submission.version) then
    return;
  end if;
  if (private.lock_submission(submission_id)).quarantine_reason is not null then
    raise exception 'a message in quarantine is restored first' using errcode = '55000';
  end if;
  if set_submission_state.state is null or set_submission_state.state not in ('new', 'in_progress', 'done', 'spam') then
    raise exception 'there is no such state' using errcode = '22023';
  end if;
  update public.contact_submissions as kept
  set state = set_submission_state.state, marked_by_link_at = null,
    answered_at = case when set_submission_state.state = 'done' then coalesce(kept.answered_at, now()) end
  where kept.id = set_submission_state.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-' || set_submission_state.state, set_submission_state.submission_id);
end;
$$;

comment on function public.set_submission_state(uuid, text) is
  'state: new, in_progress, done (which is answered, now unless it was before) or spam; 22023 for another. Raises PT409 where the caller '
  'saw another version of the message, in another state.';

-- As before, but the same form a second time is known before anything else: by then the message has changed, by its own first post.
create or replace function public.send_reply(submission_id uuid, reply_id uuid, reply text, mail jsonb) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions;
  words text := rtrim(reply, e' \t\r\n');
  subject text := mail ->> 'subject';
  quotation text := mail ->> 'quotation';
begin
  -- With the message locked, the second of two equal posts finds the first.
  perform from public.contact_submissions as kept where kept.id = send_reply.submission_id for update;
  if exists (
    select 1 from private.message_replies as sent
    where sent.id = reply_id and sent.submission_id = send_reply.submission_id and sent.body = words
  ) then
    return false;
  end if;
  submission := private.lock_answerable(send_reply.submission_id);
  if reply_id is null or coalesce(words, '') !~ '\S' or char_length(words) > 10000
    or coalesce(btrim(subject), '') = '' or char_length(subject) > 200 or subject ~ '[\r\n]'
    or quotation is null or char_length(quotation) > 30000 then
    raise exception 'a reply needs words, a subject of one line and a quotation' using errcode = '22023';
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
  set state = 'done', answered_at = coalesce(answered.answered_at, now()), marked_by_link_at = null
  where answered.id = submission.id;
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-replied', submission.id);
  return true;
end;
$$;

comment on function public.send_reply(uuid, uuid, text, jsonb) is
  'Keeps a reply, queues its mail to the sender and marks the message as done and answered, all or nothing. mail: {subject, quotation}; '
  'the quotation stands under the words. reply_id is new for each form: the same reply a second time is false and does nothing. Raises '
  '42501 for others than admins, P0002 for an unknown message, 55000 for one that is restricted, held back or spam, PT409 where the caller '
  'saw another version of it, 22023 for missing or too many words, 23505 where another reply has that id.';

-- As before, but a draft is a change of its message, because there is one for all admins, and the next one takes its place. The same
-- words again change nothing.
create or replace function public.save_reply_draft(submission_id uuid, draft text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions;
  words text := rtrim(draft, e' \t\r\n');
begin
  perform from public.contact_submissions as kept where kept.id = save_reply_draft.submission_id for update;
  if exists (
    select from private.reply_drafts as kept where kept.submission_id = save_reply_draft.submission_id and kept.body = words
  ) then
    return;
  end if;
  submission := private.lock_answerable(save_reply_draft.submission_id);
  if char_length(words) > 10000 then
    raise exception 'a draft has at most 10,000 characters' using errcode = '22023';
  end if;
  delete from private.reply_drafts as kept where kept.submission_id = submission.id;
  if coalesce(words, '') ~ '\S' then
    insert into private.reply_drafts (submission_id, saved_by, body) values (submission.id, actor, words);
  end if;
  update public.contact_submissions as kept set version = kept.version + 1 where kept.id = submission.id;
end;
$$;

revoke all on function private.saw(bigint), private.require_seen(bigint), private.count_version()
  from public, anon, authenticated, service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126160200' $$;
