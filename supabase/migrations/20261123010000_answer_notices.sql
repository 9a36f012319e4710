-- The firm is told when six hours are left to answer a message, and when it is late: one mail a message and stage. And on working
-- mornings it gets one digest of what waits. What is due follows from the rows, whatever was missed before: deliver-outbox asks
-- for it whenever it runs, writes the mail and queues it here.

-- A digest hangs on no message and no request: it is forgotten when it is delivered.
alter table private.email_outbox
  drop constraint email_outbox_kind_check,
  drop constraint email_outbox_recipient_check,
  add constraint email_outbox_kind_check check (kind in (
    'firm', 'digest', 'acknowledgement', 'request-firm', 'request-acknowledgement', 'request-answer', 'account', 'account-link'
  )),
  add constraint email_outbox_recipient_check check (recipient is not null or kind in ('firm', 'digest', 'request-firm'));

-- The last morning for which a digest was sent, or found to be needless: one row at most.
create table private.digests (
  day date primary key,
  made_at timestamptz not null default now()
);

alter table private.digests enable row level security;
revoke all on table private.digests from public, anon, authenticated, service_role;

-- The mail to the firm that a message is owed now, or null.
create function private.due_answer_notice(submission public.contact_submissions) returns text
language sql stable
set search_path = ''
as $$
  select case
    when submission.frozen_at is not null or submission.quarantine_reason is not null
      or submission.state not in ('new', 'in_progress') then null
    -- One that was missed for so long is late, and nothing else.
    when submission.answer_due_at <= now() then case when submission.answer_notice is distinct from 'late' then 'late' end
    when submission.answer_due_at <= now() + interval '6 hours' and submission.answer_notice is null then 'due-soon'
  end
$$;

-- What a digest tells, or null when nothing waits.
create function private.describe_digest() returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  since timestamptz := coalesce((select max(digest.made_at) from private.digests as digest), now() - interval '1 day');
  told jsonb;
begin
  select jsonb_build_object(
    'waiting', (select count(*) from public.contact_submissions as submission
      where submission.frozen_at is null and submission.quarantine_reason is null and submission.state in ('new', 'in_progress')),
    'late', (select count(*) from public.contact_submissions as submission
      where submission.frozen_at is null and submission.quarantine_reason is null and submission.state in ('new', 'in_progress')
        and submission.answer_due_at <= now()),
    'held_back', (select count(*) from public.contact_submissions as submission
      where submission.frozen_at is null and submission.quarantine_reason is not null and submission.created_at > since),
    -- With those of people whose data is restricted: the duty to answer is not.
    'requests', (select coalesce(jsonb_agg(jsonb_build_object(
        'reference', request.reference, 'request_type', request.request_type, 'due_on', request.due_on
      ) order by request.due_on, request.received_at), '[]')
      from public.data_rights_requests as request where request.state in ('open', 'in_progress')),
    'stuck_mails', (select count(*) from private.email_outbox as mail
      where mail.delivered_at is null and mail.gave_up_at is null and mail.created_at < now() - interval '10 minutes'
        and not private.is_held(mail)),
    'given_up_mails', (select count(*) from private.email_outbox as mail where mail.gave_up_at > since)
  ) into told;
  return case
    when told ->> 'waiting' <> '0' or told -> 'requests' <> '[]' or told ->> 'held_back' <> '0'
      or told ->> 'stuck_mails' <> '0' or told ->> 'given_up_mails' <> '0' then told
  end;
end;
$$;

