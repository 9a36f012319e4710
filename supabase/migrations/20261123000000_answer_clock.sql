-- The firm promises an answer in time. By when a message must be answered is kept with it, because the promise that counts
-- is the one that was made when it came; and when it was answered, or that somebody said so.
alter table public.contact_submissions
  add column answer_due_at timestamptz,
  add column answered_at timestamptz,
  -- The last mail to the firm about the time that is left; see the migration "answer_notices".
  add column answer_notice text check (answer_notice in ('due-soon', 'late'));

-- No promise is kept afterwards, and nobody wants a hundred mails about old messages: those are due, but told of to nobody.
update public.contact_submissions set answer_due_at = created_at + interval '24 hours';
update public.contact_submissions set answer_notice = 'late' where answer_due_at < now();
alter table public.contact_submissions alter column answer_due_at set not null;

-- Where nobody says by when, it is the plain promise of the contact page (facts.ts; a test compares).
create function private.set_answer_due() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.answer_due_at := coalesce(new.answer_due_at, new.created_at + interval '24 hours');
  return new;
end;
$$;

revoke all on function private.set_answer_due() from public, anon, authenticated, service_role;

create trigger set_answer_due before insert on public.contact_submissions
  for each row execute function private.set_answer_due();

-- What waits for an answer, the longest overdue first.
create index contact_submissions_waiting on public.contact_submissions (answer_due_at, id)
  where frozen_at is null and quarantine_reason is null and state in ('new', 'in_progress');

-- As before, with a folder for what waits for an answer; and what is spam or held back is in no list but its own.
create or replace function private.scan_submissions(
  folder text, needle text, place bigint, id uuid, forward boolean, most integer
) returns setof private.placed_row
language plpgsql stable
set search_path = ''
as $$
declare
  -- By the time that is left for the answer; a search is by arrival, as its index is.
  is_by_due constant boolean := folder = 'waiting' and needle is null;
  -- Sorted by the table that is read first: by that of the words where something is searched for.
  at_column constant text := case
    when is_by_due then 'submission.answer_due_at'
    when needle is null then 'submission.created_at'
    else 'search.created_at'
  end;
  id_column constant text := case when needle is null then 'submission.id' else 'search.submission_id' end;
  -- The place of what is newest first is negative, so that every list ascends.
  sign constant text := case when is_by_due then '' else '-' end;
  is_ascending constant boolean := is_by_due = forward;
  direction constant text := case when is_ascending then 'asc' else 'desc' end;
  in_folder constant text := 'submission.frozen_at is null and ' || case folder
    when 'all' then 'submission.quarantine_reason is null and submission.state <> ''spam'''
    when 'waiting' then 'submission.quarantine_reason is null and submission.state in (''new'', ''in_progress'')'
    else '(case when submission.quarantine_reason is null then submission.state else ''quarantined'' end) = $1'
  end;
begin
  if folder is null or folder not in ('waiting', 'all', 'new', 'in_progress', 'done', 'spam', 'quarantined') then
    raise exception 'there is no such folder' using errcode = '22023';
  end if;
  -- Put together here and planned with its values: one statement for every case would be planned for none of them.
  return query execute
    format('select %s(extract(epoch from %s) * 1000000)::bigint, submission.id, ', sign, at_column)
    || 'to_jsonb(submission) - array[''frozen_at'', ''answer_notice''] from '
    || case when needle is null then 'public.contact_submissions as submission where ' || in_folder
      -- One message for each row of words, and the planner knows it, statistics or not: so it walks the words in their
      -- order and stops when the page is full.
      else 'private.submission_search as search cross join lateral (
          select submission.* from public.contact_submissions as submission
          where submission.id = search.submission_id and ' || in_folder || ' limit 1
        ) as submission where strpos(search.words, $2) > 0' end
    || case when place is null then ''
      else format(
        ' and (%s, %s) %s (timestamptz ''epoch'' + %s$3 * interval ''1 microsecond'', $4)',
        at_column, id_column, case when is_ascending then '>' else '<' end, sign
      ) end
    || format(' order by %s %s, %s %s limit $5', at_column, direction, id_column, direction)
    using folder, needle, place, id, most;
end;
$$;

