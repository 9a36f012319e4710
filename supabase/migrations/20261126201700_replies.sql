-- Replies from the inbox, their drafts, texts used again.

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
alter table private.message_replies enable row level security;
revoke all on table private.message_replies from public, anon, authenticated, service_role;

-- A reply that is not sent yet: one a message, whoever goes on with it.
create table private.reply_drafts (
  submission_id uuid primary key references public.contact_submissions (id) on delete cascade,
  saved_by uuid not null,
  saved_at timestamptz not null default now(),
  body text not null check (char_length(body) between 1 and 10000)
);
alter table private.reply_drafts enable row level security;
revoke all on table private.reply_drafts from public, anon, authenticated, service_role;

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
revoke all on function private.lock_answerable(uuid) from public, anon, authenticated, service_role;

-- The same form a second time is known before anything else: by then the message has changed, by its own first post.
create function public.send_reply(submission_id uuid, reply_id uuid, reply text, mail jsonb) returns boolean
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
revoke all on function public.send_reply(uuid, uuid, text, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.send_reply(uuid, uuid, text, jsonb) to authenticated;

-- A draft is a change of its message, because there is one for all admins, and the next one takes its place. The same words again change
-- nothing.
create function public.save_reply_draft(submission_id uuid, draft text) returns void
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

comment on function public.save_reply_draft(uuid, text) is
  'Keeps the draft of a reply in the place of an earlier one; without words there is none any more. Errors as send_reply.';
revoke all on function public.save_reply_draft(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.save_reply_draft(uuid, text) to authenticated;

-- Texts that the firm uses again in its replies. They are the firm's own and about nobody.
create table private.reply_snippets (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (char_length(name) between 1 and 80 and name !~ '[\r\n]'),
  body text not null check (char_length(body) between 1 and 5000),
  -- Counts changes of what a person decides by (private.count_version).
  version integer not null default 0
);
alter table private.reply_snippets enable row level security;
revoke all on table private.reply_snippets from public, anon, authenticated, service_role;

create trigger count_version before update of name, body
  on private.reply_snippets for each row execute function private.count_version();

create function public.list_reply_snippets() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(to_jsonb(snippet) order by lower(snippet.name), snippet.name), '[]')
    from private.reply_snippets as snippet
  );
end;
$$;

comment on function public.list_reply_snippets() is
  'All texts for replies by name: [{id, name, body, version}]. Raises 42501 for others than admins.';
revoke all on function public.list_reply_snippets() from public, anon, authenticated, service_role;
grant execute on function public.list_reply_snippets() to authenticated;

-- The same words again change nothing.
create function public.save_reply_snippet(snippet_id uuid, name text, body text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  kept private.reply_snippets;
begin
  perform private.require_admin();
  if snippet_id is null then
    insert into private.reply_snippets (name, body) values (save_reply_snippet.name, save_reply_snippet.body);
    return;
  end if;
  select * into kept from private.reply_snippets as snippet where snippet.id = snippet_id for update;
  if not found then
    raise exception 'there is no such text' using errcode = 'P0002';
  end if;
  if kept.name = save_reply_snippet.name and kept.body = save_reply_snippet.body then
    return;
  end if;
  perform private.require_seen(kept.version);
  update private.reply_snippets as snippet
  set name = save_reply_snippet.name, body = save_reply_snippet.body
  where snippet.id = snippet_id;
end;
$$;

comment on function public.save_reply_snippet(uuid, text, text) is
  'Changes a text for replies, or adds one where snippet_id is null. Raises 42501 for others than admins, P0002 for an unknown one, '
  'PT409 where the caller saw another version, 23505 for a name that another has, 23514 or 23502 for a name or text that is empty or too '
  'long.';
revoke all on function public.save_reply_snippet(uuid, text, text) from public, anon, authenticated, service_role;
grant execute on function public.save_reply_snippet(uuid, text, text) to authenticated;

create function public.delete_reply_snippet(snippet_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  kept private.reply_snippets;
begin
  perform private.require_admin();
  select * into kept from private.reply_snippets as snippet where snippet.id = delete_reply_snippet.snippet_id for update;
  if not found then
    raise exception 'there is no such text' using errcode = 'P0002';
  end if;
  perform private.require_seen(kept.version);
  delete from private.reply_snippets as snippet where snippet.id = kept.id;
end;
$$;

comment on function public.delete_reply_snippet(uuid) is
  'Deletes a text for replies. Raises 42501 for others than admins, P0002 for an unknown one, PT409 where the caller saw another version.';
revoke all on function public.delete_reply_snippet(uuid) from public, anon, authenticated, service_role;
grant execute on function public.delete_reply_snippet(uuid) to authenticated;
