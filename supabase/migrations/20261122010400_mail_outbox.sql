-- Where mail to this address ends up, as mail providers see it: whatever stands behind a + is the owner's own mark, and
-- Gmail makes nothing of dots.
create function private.mailbox_key(email text) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when parts.domain in ('gmail.com', 'googlemail.com') then replace(parts.name, '.', '') || '@gmail.com'
    else parts.name || '@' || parts.domain
  end
  from (
    select regexp_replace(split.name, '^([^+]+)\+.*$', '\1') as name, split.domain
    from (
      select regexp_replace(private.subject_key(email), '@[^@]*$', '') as name,
        substring(private.subject_key(email) from '[^@]*$') as domain
    ) as split
  ) as parts
$$;

comment on function private.mailbox_key(text) is
  'Where mail to this address ends up: in lower case, without +tag, and for Gmail without dots and as gmail.com.';

-- Mail that waits to be sent, kept in the same transaction as what it tells of. It holds a visitor's own words: so it
-- hangs on its message or its request and goes with it. Only the last mail to somebody who was erased hangs on nothing,
-- and is deleted as soon as it is delivered or given up.
create table private.email_outbox (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid references public.contact_submissions (id) on delete cascade,
  kind text not null
    check (kind in ('firm', 'acknowledgement', 'request-firm', 'request-acknowledgement', 'request-answer')),
  -- Null means the firm, at whatever address is set when the mail goes out: a mistyped setting can be mended.
  recipient text,
  reply_to text,
  subject text not null,
  body text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  leased_until timestamptz,
  delivered_at timestamptz,
  gave_up_at timestamptz,
  -- A code like 'smtp-550', never an address and never a server's words.
  last_error text check (last_error ~ '^[a-z0-9_-]{1,40}$'),
  request_id uuid references public.data_rights_requests (id) on delete cascade,
  forget_when_delivered boolean not null default false,
  constraint email_outbox_recipient_check check (recipient is not null or kind in ('firm', 'request-firm')),
  constraint email_outbox_owner_check check (
    num_nonnulls(submission_id, request_id) = case when forget_when_delivered then 0 else 1 end
  )
);
create index email_outbox_due on private.email_outbox (next_attempt_at)
  where delivered_at is null and gave_up_at is null;
create index email_outbox_submission on private.email_outbox (submission_id);
create index email_outbox_request on private.email_outbox (request_id);
create index email_outbox_mailbox on private.email_outbox (private.mailbox_key(recipient), created_at)
  where kind in ('acknowledgement', 'request-acknowledgement');
create index email_outbox_acknowledged on private.email_outbox (created_at)
  where kind in ('acknowledgement', 'request-acknowledgement');
-- The admin's page counts what has not been delivered; next to a month of delivered mail that is little.
create index email_outbox_undelivered on private.email_outbox (created_at) where delivered_at is null;
create index email_outbox_delivered on private.email_outbox (delivered_at) where delivered_at is not null;

alter table private.email_outbox enable row level security;
revoke all on table private.email_outbox from public, anon, authenticated, service_role;

-- An acknowledgement carries the secret links of its request. Once it has left, the copy that stays must not.
create function private.without_tokens(body text) returns text
language sql immutable
set search_path = ''
as $$ select regexp_replace(body, 'token=[A-Za-z0-9_-]+', 'token=(removed)', 'g') $$;

-- Whether a mail is part of what somebody has had restricted.
create function private.is_frozen(mail private.email_outbox) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select 1 from public.contact_submissions as submission
    where submission.id = mail.submission_id and submission.frozen_at is not null
  ) or exists (
    select 1 from public.data_rights_requests as request
    where request.id = mail.request_id and request.frozen_at is not null
  )
$$;

-- Whether it waits for that to be lifted. An answer does not: to answer is what the law demands of the firm whatever is
-- restricted (GDPR, articles 12(3), 18(3)).
create function private.is_held(mail private.email_outbox) returns boolean
language sql stable
set search_path = ''
as $$ select mail.kind <> 'request-answer' and private.is_frozen(mail) $$;

revoke all on function
  private.mailbox_key(text), private.without_tokens(text), private.is_frozen(private.email_outbox),
  private.is_held(private.email_outbox)
  from public, anon, authenticated, service_role;

-- Takes due mail for one worker, but leaves what is held. Several may run: each mail is leased to one, and a worker that
-- died gives its mails back when the lease ends. So a mail goes out at least once.
create function public.claim_due_mail(batch_size integer, lease_seconds integer)
returns table (
  id uuid, kind text, recipient text, reply_to text, subject text, body text, attempts integer, created_at timestamptz
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
    mail.id, mail.kind, mail.recipient, mail.reply_to, mail.subject, mail.body, mail.attempts, mail.created_at;
$$;

comment on function public.claim_due_mail(integer, integer) is
  'Leases up to batch_size due mails (100 at most) for lease_seconds and counts the attempt. Settle each with settle_mail.';

-- Records how an attempt ended. The firm's own mail is never given up: it is the product of the whole site. Of mail to
-- others nothing stays that need not.
create function public.settle_mail(mail_id uuid, outcome text, error_code text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if outcome is null or outcome not in ('delivered', 'retry', 'rejected') then
    raise exception 'unknown outcome' using errcode = '22023';
  end if;

  update private.email_outbox as mail
  set leased_until = null,
    last_error = case when outcome = 'delivered' then null else error_code end,
    delivered_at = case when outcome = 'delivered' then now() end,
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
    and (mail.delivered_at is not null or mail.gave_up_at is not null);

  update private.email_outbox as mail
  set body = private.without_tokens(mail.body)
  where mail.id = mail_id
    and mail.kind = 'request-acknowledgement'
    and (mail.delivered_at is not null or mail.gave_up_at is not null);
end;
$$;

comment on function public.settle_mail(uuid, text, text) is
  'Ends one attempt: delivered, retry (after a growing pause) or rejected (for good, except for the firm''s mail). '
  'A mail that is already delivered stays so.';

-- Undelivered mail must be seen by someone: the admin's page shows these counts. No address, no text; and mail that is
-- held on purpose is not late.
create function public.outbox_status()
returns table (waiting bigint, given_up bigint, oldest_waiting timestamptz)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  if coalesce(auth.role(), '') <> 'service_role' and not public.is_admin() then
    raise exception 'only admins see the state of the mail' using errcode = '42501';
  end if;
  return query
    select
      count(*) filter (where mail.gave_up_at is null),
      count(*) filter (where mail.gave_up_at is not null),
      min(mail.created_at) filter (where mail.gave_up_at is null)
    from private.email_outbox as mail
    where mail.delivered_at is null and not private.is_held(mail);
end;
$$;

comment on function public.outbox_status() is
  'How much mail waits, how much was given up, and since when the oldest waits (one row). Raises 42501 for others than admins.';

revoke all on function
  public.claim_due_mail(integer, integer), public.settle_mail(uuid, text, text), public.outbox_status()
  from public, anon, authenticated, service_role;
grant execute on function public.claim_due_mail(integer, integer), public.settle_mail(uuid, text, text) to service_role;
grant execute on function public.outbox_status() to authenticated, service_role;