create function public.list_firm_notices(morning date) returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'answers', (
      select coalesce(jsonb_agg(due.told), '[]')
      from (
        select jsonb_build_object('notice', private.due_answer_notice(submission)) || (to_jsonb(submission) - 'ip_address') as told
        from public.contact_submissions as submission
        where submission.frozen_at is null and submission.quarantine_reason is null
          and submission.state in ('new', 'in_progress') and submission.answer_due_at <= now() + interval '6 hours'
          and private.due_answer_notice(submission) is not null
        order by submission.answer_due_at, submission.id
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

comment on function public.list_firm_notices(date) is
  'Mails to the firm that are owed now: answers, at most twenty messages with notice (due-soon or late), each to be queued with '
  'queue_answer_notice; is_digest_due of that morning (null: none), and digest, {waiting, late, held_back, requests: [{reference, '
  'request_type, due_on}], stuck_mails, given_up_mails}, null when nothing waits; to be settled with queue_digest.';

create function public.queue_answer_notice(submission_id uuid, notice text, mail jsonb, token_hash text) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  submission public.contact_submissions;
begin
  -- Of two workers the second finds that it is no longer owed.
  select * into submission from public.contact_submissions as kept
  where kept.id = queue_answer_notice.submission_id for update;
  if not found or private.due_answer_notice(submission) is distinct from queue_answer_notice.notice then
    return false;
  end if;
  insert into private.answer_links (token_hash, submission_id) values (queue_answer_notice.token_hash, submission.id);
  insert into private.email_outbox (submission_id, kind, reply_to, subject, body)
  values (submission.id, 'firm', mail ->> 'reply_to', mail ->> 'subject', mail ->> 'body');
  update public.contact_submissions as kept
  set answer_notice = queue_answer_notice.notice
  where kept.id = submission.id;
  return true;
end;
$$;

comment on function public.queue_answer_notice(uuid, text, jsonb, text) is
  'Queues the mail {subject, body, reply_to} to the firm about a message that list_firm_notices named, with the SHA-256 of the token '
  'of its link; false if it is no longer owed.';

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
  if mail is not null then
    insert into private.email_outbox (kind, subject, body, forget_when_delivered)
    values ('digest', mail ->> 'subject', mail ->> 'body', true);
  end if;
  return true;
end;
$$;

comment on function public.queue_digest(date, jsonb) is
  'Queues the digest {subject, body} of a morning, once; mail null: nothing waits on it. False if it was settled before.';

revoke all on function
  private.due_answer_notice(public.contact_submissions), private.describe_digest(),
  public.list_firm_notices(date), public.queue_answer_notice(uuid, text, jsonb, text), public.queue_digest(date, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function
  public.list_firm_notices(date), public.queue_answer_notice(uuid, text, jsonb, text), public.queue_digest(date, jsonb)
  to service_role;

-- As before, but of the firm's mail, too, the copy that stays after sending has no link in it.
create or replace function public.settle_mail(mail_id uuid, outcome text, error_code text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if outcome is null or outcome not in ('delivered', 'filed', 'retry', 'rejected') then
    raise exception 'unknown outcome' using errcode = '22023';
  end if;

  update private.email_outbox as mail
  set leased_until = null,
    last_error = case when outcome in ('delivered', 'filed') then null else error_code end,
    delivered_at = case when outcome in ('delivered', 'filed') then now() end,
    gave_up_at = case
      when mail.recipient is not null
        and (outcome = 'rejected' or (outcome = 'retry' and mail.created_at < now() - interval '5 days'))
      then now()
    end,
    -- 15 s, 30 s, 1 min … 6 h; a tenth of jitter keeps a recovered server from getting everything at once.
    next_attempt_at = now()
      + least(interval '15 seconds' * power(2, least(greatest(mail.attempts - 1, 0), 12)), interval '6 hours')
      * (1 + random() / 10)
  where mail.id = mail_id and mail.delivered_at is null;

  delete from private.email_outbox as mail
  where mail.id = mail_id
    and mail.forget_when_delivered
    and outcome <> 'filed'
    and (mail.delivered_at is not null or mail.gave_up_at is not null);

  update private.email_outbox as mail
  set body = private.without_tokens(mail.body)
  where mail.id = mail_id
    and mail.kind in ('firm', 'request-acknowledgement', 'account-link')
    and (mail.delivered_at is not null or mail.gave_up_at is not null);
end;
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261123010000' $$;
