-- Secret links that get somebody into an account: an invitation to become an admin, or a new password in the place of a
-- forgotten one. Of its secret only the digest is here. A link that was used, withdrawn or replaced is a row less.
create table private.account_links (
  id uuid primary key default gen_random_uuid(),
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  purpose text not null check (purpose in ('invitation', 'new-password')),
  -- In lower case. An invitation may be for somebody who has no account yet.
  email text not null check (email = lower(email) and email ~ '^[^[:space:]@]+@[^[:space:]@]+$' and char_length(email) <= 255),
  -- Whose password.
  user_id uuid references auth.users (id) on delete cascade,
  -- The admin who invited; null where that was the operator. Without a reference, as in the log.
  invited_by uuid,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Somebody has sent the form behind it, and the password is being set.
  claimed_at timestamptz,
  constraint account_links_owner_check check ((purpose = 'new-password') = (user_id is not null))
);
create index account_links_email on private.account_links (email);
create index account_links_user on private.account_links (user_id);

alter table private.account_links enable row level security;
revoke all on table private.account_links from public, anon, authenticated, service_role;

-- A mail with such a link hangs on it and goes with it.
alter table private.email_outbox
  add column account_link_id uuid references private.account_links (id) on delete cascade,
  drop constraint email_outbox_kind_check,
  drop constraint email_outbox_owner_check,
  add constraint email_outbox_kind_check check (kind in (
    'firm', 'acknowledgement', 'request-firm', 'request-acknowledgement', 'request-answer', 'account', 'account-link'
  )),
  add constraint email_outbox_owner_check check (
    num_nonnulls(submission_id, request_id, account_link_id) = case when forget_when_delivered then 0 else 1 end
  );
create index email_outbox_account_link on private.email_outbox (account_link_id);

-- Of what is done to an account the log says to whose. An address, because somebody who is invited has no account yet, and
-- the entry outlives an account. Where no admin did it, the operator did, at the command line.
alter table public.admin_events
  alter column actor drop not null,
  add column person text check (char_length(person) <= 255);
create index admin_events_actor on public.admin_events (actor, id);
create index admin_events_person on public.admin_events (person, id) where person is not null;

-- Queues the mail {subject, body} that brings a link.
create function private.queue_link_mail(link private.account_links, mail jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  subject text := mail ->> 'subject';
  body text := mail ->> 'body';
begin
  if coalesce(btrim(subject), '') = '' or coalesce(btrim(body), '') = ''
    or char_length(subject) > 200 or subject ~ '[\r\n]' or char_length(body) > 20000 then
    raise exception 'a mail needs a subject of one line and a body' using errcode = '22023';
  end if;
  insert into private.email_outbox (account_link_id, kind, recipient, subject, body)
  values (link.id, 'account-link', link.email, subject, body);
end;
$$;

revoke all on function private.queue_link_mail(private.account_links, jsonb) from public, anon, authenticated, service_role;

-- As before, but of a mail with a link into an account, too, the copy that stays after sending has no link in it.
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
    and mail.kind in ('request-acknowledgement', 'account-link')
    and (mail.delivered_at is not null or mail.gave_up_at is not null);
end;
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122220000' $$;