comment on function public.list_submissions(text, text, text) is
  'A page of 25 messages, newest first, as {rows, previous, next}. folder: waiting (for an answer; by the time that is left), all, new, '
  'in_progress, done, spam or quarantined (the last two in no other). search: a part of name, email, company, stage, goal or '
  'message. page_cursor: null, or an earlier page''s previous or next. Raises 42501 for others than admins, 22023 for a folder '
  'or cursor that is none.';

-- As before, with what waits for an answer and what of it is late; all are those that are neither spam nor held back.
create or replace function public.count_submissions() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'waiting', count(*) filter (where quarantine_reason is null and state in ('new', 'in_progress')),
      'all', count(*) filter (where quarantine_reason is null and state <> 'spam'),
      'new', count(*) filter (where quarantine_reason is null and state = 'new'),
      'in_progress', count(*) filter (where quarantine_reason is null and state = 'in_progress'),
      'done', count(*) filter (where quarantine_reason is null and state = 'done'),
      'spam', count(*) filter (where quarantine_reason is null and state = 'spam'),
      'quarantined', count(*) filter (where quarantine_reason is not null)
    )
    from public.contact_submissions
    where frozen_at is null
  ) || jsonb_build_object('late', (
    select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state in ('new', 'in_progress') and answer_due_at < now()
  ));
end;
$$;

comment on function public.count_submissions() is
  'How many messages each folder holds, and how many of those that wait are late. Raises 42501 for others than admins.';

-- As before; what is done is answered, and what is taken up again is not.
create or replace function public.set_submission_state(submission_id uuid, state text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
begin
  if (private.lock_submission(submission_id)).quarantine_reason is not null then
    raise exception 'a message in quarantine is restored first' using errcode = '55000';
  end if;
  if set_submission_state.state is null or set_submission_state.state not in ('new', 'in_progress', 'done', 'spam') then
    raise exception 'there is no such state' using errcode = '22023';
  end if;
  update public.contact_submissions as submission
  set state = set_submission_state.state,
    answered_at = case when set_submission_state.state = 'done' then coalesce(submission.answered_at, now()) end
  where submission.id = set_submission_state.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-' || set_submission_state.state, set_submission_state.submission_id);
end;
$$;

comment on function public.set_submission_state(uuid, text) is
  'state: new, in_progress, done (which is answered, now unless it was before) or spam; 22023 for another.';

-- As before. Whoever restores it has just read it, and need not be told that it is late.
create or replace function public.restore_submission(submission_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
begin
  if (private.lock_submission(submission_id)).quarantine_reason is null then
    raise exception 'this message is not in quarantine' using errcode = '55000';
  end if;
  update public.contact_submissions as submission
  set quarantine_reason = null, state = 'new',
    answer_notice = case when submission.answer_due_at < now() then 'late' end
  where submission.id = restore_submission.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-restored', restore_submission.submission_id);
end;
$$;

-- In each mail to the firm about a message is a link by which whoever answered in their own mail program says so. Its token opens
-- nothing else, so it needs no end: it goes with its message. Only the digest is here.
create table private.answer_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  submission_id uuid not null references public.contact_submissions (id) on delete cascade
);
create index answer_links_submission on private.answer_links (submission_id);

alter table private.answer_links enable row level security;
revoke all on table private.answer_links from public, anon, authenticated, service_role;

-- The message behind a token, or null. The firm's answer may quote the mail, link and all: so none of this shows a name or a word.
create function private.find_linked_submission(token text) returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  -- 32 random bytes or more in base64url; nothing else is worth a digest.
  if token is null or token !~ '^[A-Za-z0-9_-]{43,128}$' then
    return null;
  end if;
  return (
    select submission.id
    from private.answer_links as link
    join public.contact_submissions as submission on submission.id = link.submission_id
    where link.token_hash = private.digest(find_linked_submission.token)
      and submission.frozen_at is null and submission.quarantine_reason is null and submission.state <> 'spam'
  );
end;
$$;

create function public.find_answer_link(token text)
returns table (reference text, received_at timestamptz, answered_at timestamptz)
language sql stable security definer
set search_path = ''
as $$
  select left(submission.id::text, 8), submission.created_at, submission.answered_at
  from public.contact_submissions as submission
  where submission.id = (select private.find_linked_submission(token))
$$;

comment on function public.find_answer_link(text) is
  'The message that this token would mark as answered, or no row. Changes nothing: programs that check mail follow links.';

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
  set state = 'done', answered_at = coalesce(answered_at, now())
  where id = linked and state <> 'done';
  if found then
    -- Whoever had the mail: nobody is signed in.
    insert into public.admin_events (actor, action, submission_id) values (null, 'submission-answered-by-link', linked);
  end if;
  return query select * from public.find_answer_link(mark_answered.token);
end;
$$;

comment on function public.mark_answered(text) is
  'Marks the message of this token as done and answered, once, and answers as find_answer_link; no row for a token that opens nothing.';

revoke all on function
  private.find_linked_submission(text), public.find_answer_link(text), public.mark_answered(text)
  from public, anon, authenticated, service_role;
grant execute on function public.find_answer_link(text), public.mark_answered(text) to anon, authenticated;

-- As before, with by when it must be answered, and the link of the firm's mail.
create or replace function public.receive_contact_submission(
  submission jsonb,
  fingerprint text,
  quarantine_reason text,
  mails jsonb,
  client_codes jsonb default '{}',
  acknowledgements_per_hour integer default null
) returns table (submission_id uuid, is_new boolean)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  new_id uuid := gen_random_uuid();
  kept_id uuid;
  withheld text;
begin
  loop
    -- Of twenty equal posts at once, one inserts; the others wait for its end here and then find it.
    insert into private.contact_receipts as receipt (fingerprint, submission_id)
    values (receive_contact_submission.fingerprint, new_id)
    on conflict (fingerprint) do update
      set submission_id = excluded.submission_id, received_at = now()
      where receipt.received_at < now() - interval '24 hours'
    returning receipt.submission_id into kept_id;
    exit when found;

    select receipt.submission_id into kept_id
    from private.contact_receipts as receipt
    where receipt.fingerprint = receive_contact_submission.fingerprint;
    if found then
      return query select kept_id, false;
      return;
    end if;
    -- The earlier message was erased in between: this one counts.
  end loop;

  insert into public.contact_submissions
    (id, name, email, company, stage, goal, message, ip_address, quarantine_reason, answer_due_at,
      consented_at, consent_policy_version, consent_text_hash)
  values (
    new_id,
    submission ->> 'name',
    submission ->> 'email',
    submission ->> 'company',
    submission ->> 'stage',
    submission ->> 'goal',
    submission ->> 'message',
    submission ->> 'ip_address',
    receive_contact_submission.quarantine_reason,
    (submission ->> 'answer_due_at')::timestamptz,
    case when (submission ->> 'consented')::boolean then now() end,
    submission ->> 'consent_policy_version',
    submission ->> 'consent_text_hash'
  );

  if receive_contact_submission.quarantine_reason is null then
    withheld := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, mail ->> 'kind', mail ->> 'recipient', mail ->> 'reply_to',
      private.fill_reference(mail ->> 'subject', mail, new_id),
      private.fill_reference(mail ->> 'body', mail, new_id) || coalesce(mail -> 'if_withheld' ->> withheld, '')
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' <> 'acknowledgement' or withheld is null;
    insert into private.answer_links (token_hash, submission_id)
    select submission ->> 'answer_token_hash', new_id where submission ? 'answer_token_hash';
  end if;

  return query select new_id, true;
end;
$$;

comment on function public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer) is
  'Stores a submission once a day and fingerprint, and queues its mails unless it is quarantined. '
  'mails: [{kind, recipient, reply_to, subject, body, is_notice, if_withheld}]; of a mail with is_notice, {{reference}} and '
  '{{id}} are filled in; if_withheld: {mailbox, client, site}, of which the '
  'one that applies is added to the body when the acknowledgement does not leave. client_codes: {client, network}. '
  'submission: the texts, ip_address, consented, consent_policy_version, consent_text_hash, answer_due_at, and the SHA-256 of the '
  'token by which the firm''s mail leads to find_answer_link as answer_token_hash; all but the texts may be missing. Raises 23514 or 23502 for a text that is too long or missing.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261123000000' $$;
