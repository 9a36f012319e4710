-- The 34 migrations that the baseline replaced (decision 36), word for word and in their order, so that tests can make a
-- database as sites had it before. Nothing else runs this; look for functions in supabase/migrations. To be deleted,
-- with supabase/embedded/baseline.ts and its tests, when no database of that time is left. What it calls the spec is
-- docs/REQUIREMENTS.md today, with other numbers.
-- migration 20261121000100_user_roles
-- Who may do what beyond visiting: one row a person and role.
create table public.user_roles (
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('admin')),
  granted_at timestamptz not null default now(),
  primary key (user_id, role)
);

alter table public.user_roles enable row level security;

-- A project's default privileges hand every new table to everybody: take all of it back, then give what is needed.
revoke all on table public.user_roles from public, anon, authenticated, service_role;
grant select on table public.user_roles to authenticated;
-- Only the function bootstrap-admin grants a role, with the secret key.
grant select, insert, update, delete on table public.user_roles to service_role;

-- Wrapped in a select, auth.uid() is asked once a query instead of once a row.
create policy "people read their own roles" on public.user_roles
  for select to authenticated
  using (user_id = (select auth.uid()));
-- migration 20261121000200_is_admin
-- The one question every policy asks about a person. SECURITY DEFINER, because a signed-in user may not read the
-- factors of the authentication service.
create function public.is_admin() returns boolean
language plpgsql stable security definer
set search_path = ''
as $$
declare
  has_second_factor boolean;
begin
  if not exists (select 1 from public.user_roles where user_id = (select auth.uid()) and role = 'admin') then
    return false;
  end if;
  -- The embedded backend has no second factors, hence no such table, hence the dynamic query.
  if to_regclass('auth.mfa_factors') is null then
    return true;
  end if;
  execute 'select exists (select 1 from auth.mfa_factors where user_id = (select auth.uid()) and status = ''verified'')'
    into has_second_factor;
  -- Whoever has set up a second factor must have used it in this session: a stolen password alone is not enough.
  return not has_second_factor or coalesce(auth.jwt() ->> 'aal', '') = 'aal2';
end;
$$;

comment on function public.is_admin() is
  'Whether the caller is an admin, with the second factor used where one is set up. False for everybody else.';

revoke all on function public.is_admin() from public, anon, authenticated, service_role;
grant execute on function public.is_admin() to authenticated, service_role;
-- migration 20261121000300_contact_submissions
-- What visitors wrote to the firm. The limits stand here a last time (spec, section 9): whatever a caller forgets
-- to check, no longer text gets in.
create table public.contact_submissions (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 1 and 255),
  company text not null check (char_length(company) between 1 and 200),
  stage text not null check (char_length(stage) between 1 and 100),
  goal text not null check (char_length(goal) between 1 and 200),
  message text not null check (char_length(message) between 1 and 5000),
  created_at timestamptz not null default now(),
  -- Text, not inet: it is only shown, and an address that PostgreSQL reads differently must not lose a message.
  ip_address text check (char_length(ip_address) <= 45),
  -- Why a message is held back from the mail. It stays readable, because autofill trips honeypots, too.
  quarantine_reason text check (quarantine_reason ~ '^[a-z-]{1,40}$')
);

-- The admin's list: newest first, in an order that stays the same when two came in the same instant.
create index contact_submissions_newest_first on public.contact_submissions (created_at desc, id desc);

alter table public.contact_submissions enable row level security;

revoke all on table public.contact_submissions from public, anon, authenticated, service_role;
grant select on table public.contact_submissions to authenticated;
grant select, insert, update, delete on table public.contact_submissions to service_role;

create policy "admins read submissions" on public.contact_submissions
  for select to authenticated
  using ((select public.is_admin()));
-- migration 20261121000400_private_outbox
-- What only the functions below touch. The schema is not among those the API exposes, and nobody may use it.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;

-- One row for each different message of the last day: a double click or a reload is one submission.
create table private.contact_receipts (
  fingerprint text primary key check (char_length(fingerprint) between 32 and 128),
  -- Deferred: the receipt is written first, because it decides whether there is a submission to write.
  submission_id uuid not null references public.contact_submissions (id) on delete cascade
    deferrable initially deferred,
  received_at timestamptz not null default now()
);
create index contact_receipts_submission on private.contact_receipts (submission_id);

-- Mail that waits to be sent, kept in the same transaction as what it tells of. It holds the visitor's own words,
-- so erasing a submission erases its mail, too.
create table private.email_outbox (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.contact_submissions (id) on delete cascade,
  kind text not null check (kind in ('firm', 'acknowledgement')),
  -- Null means the firm, at whatever address is set when the mail goes out: a mistyped setting can be mended.
  recipient text check (recipient is not null or kind = 'firm'),
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
  last_error text check (last_error ~ '^[a-z0-9_-]{1,40}$')
);
create index email_outbox_due on private.email_outbox (next_attempt_at)
  where delivered_at is null and gave_up_at is null;
create index email_outbox_acknowledged on private.email_outbox (lower(recipient), created_at)
  where kind = 'acknowledgement';
create index email_outbox_submission on private.email_outbox (submission_id);

revoke all on all tables in schema private from public, anon, authenticated, service_role;
alter table private.contact_receipts enable row level security;
alter table private.email_outbox enable row level security;
-- migration 20261121000500_receive_contact_submission
-- Keeps one message and queues its mail, all or nothing.
create function public.receive_contact_submission(
  submission jsonb,
  fingerprint text,
  quarantine_reason text,
  mails jsonb
) returns table (submission_id uuid, is_new boolean)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  new_id uuid := gen_random_uuid();
  kept_id uuid;
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
    (id, name, email, company, stage, goal, message, ip_address, quarantine_reason)
  values (
    new_id,
    submission ->> 'name',
    submission ->> 'email',
    submission ->> 'company',
    submission ->> 'stage',
    submission ->> 'goal',
    submission ->> 'message',
    submission ->> 'ip_address',
    receive_contact_submission.quarantine_reason
  );

  if receive_contact_submission.quarantine_reason is null then
    -- Posts for one address take turns, so that the count below is true however many come at once.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(lower(submission ->> 'email'), 0));
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, mail ->> 'kind', mail ->> 'recipient', mail ->> 'reply_to', mail ->> 'subject', mail ->> 'body'
    from jsonb_array_elements(mails) as mail
    -- Anybody may type anybody's address: nobody gets more than three acknowledgements a day.
    where mail ->> 'kind' <> 'acknowledgement' or (
      select count(*) < 3
      from private.email_outbox as earlier
      where earlier.kind = 'acknowledgement'
        and lower(earlier.recipient) = lower(mail ->> 'recipient')
        and earlier.created_at > now() - interval '24 hours'
    );
  end if;

  return query select new_id, true;
end;
$$;

comment on function public.receive_contact_submission(jsonb, text, text, jsonb) is
  'Stores a submission once a day and fingerprint, and queues its mails unless it is quarantined. '
  'mails: [{kind, recipient, reply_to, subject, body}]. Raises 23514 or 23502 for a text that is too long or missing.';

revoke all on function public.receive_contact_submission(jsonb, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.receive_contact_submission(jsonb, text, text, jsonb) to service_role;
-- migration 20261121000600_deliver_mail
-- Takes due mail for one worker. Several may run: each mail is leased to one, and a worker that died gives its
-- mails back when the lease ends. So a mail goes out at least once.
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

revoke all on function public.claim_due_mail(integer, integer) from public, anon, authenticated, service_role;
grant execute on function public.claim_due_mail(integer, integer) to service_role;

-- Records how an attempt ended. The firm's own mail is never given up: it is the product of the whole site.
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
      when mail.kind = 'acknowledgement'
        and (outcome = 'rejected' or (outcome = 'retry' and mail.created_at < now() - interval '5 days'))
      then now()
    end,
    -- 15 s, 30 s, 1 min … 6 h; a tenth of jitter keeps a recovered server from getting everything at once.
    next_attempt_at = now()
      + least(interval '15 seconds' * power(2, least(greatest(mail.attempts - 1, 0), 12)), interval '6 hours')
      * (1 + random() / 10)
  where mail.id = mail_id and mail.delivered_at is null;
end;
$$;

comment on function public.settle_mail(uuid, text, text) is
  'Ends one attempt: delivered, retry (after a growing pause) or rejected (for good, except for the firm''s mail). '
  'A mail that is already delivered stays so.';

revoke all on function public.settle_mail(uuid, text, text) from public, anon, authenticated, service_role;
grant execute on function public.settle_mail(uuid, text, text) to service_role;
-- migration 20261121000700_outbox_status
-- Undelivered mail must be seen by someone: the admin's page shows these counts. No address, no text.
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
    where mail.delivered_at is null;
end;
$$;

comment on function public.outbox_status() is
  'How much mail waits, how much was given up, and since when the oldest waits (one row). Raises 42501 for others than admins.';

revoke all on function public.outbox_status() from public, anon, authenticated, service_role;
grant execute on function public.outbox_status() to authenticated, service_role;
-- migration 20261121001000_user_consents
-- What each visitor allows at present: the fields of the spec, section 3. No IP address: it would prove nothing more.
create table public.user_consents (
  -- 128 random bits or more, 32 characters in hexadecimal. It names no person, and knowing it is the only way to
  -- change the row.
  session_id text primary key check (session_id ~ '^[A-Za-z0-9_-]{32,128}$'),
  analytics_consent boolean not null,
  marketing_consent boolean not null,
  -- Without these cookies the choice itself could not be kept: nobody can refuse them.
  functional_consent boolean not null check (functional_consent),
  user_agent text check (char_length(user_agent) <= 512),
  consent_version text not null check (consent_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'),
  -- When the visitor decided, not when the row was written: a decision that could not be saved at once is saved later.
  updated_at timestamptz not null
);

alter table public.user_consents enable row level security;

-- An upsert under policies would need SELECT, and whoever may select here reads everybody's choice. So visitors have
-- no right at all and no policy; record_consent writes for them. The service may read, for a visitor who asks what is
-- kept, but not write: a record without its history proves nothing.
revoke all on table public.user_consents from public, anon, authenticated, service_role;
grant select on table public.user_consents to service_role;

-- Every decision that was ever made, to prove it (GDPR, article 7(1)): what was chosen, where, and on what text. It
-- does not refer to user_consents, because it says what was true then, whatever became of the record.
create table private.consent_history (
  session_id text not null check (session_id ~ '^[A-Za-z0-9_-]{32,128}$'),
  analytics_consent boolean not null,
  marketing_consent boolean not null,
  functional_consent boolean not null check (functional_consent),
  consent_version text not null check (consent_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'),
  -- SHA-256 of the text that was shown.
  text_hash text not null check (text_hash ~ '^[0-9a-f]{64}$'),
  source text not null check (source in ('banner', 'dialog', 'signal')),
  -- As it was sent, even if that clock was a little fast: with it a decision that is sent again is recognised.
  decided_at timestamptz not null,
  -- By this database's clock, which no caller can set: a decision cannot be back-dated without its showing.
  recorded_at timestamptz not null default now(),
  -- A browser's signal (DNT, GPC) can refuse, never allow.
  check (source <> 'signal' or not (analytics_consent or marketing_consent)),
  -- All that makes two decisions different: the very same one, sent again, is one row.
  primary key (session_id, decided_at, analytics_consent, marketing_consent, consent_version, text_hash, source)
);

alter table private.consent_history enable row level security;
revoke all on table private.consent_history from public, anon, authenticated, service_role;

-- A proof that can be edited is none: this stops the owner's own scripts, too, which no grant does.
-- Deleting must remain possible, for retention (spec, section 9: two years) and erasure. The function that does it
-- runs with its owner's rights and says so for its own transaction:
--   perform pg_catalog.set_config('private.erases_consent', 'on', true); delete …; and back to 'off'.
-- The setting guards against accidents, not attackers; those have no right to delete in the first place. It cannot
-- stand in that function's SET clause, where hosted projects refuse settings of one's own.
create function private.keep_consent_history() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and current_setting('private.erases_consent', true) = 'on' then
    return old;
  end if;
  raise exception 'the history of consent is only ever added to' using errcode = '42501';
end;
$$;

revoke all on function private.keep_consent_history() from public, anon, authenticated, service_role;

create trigger keep_consent_history before update or delete on private.consent_history
  for each row execute function private.keep_consent_history();
create trigger keep_consent_history_whole before truncate on private.consent_history
  for each statement execute function private.keep_consent_history();
-- migration 20261121001100_record_consent
-- Keeps one decision, record and history or neither. The publishable key may call it, so it takes everything for
-- hostile: it touches only the session whose random id the caller knows, and answers nothing, whether that session
-- existed or not. Withdrawal is a decision like any other.
create function public.record_consent(
  session_id text,
  analytics boolean,
  marketing boolean,
  consent_version text,
  text_hash text,
  source text,
  user_agent text,
  decided_at timestamptz
) returns void
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
begin
  -- Refused here before anything is read, or below by a CHECK on what was sent: no error tells of what is stored.
  if num_nulls(
    record_consent.session_id, analytics, marketing, record_consent.consent_version, record_consent.text_hash,
    record_consent.source, record_consent.decided_at
  ) > 0 then
    raise exception 'a decision on consent is incomplete' using errcode = '22023';
  end if;
  -- As in the table, which a decision that has come before does not reach.
  if char_length(record_consent.user_agent) > 512 then
    raise exception 'a user agent is too long' using errcode = '22023';
  end if;
  -- Clocks differ by a little. What is older than two years would be due for deletion at once (spec, section 9).
  if record_consent.decided_at > now() + interval '5 minutes'
    or record_consent.decided_at < now() - interval '2 years' then
    raise exception 'a decision on consent cannot be of that time' using errcode = '22023';
  end if;

  -- The history first: it knows whether this very decision has come before, and then there is nothing left to do. Of
  -- equal ones at once, one inserts and the others wait here for its end.
  insert into private.consent_history (
    session_id, analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source, decided_at
  )
  values (
    record_consent.session_id, analytics, marketing, true, record_consent.consent_version, record_consent.text_hash,
    record_consent.source, record_consent.decided_at
  )
  on conflict do nothing;
  if not found then
    return;
  end if;

  insert into public.user_consents as consent (
    session_id, analytics_consent, marketing_consent, functional_consent, user_agent, consent_version, updated_at
  )
  values (
    record_consent.session_id, analytics, marketing, true, record_consent.user_agent, record_consent.consent_version,
    -- Never in the future, or a fast clock would shut out the decisions of the next minutes.
    least(record_consent.decided_at, now())
  )
  on conflict (session_id) do update
    set analytics_consent = excluded.analytics_consent,
      marketing_consent = excluded.marketing_consent,
      user_agent = excluded.user_agent,
      consent_version = excluded.consent_version,
      updated_at = excluded.updated_at
    -- The last decision counts, not the last to arrive. Of two at the same instant the one that refuses counts, so
    -- that the outcome does not depend on which arrives first.
    where (excluded.updated_at, not excluded.analytics_consent, not excluded.marketing_consent)
      >= (consent.updated_at, not consent.analytics_consent, not consent.marketing_consent);
end;
$$;

comment on function public.record_consent(text, boolean, boolean, text, text, text, text, timestamptz) is
  'Adds a decision to the history and makes it the session''s record unless a later one is there; safe to repeat. '
  'user_agent may be null. Answers nothing. Raises 22023 for a value that is missing, a user agent of more than 512 '
  'characters, or a time more than 5 minutes ahead or 2 years back; 23514 for what else is malformed. Then nothing is kept.';

revoke all on function public.record_consent(text, boolean, boolean, text, text, text, text, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function public.record_consent(text, boolean, boolean, text, text, text, text, timestamptz)
  to anon, authenticated;
-- migration 20261121002000_admin_log
-- Every function of the admin begins with this question.
create function private.require_admin() returns uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  if not public.is_admin() then
    raise exception 'only admins may do this' using errcode = '42501';
  end if;
  return auth.uid();
end;
$$;

comment on function private.require_admin() is 'The caller''s id. Raises 42501 unless the caller is an admin.';

-- A log that can be edited proves nothing: this stops the owner's own scripts, too, which no grant does. Deleting must
-- remain possible for erasure and retention, whose functions say so for their own transaction:
--   perform pg_catalog.set_config('private.erases_log', 'on', true); delete …; and back to 'off'.
-- As with private.keep_consent_history, the setting guards against accidents; attackers have no right to delete.
create function private.keep_log() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and current_setting('private.erases_log', true) = 'on' then
    return old;
  end if;
  raise exception '% is only ever added to', tg_table_name using errcode = '42501';
end;
$$;

-- What admins did to messages: who, when and what, never whose. Without a reference to the message, because the entry
-- that tells of its deletion must outlive it.
create table public.admin_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor uuid not null,
  action text not null check (action ~ '^[a-z_-]{1,40}$'),
  submission_id uuid
);

alter table public.admin_events enable row level security;
revoke all on table public.admin_events from public, anon, authenticated, service_role;
revoke all on sequence public.admin_events_id_seq from public, anon, authenticated, service_role;
grant select on table public.admin_events to authenticated;

create policy "admins read what admins did" on public.admin_events
  for select to authenticated
  using ((select public.is_admin()));

create trigger keep_log before update or delete on public.admin_events
  for each row execute function private.keep_log();
create trigger keep_log_whole before truncate on public.admin_events
  for each statement execute function private.keep_log();

revoke all on function private.require_admin(), private.keep_log() from public, anon, authenticated, service_role;
-- migration 20261121002050_submission_states
-- How far the firm is with a message.
alter table public.contact_submissions
  add column state text not null default 'new' check (state in ('new', 'in_progress', 'done', 'spam'));

-- Since when the sender has had the use of it restricted (GDPR, article 18): kept, but out of lists, exports and mail.
alter table public.contact_submissions
  add column frozen_at timestamptz;

alter policy "admins read submissions" on public.contact_submissions
  using ((select public.is_admin()) and frozen_at is null);

-- A person is known by the e-mail address, however its letters are cased. Plain SQL without settings of its own, so
-- that it is inlined and the indexes below serve it.
create function private.subject_key(email text) returns text
language sql immutable
as $$ select pg_catalog.lower(pg_catalog.btrim(email)) $$;

comment on function private.subject_key(text) is 'What identifies a person across tables: the address, trimmed, in lower case.';
revoke all on function private.subject_key(text) from public, anon, authenticated, service_role;

-- Written out, not by calling the function: whoever inserts needs the right to call what an index calls.
create index contact_submissions_subject on public.contact_submissions (lower(btrim(email)));

-- In the place of the index over everything: what is frozen is in no list, and only an index that says so is taken
-- while there are no statistics.
drop index public.contact_submissions_newest_first;
create index contact_submissions_newest_first on public.contact_submissions (created_at desc, id desc)
  where frozen_at is null;

-- Each folder of the inbox, newest first. What is quarantined is in no other folder, whatever its state.
create index contact_submissions_folder on public.contact_submissions (
  (case when quarantine_reason is null then state else 'quarantined' end), created_at desc, id desc
) where frozen_at is null;
-- migration 20261121002100_submission_search
-- The words of each message in lower case, to be searched for any part of a word. A table of its own, because a search
-- for something rare reads all of it: nothing else stands in the way, and no list of messages carries it along.
create table private.submission_search (
  submission_id uuid primary key references public.contact_submissions (id) on delete cascade,
  created_at timestamptz not null,
  words text not null
);

-- Kept in the row and uncompressed: unpacking ten thousand messages would take longer than searching them.
alter table private.submission_search set (toast_tuple_target = 8160);
create index submission_search_newest_first on private.submission_search (created_at desc, submission_id desc);

alter table private.submission_search enable row level security;
revoke all on table private.submission_search from public, anon, authenticated, service_role;

create function private.index_submission() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.submission_search as search (submission_id, created_at, words)
  values (
    new.id,
    new.created_at,
    -- A line break between the texts: nobody searches for one, so nothing is found across two fields.
    lower(concat_ws(e'\n', new.name, new.email, new.company, new.stage, new.goal, new.message))
  )
  on conflict (submission_id) do update set created_at = excluded.created_at, words = excluded.words;
  return null;
end;
$$;

revoke all on function private.index_submission() from public, anon, authenticated, service_role;

create trigger index_submission
  after insert or update of created_at, name, email, company, stage, goal, message on public.contact_submissions
  for each row execute function private.index_submission();

insert into private.submission_search (submission_id, created_at, words)
select id, created_at, lower(concat_ws(e'\n', name, email, company, stage, goal, message))
from public.contact_submissions;
-- migration 20261121002150_data_rights_requests
-- When a request must be answered: the earlier of 30 days (the site's promise; spec, section 9) and one calendar month
-- (GDPR, article 12(3)). PostgreSQL's month ends where a shorter month ends, as the law's does.
create function private.data_rights_due_on(received_on date) returns date
language sql immutable
as $$ select least(received_on + 30, (received_on + interval '1 month')::date) $$;

-- The furthest that an extension reaches: the earlier of 90 days and three calendar months, both from receipt.
create function private.data_rights_extended_to(received_on date) returns date
language sql immutable
as $$ select least(received_on + 90, (received_on + interval '3 months')::date) $$;

-- Eight characters, none of which is taken for another: DR-7K2M-9QXW. It names a request and opens nothing.
create function private.new_request_reference() returns text
language sql volatile
set search_path = ''
as $$
  select 'DR-' || string_agg(
    substr('23456789ABCDEFGHJKMNPQRSTVWXYZ', get_byte(bytes, place) % 30 + 1, 1) || case place when 3 then '-' else '' end,
    '' order by place
  )
  -- The first eight bytes of the digest: a UUID's own bytes are not all random.
  from (select sha256(uuid_send(gen_random_uuid())) as bytes) as random, generate_series(0, 7) as place
$$;

revoke all on function
  private.data_rights_due_on(date), private.data_rights_extended_to(date), private.new_request_reference()
  from public, anon, authenticated, service_role;

-- What people ask of the firm about their data. A request moves along these lines and no others:
--
--   from                | to           | by                        | needs
--   --------------------|--------------|---------------------------|------------------------------------
--   (nothing)           | unconfirmed  | anybody, with the form    |
--   unconfirmed         | open         | whoever has the e-mail    | the link in it, once, within 72 hours
--   open                | in_progress  | an admin                  |
--   open, in_progress   | completed    | an admin                  | a mail to the requester
--   unconfirmed, open,  | refused      | an admin                  | a reason, a mail to the requester
--   in_progress         |              |                           |
--   unconfirmed, open,  | withdrawn    | whoever has the e-mail    | the status link in it
--   in_progress         |              |                           |
--   open, in_progress   | (erased)     | an admin, with all data   | erasure, objection or other; a last mail
--   unconfirmed         | (deleted)    | retention                 | 30 days after it was due
--   completed, refused, | (deleted)    | retention                 | three years after it was closed
--   withdrawn           |              |                           |
--
-- An unconfirmed request proves nothing about who wrote it: nothing is given out, changed or erased for it. An admin
-- may send its confirmation again.
create table public.data_rights_requests (
  id uuid primary key default gen_random_uuid(),
  reference text not null unique check (reference ~ '^DR-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$'),
  request_type text not null
    check (request_type in ('access', 'rectification', 'erasure', 'portability', 'restrict', 'object', 'other')),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 1 and 255),
  description text not null check (char_length(description) between 1 and 5000),
  state text not null default 'unconfirmed'
    check (state in ('unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn')),
  received_at timestamptz not null default now(),
  -- A day in UTC; moved once by an extension.
  due_on date not null,
  extended_at timestamptz,
  extension_reason text check (char_length(extension_reason) between 1 and 2000),
  confirmed_at timestamptz,
  closed_at timestamptz,
  -- Since when the person has had the use of their data restricted; this request is part of that data.
  frozen_at timestamptz,
  quarantine_reason text check (quarantine_reason ~ '^[a-z-]{1,40}$'),
  check ((extended_at is null) = (extension_reason is null)),
  check ((closed_at is null) = (state in ('unconfirmed', 'open', 'in_progress'))),
  check (state <> 'unconfirmed' or confirmed_at is null),
  check (state not in ('open', 'in_progress', 'completed') or confirmed_at is not null)
);

create index data_rights_requests_subject on public.data_rights_requests (lower(btrim(email)));

alter table public.data_rights_requests enable row level security;
revoke all on table public.data_rights_requests from public, anon, authenticated, service_role;
grant select on table public.data_rights_requests to authenticated;

create policy "admins read requests" on public.data_rights_requests
  for select to authenticated
  using ((select public.is_admin()) and frozen_at is null);
-- migration 20261121002200_data_rights_records
-- The secret links of a request. Only digests: whoever reads this table can open nothing.
create table private.data_rights_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  request_id uuid not null references public.data_rights_requests (id) on delete cascade,
  purpose text not null check (purpose in ('confirm', 'status')),
  -- The status link lasts as long as its request.
  expires_at timestamptz check ((purpose = 'confirm') = (expires_at is not null)),
  used_at timestamptz,
  unique (request_id, purpose)
);

-- Everything that happened to a request: who, when, what and why.
create table public.data_rights_events (
  id bigint generated always as identity primary key,
  request_id uuid not null references public.data_rights_requests (id) on delete cascade,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('requester', 'admin', 'system')),
  actor uuid check ((actor_kind = 'admin') = (actor is not null)),
  action text not null check (action in (
    'received', 'confirmed', 'confirmation-resent', 'taken-up', 'noted', 'extended', 'exported', 'restricted',
    'restriction-lifted', 'completed', 'refused', 'withdrawn'
  )),
  note text check (char_length(note) between 1 and 2000)
);
create index data_rights_events_request on public.data_rights_events (request_id, id);

-- What remains of a person after erasure: that it was done, when, by whom, and how much there was. The digest answers
-- "did you erase me?" for whoever names the address.
create table private.erasure_tombstones (
  id uuid primary key default gen_random_uuid(),
  reference text not null,
  email_hash text not null check (email_hash ~ '^[0-9a-f]{64}$'),
  counts jsonb not null,
  erased_at timestamptz not null default now(),
  erased_by uuid not null
);
create index erasure_tombstones_subject on private.erasure_tombstones (email_hash);

alter table private.data_rights_links enable row level security;
alter table public.data_rights_events enable row level security;
alter table private.erasure_tombstones enable row level security;
revoke all on table private.data_rights_links, public.data_rights_events, private.erasure_tombstones
  from public, anon, authenticated, service_role;
revoke all on sequence public.data_rights_events_id_seq from public, anon, authenticated, service_role;
grant select on table public.data_rights_events to authenticated;

-- The inner query is under the policy of its own table: what happened to a frozen request is as hidden as it is.
create policy "admins read what happened to requests" on public.data_rights_events
  for select to authenticated
  using (
    (select public.is_admin())
    and exists (select 1 from public.data_rights_requests as request where request.id = request_id)
  );

create trigger keep_log before update or delete on public.data_rights_events
  for each row execute function private.keep_log();
create trigger keep_log_whole before truncate on public.data_rights_events
  for each statement execute function private.keep_log();

-- SHA-256 in hexadecimal, of a token or of an address.
create function private.digest(secret text) returns text
language sql immutable
set search_path = ''
as $$ select encode(sha256(convert_to(secret, 'UTF8')), 'hex') $$;

-- Adds to a request's log; an admin is the caller.
create function private.record_request_event(request_id uuid, actor_kind text, action text, note text) returns void
language sql volatile
set search_path = ''
as $$
  insert into public.data_rights_events (request_id, actor_kind, actor, action, note)
  values (request_id, actor_kind, case when actor_kind = 'admin' then auth.uid() end, action, note)
$$;

revoke all on function private.digest(text), private.record_request_event(uuid, text, text, text)
  from public, anon, authenticated, service_role;
-- migration 20261121002250_request_mail
-- The outbox takes the mail of requests, too. It hangs on its message or its request and goes with it; only the last
-- mail to somebody who was erased hangs on nothing, and is deleted as soon as it is delivered or given up.
alter table private.email_outbox alter column submission_id drop not null;
alter table private.email_outbox
  add column request_id uuid references public.data_rights_requests (id) on delete cascade;
alter table private.email_outbox add column forget_when_delivered boolean not null default false;
alter table private.email_outbox drop constraint email_outbox_kind_check;
alter table private.email_outbox drop constraint email_outbox_check;
alter table private.email_outbox
  add constraint email_outbox_kind_check check (
    kind in ('firm', 'acknowledgement', 'request-firm', 'request-acknowledgement', 'request-answer')
  ),
  add constraint email_outbox_recipient_check check (recipient is not null or kind in ('firm', 'request-firm')),
  add constraint email_outbox_owner_check check (
    num_nonnulls(submission_id, request_id) = case when forget_when_delivered then 0 else 1 end
  );

create index email_outbox_request on private.email_outbox (request_id);
create index email_outbox_request_acknowledged on private.email_outbox (lower(recipient), created_at)
  where kind = 'request-acknowledgement';
-- The admin's page counts what has not been delivered; next to a month of delivered mail that is little.
create index email_outbox_undelivered on private.email_outbox (created_at) where delivered_at is null;
create index email_outbox_delivered on private.email_outbox (delivered_at) where delivered_at is not null;

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
  private.without_tokens(text), private.is_frozen(private.email_outbox), private.is_held(private.email_outbox)
  from public, anon, authenticated, service_role;

-- As before, but it leaves mail that is held.
create or replace function public.claim_due_mail(batch_size integer, lease_seconds integer)
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

-- As before for every mail to somebody outside the firm; and then nothing stays that need not.
create or replace function public.settle_mail(mail_id uuid, outcome text, error_code text) returns void
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

-- As before, but mail that is held on purpose is not late.
create or replace function public.outbox_status()
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
-- migration 20261121002300_receive_data_rights_request
-- Queues one mail of a request and fills in what only the database knows: {{reference}} and {{due_on}}, the day in
-- words ("21 December 2026"). No mail quotes what a visitor typed, so no visitor can bring a placeholder.
create function private.queue_request_mail(
  request public.data_rights_requests, kind text, recipient text, mail jsonb, forget_when_delivered boolean
) returns void
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
  insert into private.email_outbox (request_id, kind, recipient, subject, body, forget_when_delivered)
  select
    case when queue_request_mail.forget_when_delivered then null else request.id end,
    queue_request_mail.kind,
    queue_request_mail.recipient,
    filled.texts[1],
    filled.texts[2],
    queue_request_mail.forget_when_delivered
  from (
    select array_agg(
      replace(
        replace(part, '{{reference}}', request.reference),
        '{{due_on}}', to_char(request.due_on, 'FMDD FMMonth YYYY')
      ) order by place
    ) as texts
    from unnest(array[subject, body]) with ordinality as parts (part, place)
  ) as filled;
end;
$$;

revoke all on function private.queue_request_mail(public.data_rights_requests, text, text, jsonb, boolean)
  from public, anon, authenticated, service_role;

-- Opens a request: row, links, log and mail, all or nothing. Whether the address is known makes no difference.
create function public.receive_data_rights_request(
  request jsonb,
  confirm_token_hash text,
  status_token_hash text,
  quarantine_reason text,
  mails jsonb
) returns table (reference text, is_new boolean)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  person text := private.subject_key(receive_data_rights_request.request ->> 'email');
  received public.data_rights_requests;
  mail jsonb;
begin
  -- Requests for one address take turns, so that what is counted and compared below is true however many come at once.
  perform pg_advisory_xact_lock(hashtextextended(person, 0));

  -- A double click or a reload. It can keep nobody's own request out: whoever sent the first, its links went to the
  -- same address, and it says the same in every word.
  select * into received
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = person
    and earlier.request_type = receive_data_rights_request.request ->> 'request_type'
    and earlier.name = receive_data_rights_request.request ->> 'name'
    and earlier.description = receive_data_rights_request.request ->> 'description'
    and earlier.quarantine_reason is not distinct from receive_data_rights_request.quarantine_reason
    and earlier.state = 'unconfirmed'
    and earlier.received_at > now() - interval '10 minutes'
  limit 1;
  if found then
    return query select received.reference, false;
    return;
  end if;

  loop
    insert into public.data_rights_requests
      (reference, request_type, name, email, description, due_on, quarantine_reason)
    values (
      private.new_request_reference(),
      receive_data_rights_request.request ->> 'request_type',
      receive_data_rights_request.request ->> 'name',
      receive_data_rights_request.request ->> 'email',
      receive_data_rights_request.request ->> 'description',
      private.data_rights_due_on((now() at time zone 'UTC')::date),
      receive_data_rights_request.quarantine_reason
    )
    on conflict (reference) do nothing
    returning * into received;
    exit when found;
  end loop;
  perform private.record_request_event(received.id, 'requester', 'received', null);

  -- What is quarantined sends no mail, so nobody could have its links.
  if receive_data_rights_request.quarantine_reason is null then
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    values
      (confirm_token_hash, received.id, 'confirm', now() + private.confirmation_lifetime()),
      (status_token_hash, received.id, 'status', null);
    for mail in select jsonb_array_elements(mails) loop
      -- Anybody may type anybody's address: nobody gets more than three acknowledgements a day.
      continue when mail ->> 'kind' = 'request-acknowledgement' and (
        select count(*) >= 3
        from private.email_outbox as earlier
        where earlier.kind = 'request-acknowledgement'
          and lower(earlier.recipient) = lower(mail ->> 'recipient')
          and earlier.created_at > now() - interval '24 hours'
      );
      perform private.queue_request_mail(received, mail ->> 'kind', mail ->> 'recipient', mail, false);
    end loop;
  end if;

  return query select received.reference, true;
end;
$$;

comment on function public.receive_data_rights_request(jsonb, text, text, text, jsonb) is
  'Stores a request, its links by the SHA-256 of their tokens, and queues its mails unless it is quarantined. '
  'request: {request_type, name, email, description}; mails: [{kind, recipient, subject, body}] with {{reference}} and '
  '{{due_on}} to be filled. The very same request within ten minutes is one. Raises 23514 or 23502 for a text that is '
  'too long or missing, 22023 for a mail without subject or body.';

-- How long a confirmation link works.
create function private.confirmation_lifetime() returns interval
language sql immutable
set search_path = ''
as $$ select interval '72 hours' $$;

revoke all on function private.confirmation_lifetime() from public, anon, authenticated, service_role;
revoke all on function public.receive_data_rights_request(jsonb, text, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.receive_data_rights_request(jsonb, text, text, text, jsonb) to service_role;
-- migration 20261121002350_request_links
-- What the holder of a link may see and do. Everything here is for anybody with the publishable key, so it answers one
-- way only to whatever is unknown, expired, used, forged or misshapen: with no row. None of it shows a name, an address
-- or a word that was typed: a link can be forwarded.

-- The request that a token opens, or null.
create function private.find_linked_request(token text, purpose text) returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  -- 32 random bytes or more in base64url; nothing else is worth a digest.
  if token is null or token !~ '^[A-Za-z0-9_-]{43,128}$' then
    return null;
  end if;
  return (
    select link.request_id
    from private.data_rights_links as link
    where link.token_hash = private.digest(find_linked_request.token)
      and link.purpose = find_linked_request.purpose
      and link.used_at is null
      and (link.expires_at is null or link.expires_at > now())
  );
end;
$$;

revoke all on function private.find_linked_request(text, text) from public, anon, authenticated, service_role;

create function public.find_data_rights_confirmation(token text)
returns table (reference text, request_type text, received_at timestamptz, due_on date)
language sql stable security definer
set search_path = ''
as $$
  select request.reference, request.request_type, request.received_at, request.due_on
  from public.data_rights_requests as request
  where request.id = (select private.find_linked_request(token, 'confirm')) and request.state = 'unconfirmed'
$$;

comment on function public.find_data_rights_confirmation(text) is
  'The request that this token would confirm, or no row. Changes nothing: programs that check mail follow links.';

create function public.confirm_data_rights_request(token text)
returns table (reference text, request_type text, received_at timestamptz, due_on date)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  request public.data_rights_requests;
begin
  -- Of several at once the first takes the row; the others wait here, and then find it confirmed.
  select * into request
  from public.data_rights_requests
  where id = (select private.find_linked_request(confirm_data_rights_request.token, 'confirm')) and state = 'unconfirmed'
  for update;
  if not found then
    return;
  end if;
  update private.data_rights_links set used_at = now() where request_id = request.id and purpose = 'confirm';
  update public.data_rights_requests set state = 'open', confirmed_at = now() where id = request.id;
  perform private.record_request_event(request.id, 'requester', 'confirmed', null);
  return query select request.reference, request.request_type, request.received_at, request.due_on;
end;
$$;

comment on function public.confirm_data_rights_request(text) is
  'Confirms the request of this token, once, and answers as find_data_rights_confirmation did before; no row if there '
  'was nothing to confirm.';

create function public.find_data_rights_status(token text)
returns table (
  reference text, request_type text, state text, received_at timestamptz, due_on date,
  confirmed_at timestamptz, extended_at timestamptz, closed_at timestamptz
)
language sql stable security definer
set search_path = ''
as $$
  select
    request.reference, request.request_type, request.state, request.received_at, request.due_on,
    request.confirmed_at, request.extended_at, request.closed_at
  from public.data_rights_requests as request
  where request.id = (select private.find_linked_request(token, 'status'))
$$;

comment on function public.find_data_rights_status(text) is
  'How far the request of this token is, or no row. It may be withdrawn while closed_at is null.';

create function public.withdraw_data_rights_request(token text) returns table (reference text)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  request public.data_rights_requests;
begin
  select * into request
  from public.data_rights_requests
  where id = (select private.find_linked_request(withdraw_data_rights_request.token, 'status')) and closed_at is null
  for update;
  if not found then
    return;
  end if;
  update public.data_rights_requests set state = 'withdrawn', closed_at = now() where id = request.id;
  perform private.record_request_event(request.id, 'requester', 'withdrawn', null);
  return query select request.reference;
end;
$$;

comment on function public.withdraw_data_rights_request(text) is
  'Closes the request of this token at the requester''s wish; no row if it is unknown or closed already.';

revoke all on function
  public.find_data_rights_confirmation(text), public.confirm_data_rights_request(text),
  public.find_data_rights_status(text), public.withdraw_data_rights_request(text)
  from public, anon, authenticated, service_role;
grant execute on function
  public.find_data_rights_confirmation(text), public.confirm_data_rights_request(text),
  public.find_data_rights_status(text), public.withdraw_data_rights_request(text)
  to anon, authenticated;
-- migration 20261121002400_answer_requests
-- The request, locked until the transaction ends, so that of two admins at once the second finds what the first did.
create function private.lock_request(request_id uuid, allowed_states text[]) returns public.data_rights_requests
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
  if request.state <> all (allowed_states) then
    raise exception 'a request that is % cannot do this', request.state using errcode = '55000';
  end if;
  return request;
end;
$$;

-- A reason or a note, trimmed.
create function private.require_words(words text) returns text
language plpgsql immutable
set search_path = ''
as $$
begin
  if coalesce(btrim(words, e' \t\r\n'), '') = '' or char_length(words) > 2000 then
    raise exception 'a reason or note of 1 to 2,000 characters is needed' using errcode = '22023';
  end if;
  return btrim(words, e' \t\r\n');
end;
$$;

revoke all on function private.lock_request(uuid, text[]), private.require_words(text)
  from public, anon, authenticated, service_role;

create function public.take_up_request(request_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.lock_request(request_id, array['open']);
  update public.data_rights_requests as request set state = 'in_progress' where request.id = take_up_request.request_id;
  perform private.record_request_event(request_id, 'admin', 'taken-up', null);
end;
$$;

create function public.record_request_note(request_id uuid, note text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.lock_request(
    request_id, array['unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn']
  );
  perform private.record_request_event(request_id, 'admin', 'noted', private.require_words(note));
end;
$$;

-- Once, and before the due date: the requester must learn of it, and why, within the first month (GDPR, article 12(3)),
-- and mail may take its time.
create function public.extend_request(request_id uuid, reason text, mail jsonb) returns date
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_request(request_id, array['open', 'in_progress']);
  if request.extended_at is not null then
    raise exception 'a request is extended once' using errcode = '55000';
  end if;
  if (now() at time zone 'UTC')::date >= request.due_on then
    raise exception 'a request is extended before it is due' using errcode = '55000';
  end if;
  update public.data_rights_requests as kept
  set extended_at = now(),
    extension_reason = private.require_words(reason),
    due_on = private.data_rights_extended_to((kept.received_at at time zone 'UTC')::date)
  where kept.id = request.id
  returning * into request;
  perform private.record_request_event(request.id, 'admin', 'extended', request.extension_reason);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return request.due_on;
end;
$$;

-- Ends a request with a mail to the requester.
create function private.close_request(request_id uuid, allowed_states text[], outcome text, note text, mail jsonb)
returns void
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests := private.lock_request(request_id, allowed_states);
begin
  update public.data_rights_requests as kept set state = outcome, closed_at = now() where kept.id = request.id;
  perform private.record_request_event(request.id, 'admin', outcome, note);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
end;
$$;

revoke all on function private.close_request(uuid, text[], text, text, jsonb)
  from public, anon, authenticated, service_role;

create function public.complete_request(request_id uuid, note text, mail jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.close_request(
    request_id, array['open', 'in_progress'], 'completed',
    case when btrim(note) <> '' then private.require_words(note) end, mail
  );
end;
$$;

-- An unconfirmed request may be refused, too: whoever cannot be identified need not be answered (GDPR, article 12(2)).
create function public.refuse_request(request_id uuid, reason text, mail jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.close_request(
    request_id, array['unconfirmed', 'open', 'in_progress'], 'refused', private.require_words(reason), mail
  );
end;
$$;

-- New links in the place of the old ones, for somebody whose mail was lost, whose link ran out, or whose browser filled
-- in the honeypot. Takes the request out of quarantine.
create function public.resend_confirmation(
  request_id uuid, confirm_token_hash text, status_token_hash text, mail jsonb
) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_request(request_id, array['unconfirmed']);
  update public.data_rights_requests as kept set quarantine_reason = null where kept.id = request.id;
  delete from private.data_rights_links as link where link.request_id = request.id;
  insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
  values
    (confirm_token_hash, request.id, 'confirm', now() + private.confirmation_lifetime()),
    (status_token_hash, request.id, 'status', null);
  perform private.record_request_event(request.id, 'admin', 'confirmation-resent', null);
  perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false);
end;
$$;

comment on function public.take_up_request(uuid) is 'open becomes in_progress.';
comment on function public.record_request_note(uuid, text) is 'Adds a note to the log, in any state.';
comment on function public.extend_request(uuid, text, jsonb) is
  'Moves the due date once, and returns the new one, which fills {{due_on}} in the mail.';
comment on function public.complete_request(uuid, text, jsonb) is 'open or in_progress becomes completed; note may be null.';
comment on function public.refuse_request(uuid, text, jsonb) is 'unconfirmed, open or in_progress becomes refused.';
comment on function public.resend_confirmation(uuid, text, text, jsonb) is
  'Sends an unconfirmed request''s confirmation again, with new links given by the SHA-256 of their tokens.';

-- For each of these: 42501 for others than admins, P0002 for an unknown request, 55000 for a request that is in another
-- state, 22023 for missing words or a mail {subject, body} without them, 23514 for a digest that is none.
revoke all on function
  public.take_up_request(uuid), public.record_request_note(uuid, text), public.extend_request(uuid, text, jsonb),
  public.complete_request(uuid, text, jsonb), public.refuse_request(uuid, text, jsonb),
  public.resend_confirmation(uuid, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function
  public.take_up_request(uuid), public.record_request_note(uuid, text), public.extend_request(uuid, text, jsonb),
  public.complete_request(uuid, text, jsonb), public.refuse_request(uuid, text, jsonb),
  public.resend_confirmation(uuid, text, text, jsonb)
  to authenticated;
-- migration 20261121002450_subject_data
-- Everything that is held about the person who made a request. People are known by their e-mail address alone, so each
-- of these functions asks for a request that whoever has the address has confirmed. (The records of consent hold none.)

-- Locks the request, after the turn for its address was taken: two requests of one person are never worked on at once,
-- and receive_data_rights_request waits for its turn, too.
create function private.lock_subject(request_id uuid, allowed_states text[]) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(private.subject_key(request.email), 0))
  from public.data_rights_requests as request
  where request.id = lock_subject.request_id;
  return private.lock_request(request_id, allowed_states);
end;
$$;

-- Refuses what a request of this type does not ask for: a slip here could not be undone.
create function private.require_type(request public.data_rights_requests, allowed_types text[]) returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  if request.request_type <> all (allowed_types) then
    raise exception 'a request of type % does not ask for this', request.request_type using errcode = '55000';
  end if;
end;
$$;

-- A mail is the person's if it hangs on what is theirs, or goes to their address or answers to it.
create function private.find_mails_of(person text) returns setof private.email_outbox
language sql stable
set search_path = ''
as $$
  select mail.*
  from private.email_outbox as mail
  where private.subject_key(mail.recipient) = person
    or private.subject_key(mail.reply_to) = person
    or mail.submission_id in (
      select submission.id from public.contact_submissions as submission
      where private.subject_key(submission.email) = person
    )
    or mail.request_id in (
      select request.id from public.data_rights_requests as request
      where private.subject_key(request.email) = person
    )
$$;

create function public.export_subject_data(request_id uuid) returns jsonb
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
      select coalesce(jsonb_agg(to_jsonb(submission) order by submission.created_at, submission.id), '[]')
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
  'Everything held under the address of a confirmed request, as {exported_at, reference, email, submissions, '
  'requests: [{…, events}], mails, earlier_erasures}; says so in the log. Raises 42501 for others than admins, P0002 for '
  'an unknown request, 55000 for one that is unconfirmed, refused or withdrawn.';

revoke all on function
  private.lock_subject(uuid, text[]), private.require_type(public.data_rights_requests, text[]),
  private.find_mails_of(text), public.export_subject_data(uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.export_subject_data(uuid) to authenticated;
-- migration 20261121002500_erase_subject
-- How much is held about a person, table by table; the same numbers before an erasure and in what remains of it.
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

-- In how many messages and requests of others the address stands. Those are other people's words: no erasure touches
-- them, but somebody should look.
create function private.count_mentions(person text) returns bigint
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

create function public.preview_erasure(request_id uuid) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_request(request_id, array['open', 'in_progress']);
  perform private.require_type(request, array['erasure', 'object', 'other']);
  return private.count_subject(private.subject_key(request.email))
    || jsonb_build_object('mentions', private.count_mentions(private.subject_key(request.email)));
end;
$$;

create function public.erase_subject(request_id uuid, mail jsonb) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  request public.data_rights_requests := private.lock_subject(request_id, array['open', 'in_progress']);
  person text := private.subject_key(request.email);
  counts jsonb := private.count_subject(person);
begin
  perform private.require_type(request, array['erasure', 'object', 'other']);
  perform set_config('private.erases_log', 'on', true);
  delete from private.email_outbox as queued where queued.id in (select own.id from private.find_mails_of(person) as own);
  -- Receipts and search words go with the messages, links and events with the requests.
  delete from public.contact_submissions as submission where private.subject_key(submission.email) = person;
  delete from public.data_rights_requests as own where private.subject_key(own.email) = person;
  perform set_config('private.erases_log', 'off', true);

  insert into private.erasure_tombstones (reference, email_hash, counts, erased_by)
  values (request.reference, private.digest(person), counts, actor);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, true);
  return counts;
end;
$$;

create function public.list_erasures()
returns table (reference text, erased_at timestamptz, erased_by uuid, email_hash text, counts jsonb)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select tombstone.reference, tombstone.erased_at, tombstone.erased_by, tombstone.email_hash, tombstone.counts
    from private.erasure_tombstones as tombstone
    order by tombstone.erased_at desc, tombstone.id
    limit 100;
end;
$$;

comment on function public.preview_erasure(uuid) is
  'What erase_subject would delete: {submissions, receipts, requests, links, events, mails}, and mentions: in how many '
  'of other people''s texts, which stay, the address stands. Same errors as erase_subject.';
comment on function public.erase_subject(uuid, jsonb) is
  'Deletes everything held under the address of a confirmed request for erasure (or an objection or other request), that '
  'request included; leaves a tombstone and one last mail {subject, body}, which is forgotten once it is delivered. '
  'Returns the counts. Raises 42501 for others than admins, P0002 for an unknown request, 55000 for one in another state '
  'or of another type, 22023 for a mail without words; then nothing is deleted.';
comment on function public.list_erasures() is 'The last hundred erasures, newest first. Raises 42501 for others than admins.';

revoke all on function
  private.count_subject(text), private.count_mentions(text),
  public.preview_erasure(uuid), public.erase_subject(uuid, jsonb), public.list_erasures()
  from public, anon, authenticated, service_role;
grant execute on function
  public.preview_erasure(uuid), public.erase_subject(uuid, jsonb), public.list_erasures() to authenticated;
-- migration 20261121002550_restrict_subject
-- Restriction (GDPR, article 18): what is held about a person is kept and otherwise left alone. It belongs to the
-- person, not to one request: everything held under the address now is frozen, in one transaction, and lifted together.
-- What the person sends later is not frozen: it is sent to be read. Frozen rows are out of lists, exports, direct reads
-- and mail, and neither an admin nor retention deletes them (article 18(2): storage only); an erasure, which the person
-- asks for, does. A frozen request goes on being answered, from a folder of its own: that duty is not restricted.
create function public.restrict_subject(request_id uuid, reason text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
  submissions integer;
  requests integer;
begin
  perform private.require_admin();
  request := private.lock_subject(request_id, array['open', 'in_progress']);
  perform private.require_type(request, array['restrict', 'object', 'rectification', 'other']);
  if request.frozen_at is not null then
    raise exception 'this person''s data is restricted already' using errcode = '55000';
  end if;
  update public.contact_submissions as submission
  set frozen_at = now()
  where private.subject_key(submission.email) = private.subject_key(request.email) and submission.frozen_at is null;
  get diagnostics submissions = row_count;
  update public.data_rights_requests as own
  set frozen_at = now()
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is null;
  get diagnostics requests = row_count;
  perform private.record_request_event(request.id, 'admin', 'restricted', private.require_words(reason));
  return jsonb_build_object('submissions', submissions, 'requests', requests);
end;
$$;

-- With a mail, because the person must be told before it is lifted (article 18(3)).
create function public.lift_restriction(request_id uuid, reason text, mail jsonb) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
  submissions integer;
  requests integer;
begin
  perform private.require_admin();
  request := private.lock_subject(
    request_id, array['unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn']
  );
  if request.frozen_at is null then
    raise exception 'this person''s data is not restricted' using errcode = '55000';
  end if;
  update public.contact_submissions as submission
  set frozen_at = null
  where private.subject_key(submission.email) = private.subject_key(request.email) and submission.frozen_at is not null;
  get diagnostics submissions = row_count;
  update public.data_rights_requests as own
  set frozen_at = null
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is not null;
  get diagnostics requests = row_count;
  perform private.record_request_event(request.id, 'admin', 'restriction-lifted', private.require_words(reason));
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return jsonb_build_object('submissions', submissions, 'requests', requests);
end;
$$;

comment on function public.restrict_subject(uuid, text) is
  'Freezes everything held under the address of a confirmed request that asks for it; returns how many {submissions, '
  'requests}. Raises 42501 for others than admins, P0002 for an unknown request, 55000 for one in another state, of '
  'another type or frozen already, 22023 without a reason.';
comment on function public.lift_restriction(uuid, text, jsonb) is
  'Takes back restrict_subject through any frozen request of that person, with a mail {subject, body}. Same errors.';

revoke all on function public.restrict_subject(uuid, text), public.lift_restriction(uuid, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.restrict_subject(uuid, text), public.lift_restriction(uuid, text, jsonb) to authenticated;
-- migration 20261121002600_turn_pages
-- Lists are paged by place, not by number: a page costs the same however deep it lies, and nothing is shown twice or
-- left out because something new came in. A scan gives rows in order, from a place on, in one of both directions.
create type private.placed_row as (
  place bigint, -- what the list is sorted by, ascending
  id uuid,      -- decides between equal places
  data jsonb    -- what the admin sees
);

-- One page of a list, as {rows, previous, next}: the cursors are null where nothing follows.
-- scan: the name of a function of this schema (folder, needle, place, id, forward, most) returns setof placed_row
create function private.turn_page(scan text, folder text, search text, page_cursor text, page_size integer) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  scan_query constant text := format('select array(select placed from private.%I($1, $2, $3, $4, $5, $6) as placed)', scan);
  needle text := nullif(lower(btrim(left(search, 200))), '');
  -- <direction>.<place>.<id>: nothing of a person, so that it can stand in an address.
  parts text[] := regexp_match(
    page_cursor, '^(next|previous)\.(-?[0-9]{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$'
  );
  page private.placed_row[] := '{}';
  further private.placed_row[] := '{}';
  has_previous boolean := false;
  has_next boolean;
begin
  if page_cursor is not null and parts is null then
    raise exception 'no such place in a list' using errcode = '22023';
  end if;
  if parts[1] = 'previous' then
    execute scan_query into page using folder, needle, parts[2]::bigint, parts[3]::uuid, false, page_size + 1;
    has_previous := cardinality(page) > page_size;
    page := array(
      select page[number] from generate_series(least(cardinality(page), page_size), 1, -1) as number
    );
    has_next := true;
  elsif parts[1] = 'next' then
    execute scan_query into page using folder, needle, parts[2]::bigint, parts[3]::uuid, true, page_size + 1;
    has_next := cardinality(page) > page_size;
    page := page[:page_size];
    if cardinality(page) > 0 then
      execute scan_query into further using folder, needle, page[1].place, page[1].id, false, 1;
      has_previous := cardinality(further) > 0;
    end if;
  end if;

  -- The beginning; also for whoever comes back to it by way of a page that is no longer full, or to a page that is gone.
  if cardinality(page) = 0 or (parts[1] = 'previous' and not has_previous) then
    execute scan_query into page using folder, needle, null::bigint, null::uuid, true, page_size + 1;
    has_previous := false;
    has_next := cardinality(page) > page_size;
    page := page[:page_size];
  end if;

  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(rows.data order by rows.number), '[]')
      from unnest(page) with ordinality as rows (place, id, data, number)),
    'previous', case when has_previous then format('previous.%s.%s', page[1].place, page[1].id) end,
    'next', case when has_next then format('next.%s.%s', page[cardinality(page)].place, page[cardinality(page)].id) end
  );
end;
$$;

comment on function private.turn_page(text, text, text, text, integer) is
  'search: any part of a word, in any case, taken literally; its first 200 characters count. page_cursor: null for the '
  'beginning, else what an earlier page gave. Raises 22023 for a cursor of another form.';

revoke all on function private.turn_page(text, text, text, text, integer) from public, anon, authenticated, service_role;
-- migration 20261121002650_list_submissions
-- Newest first: the place is the time of arrival in microseconds, negative so that it ascends.
create function private.scan_submissions(
  folder text, needle text, place bigint, id uuid, forward boolean, most integer
) returns setof private.placed_row
language plpgsql stable
set search_path = ''
as $$
declare
  -- Sorted by the table that is read first: by that of the words where something is searched for.
  at_column text := case when needle is null then 'submission.created_at' else 'search.created_at' end;
  id_column text := case when needle is null then 'submission.id' else 'search.submission_id' end;
  direction text := case when forward then 'desc' else 'asc' end;
  in_folder text := 'submission.frozen_at is null' || case when folder = 'all' then '' else
    ' and (case when submission.quarantine_reason is null then submission.state else ''quarantined'' end) = $1' end;
begin
  if folder is null or folder not in ('all', 'new', 'in_progress', 'done', 'spam', 'quarantined') then
    raise exception 'there is no such folder' using errcode = '22023';
  end if;
  -- Put together here and planned with its values: one statement for every case would be planned for none of them.
  return query execute
    'select
       -(extract(epoch from submission.created_at) * 1000000)::bigint, submission.id,
       to_jsonb(submission) - ''frozen_at'' from '
    || case when needle is null then 'public.contact_submissions as submission where ' || in_folder
      -- One message for each row of words, and the planner knows it, statistics or not: so it walks the words in their
      -- order and stops when the page is full.
      else 'private.submission_search as search cross join lateral (
          select submission.* from public.contact_submissions as submission
          where submission.id = search.submission_id and ' || in_folder || ' limit 1
        ) as submission where strpos(search.words, $2) > 0' end
    || case when place is null then ''
      else format(
        ' and (%s, %s) %s (timestamptz ''epoch'' - $3 * interval ''1 microsecond'', $4)',
        at_column, id_column, case when forward then '<' else '>' end
      ) end
    || format(' order by %s %s, %s %s limit $5', at_column, direction, id_column, direction)
    using folder, needle, place, id, most;
end;
$$;

create function public.list_submissions(
  folder text default 'all', search text default null, page_cursor text default null
) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return private.turn_page('scan_submissions', folder, search, page_cursor, 25);
end;
$$;

create function public.count_submissions() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'all', count(*),
      'new', count(*) filter (where quarantine_reason is null and state = 'new'),
      'in_progress', count(*) filter (where quarantine_reason is null and state = 'in_progress'),
      'done', count(*) filter (where quarantine_reason is null and state = 'done'),
      'spam', count(*) filter (where quarantine_reason is null and state = 'spam'),
      'quarantined', count(*) filter (where quarantine_reason is not null)
    )
    from public.contact_submissions
    where frozen_at is null
  );
end;
$$;

-- For the file: the same list in larger pieces. Who takes the messages out of the house is written down.
create function public.export_submissions(
  folder text default 'all', search text default null, page_cursor text default null
) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
begin
  if page_cursor is null then
    insert into public.admin_events (actor, action) values (actor, 'submissions-exported');
  end if;
  return private.turn_page('scan_submissions', folder, search, page_cursor, 1000);
end;
$$;

comment on function public.list_submissions(text, text, text) is
  'A page of 25 messages, newest first, as {rows, previous, next}. folder: all, new, in_progress, done, spam or '
  'quarantined (in no other but all). search: a part of name, email, company, stage, goal or message. page_cursor: '
  'null, or an earlier page''s previous or next. Raises 42501 for others than admins, 22023 for a folder or cursor that '
  'is none.';
comment on function public.count_submissions() is 'How many messages each folder holds. Raises 42501 for others than admins.';
comment on function public.export_submissions(text, text, text) is
  'As list_submissions, in pages of 1,000; the first page is logged in admin_events.';

revoke all on function
  private.scan_submissions(text, text, bigint, uuid, boolean, integer), public.list_submissions(text, text, text),
  public.count_submissions(), public.export_submissions(text, text, text)
  from public, anon, authenticated, service_role;
grant execute on function
  public.list_submissions(text, text, text), public.count_submissions(), public.export_submissions(text, text, text)
  to authenticated;
-- migration 20261121002700_change_submissions
-- The message, locked. What is frozen may not be touched until the restriction is lifted.
create function private.lock_submission(submission_id uuid) returns public.contact_submissions
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
  return submission;
end;
$$;

revoke all on function private.lock_submission(uuid) from public, anon, authenticated, service_role;

create function public.set_submission_state(submission_id uuid, state text) returns void
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
  set state = set_submission_state.state
  where submission.id = set_submission_state.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-' || set_submission_state.state, set_submission_state.submission_id);
end;
$$;

-- It becomes a new message. No mail goes out: the admin has just read it, and days later an acknowledgement would puzzle.
create function public.restore_submission(submission_id uuid) returns void
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
  set quarantine_reason = null, state = 'new'
  where submission.id = restore_submission.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-restored', restore_submission.submission_id);
end;
$$;

-- Its receipt, its mail and its search words go with it.
create function public.delete_submission(submission_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
begin
  perform private.lock_submission(submission_id);
  delete from public.contact_submissions as submission where submission.id = delete_submission.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-deleted', delete_submission.submission_id);
end;
$$;

comment on function public.set_submission_state(uuid, text) is 'state: new, in_progress, done or spam; 22023 for another.';
comment on function public.restore_submission(uuid) is 'Takes a message out of quarantine; it becomes new, and sends no mail.';
comment on function public.delete_submission(uuid) is 'Deletes a message and everything that hangs on it, for good.';

-- For each of these: 42501 for others than admins, P0002 for an unknown message, 55000 for one that is frozen or that
-- the change does not fit. Each is logged in admin_events.
revoke all on function
  public.set_submission_state(uuid, text), public.restore_submission(uuid), public.delete_submission(uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.set_submission_state(uuid, text), public.restore_submission(uuid), public.delete_submission(uuid)
  to authenticated;
-- migration 20261121002750_list_requests
-- Requests that wait come first, by the day they are due, so the overdue ones before all; then those that are closed,
-- the last one first. The place is a number of days that sorts like this.
create function private.request_place(closed_at timestamptz, due_on date) returns bigint
language sql immutable
as $$
  select (case
    when closed_at is null then due_on - date '2000-01-01'
    else 1000000 - ((closed_at at time zone 'UTC')::date - date '2000-01-01')
  end)::bigint
$$;

-- A request as the admin sees it.
create function private.show_request(request public.data_rights_requests) returns jsonb
language sql stable
set search_path = ''
as $$
  select to_jsonb(request) || jsonb_build_object(
    'is_overdue', request.closed_at is null and request.due_on < (now() at time zone 'UTC')::date
  )
$$;

-- Without settings of its own, so that it is inlined: it is asked of every request for every folder.
create function private.is_in_folder(request public.data_rights_requests, folder text) returns boolean
language sql immutable
as $$
  select (request.frozen_at is not null) = (folder = 'restricted') and case
    when folder in ('all', 'restricted') then true
    when folder = 'quarantined' then request.quarantine_reason is not null
    when request.quarantine_reason is not null then false
    when folder = 'active' then request.closed_at is null
    when folder = 'closed' then request.closed_at is not null
    else request.state = folder
  end
$$;

-- Requests are few (a thousand is a great many): they are read whole and sorted.
create function private.scan_requests(
  folder text, needle text, place bigint, id uuid, forward boolean, most integer
) returns setof private.placed_row
language plpgsql stable
set search_path = ''
as $$
#variable_conflict use_column
begin
  if folder is null or folder not in (
    'all', 'active', 'unconfirmed', 'open', 'in_progress', 'closed', 'completed', 'refused', 'withdrawn', 'quarantined',
    'restricted'
  ) then
    raise exception 'there is no such folder' using errcode = '22023';
  end if;
  return query
    select rows.place, rows.id, private.show_request(rows.request)
    from (
      select private.request_place(request.closed_at, request.due_on) as place, request.id, request
      from public.data_rights_requests as request
      where private.is_in_folder(request, folder)
        and (needle is null or strpos(
          lower(concat_ws(e'\n', request.reference, request.name, request.email, request.description)), needle
        ) > 0)
    ) as rows
    where scan_requests.place is null
      or (forward and (rows.place, rows.id) > (scan_requests.place, scan_requests.id))
      or (not forward and (rows.place, rows.id) < (scan_requests.place, scan_requests.id))
    order by
      case when forward then rows.place end, case when forward then rows.id end,
      rows.place desc, rows.id desc
    limit most;
end;
$$;

create function public.list_requests(
  folder text default 'active', search text default null, page_cursor text default null
) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return private.turn_page('scan_requests', folder, search, page_cursor, 25);
end;
$$;

create function public.count_requests() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_object_agg(folder, (
      select count(*) from public.data_rights_requests as request where private.is_in_folder(request, folder)
    ))
    from unnest(array[
      'all', 'active', 'unconfirmed', 'open', 'in_progress', 'closed', 'completed', 'refused', 'withdrawn',
      'quarantined', 'restricted'
    ]) as folder
  ) || jsonb_build_object('overdue', (
    -- Those that must be answered, the restricted ones among them: a duty that is in no list must be seen all the same.
    select count(*) from public.data_rights_requests as request
    where request.state in ('open', 'in_progress') and request.due_on < (now() at time zone 'UTC')::date
  ));
end;
$$;

create function public.find_request(request_id uuid) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select private.show_request(request) || jsonb_build_object(
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'at', event.at, 'actor_kind', event.actor_kind, 'actor', event.actor, 'action', event.action, 'note', event.note
        ) order by event.id), '[]')
        from public.data_rights_events as event where event.request_id = request.id
      ),
      'mails', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', mail.kind, 'subject', mail.subject, 'created_at', mail.created_at,
          'delivered_at', mail.delivered_at, 'gave_up_at', mail.gave_up_at
        ) order by mail.created_at, mail.kind, mail.id), '[]')
        from private.email_outbox as mail where mail.request_id = request.id
      ),
      'confirmation_expires_at', (
        select link.expires_at from private.data_rights_links as link
        where link.request_id = request.id and link.purpose = 'confirm' and link.used_at is null
      )
    )
    from public.data_rights_requests as request
    where request.id = find_request.request_id
  );
end;
$$;

comment on function public.list_requests(text, text, text) is
  'A page of 25 requests as {rows, previous, next}; rows hold is_overdue, too. folder: active (not closed), unconfirmed, '
  'open, in_progress, closed, completed, refused, withdrawn, quarantined, all, or restricted, whose requests are in no '
  'other. search: a part of reference, name, email or description. Errors as list_submissions.';
comment on function public.count_requests() is 'How many requests each folder holds, and overdue. Raises 42501 for others than admins.';
comment on function public.find_request(uuid) is
  'One request, frozen or not, with {events, mails, confirmation_expires_at}; null if there is none. Raises 42501 for '
  'others than admins.';

revoke all on function
  private.request_place(timestamptz, date), private.show_request(public.data_rights_requests),
  private.is_in_folder(public.data_rights_requests, text),
  private.scan_requests(text, text, bigint, uuid, boolean, integer),
  public.list_requests(text, text, text), public.count_requests(), public.find_request(uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.list_requests(text, text, text), public.count_requests(), public.find_request(uuid) to authenticated;
-- migration 20261121002800_keep_retention
-- How long what is kept. The privacy policy promises these, from app/content/facts.ts.
create function private.retention_periods() returns table (kind text, period interval)
language sql immutable
set search_path = ''
as $$
  values
    -- Spec, section 9.
    ('contact_submissions', interval '2 years'),
    ('consents', interval '2 years'),
    -- A consent that was withdrawn ends sooner, but not at once: until then the record keeps a copy of the earlier
    -- consent that arrives late from counting, and the withdrawal can be shown to whoever asks.
    ('withdrawn_consents', interval '30 days'),
    -- After they were closed: claims can be made for that long.
    ('closed_requests', interval '3 years'),
    -- After they were due. Until then an admin may still help somebody whose mail was lost.
    ('unconfirmed_requests', interval '30 days'),
    -- After delivery, or after it was given up.
    ('mails', interval '30 days'),
    ('receipts', interval '1 day'),
    -- What proves that all this was done: erasures, the log of what admins did, the runs below. It names no visitor.
    ('records', interval '3 years')
$$;

-- One of them. With a constant it is worked out before a statement runs, so that indexes serve.
create function private.retention_period(kind text) returns interval
language sql immutable
set search_path = ''
as $$ select periods.period from private.retention_periods() as periods where periods.kind = retention_period.kind $$;

create table private.retention_runs (
  ran_at timestamptz primary key default clock_timestamp(),
  -- Who started it: the server's timer, pg_cron, an operator.
  source text not null check (source ~ '^[a-z0-9_-]{1,40}$'),
  counts jsonb not null
);
alter table private.retention_runs enable row level security;
revoke all on table private.retention_runs from public, anon, authenticated, service_role;

-- Deletes whatever is past its time, and says how much. What is frozen stays: it may be stored and nothing else (GDPR,
-- article 18(2)), and its person may be the one who wants it kept (article 18(1)(b) and (c)).
create function public.keep_retention(source text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  counts jsonb := '{}';
  deleted integer;
  more integer;
begin
  -- Two runs at once take turns; the second finds nothing.
  perform pg_advisory_xact_lock(hashtextextended('keep_retention', 0));

  delete from public.contact_submissions as submission
  where submission.frozen_at is null and submission.created_at < now() - private.retention_period('contact_submissions');
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('submissions', deleted);

  perform set_config('private.erases_log', 'on', true);
  delete from public.data_rights_requests as request
  where request.frozen_at is null and (
    request.closed_at < now() - private.retention_period('closed_requests')
    or (
      request.state = 'unconfirmed'
      and request.due_on::timestamp at time zone 'UTC' < now() - private.retention_period('unconfirmed_requests')
    )
  );
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('requests', deleted);

  delete from public.admin_events as event where event.at < now() - private.retention_period('records');
  get diagnostics deleted = row_count;
  perform set_config('private.erases_log', 'off', true);
  delete from private.erasure_tombstones as tombstone where tombstone.erased_at < now() - private.retention_period('records');
  get diagnostics more = row_count;
  deleted := deleted + more;
  delete from private.retention_runs as run where run.ran_at < now() - private.retention_period('records');
  get diagnostics more = row_count;
  counts := counts || jsonb_build_object('records', deleted + more);

  delete from private.email_outbox as mail
  where coalesce(mail.delivered_at, mail.gave_up_at) < now() - private.retention_period('mails')
    and not private.is_frozen(mail);
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('mails', deleted);

  delete from private.contact_receipts as receipt where receipt.received_at < now() - private.retention_period('receipts');
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('receipts', deleted);

  delete from private.data_rights_links as link where link.expires_at < now();
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('links', deleted);

  counts := counts || private.keep_consent_retention();
  insert into private.retention_runs (source, counts) values (keep_retention.source, counts);
  return counts;
end;
$$;

-- Records of consent "until withdrawn or two years" (spec, section 9). Who never allowed anything has withdrawn nothing:
-- that refusal is kept for the two years, as the proof that it was heard.
create function private.keep_consent_retention() returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  consents integer;
  decisions integer;
begin
  perform set_config('private.erases_consent', 'on', true);
  with withdrawn as (
    select consent.session_id
    from public.user_consents as consent
    where not (consent.analytics_consent or consent.marketing_consent)
      and consent.updated_at < now() - private.retention_period('withdrawn_consents')
      and exists (
        select 1 from private.consent_history as earlier
        where earlier.session_id = consent.session_id and (earlier.analytics_consent or earlier.marketing_consent)
      )
  ), gone as (
    delete from public.user_consents as consent
    where consent.updated_at < now() - private.retention_period('consents')
      or consent.session_id in (select session_id from withdrawn)
    returning 1
  ), told as (
    delete from private.consent_history as history
    where history.decided_at < now() - private.retention_period('consents')
      or history.session_id in (select session_id from withdrawn)
    returning 1
  )
  select (select count(*) from gone), (select count(*) from told) into consents, decisions;
  perform set_config('private.erases_consent', 'off', true);
  return jsonb_build_object('consents', consents, 'consent_decisions', decisions);
end;
$$;

create function public.last_retention_run() returns table (ran_at timestamptz, source text, counts jsonb)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select run.ran_at, run.source, run.counts from private.retention_runs as run order by run.ran_at desc limit 1;
end;
$$;

comment on function public.keep_retention(text) is
  'Deletes what is past its time and returns the counts {submissions, requests, records, mails, receipts, links, '
  'consents, consent_decisions}, which are kept with source. Safe to repeat. Raises 23514 for a source that is no word.';
comment on function public.last_retention_run() is 'The last run of keep_retention, or no row. Raises 42501 for others than admins.';

revoke all on function
  private.retention_periods(), private.retention_period(text), private.keep_consent_retention(),
  public.keep_retention(text), public.last_retention_run()
  from public, anon, authenticated, service_role;
grant execute on function public.keep_retention(text) to service_role;
grant execute on function public.last_retention_run() to authenticated;
-- migration 20261121002850_schedule_retention
-- Where the hosted database has pg_cron it keeps retention by itself, at a quiet hour; elsewhere the server's timer does.
-- An operator who adds pg_cron later calls this once: select private.schedule_retention();
create function private.schedule_retention() returns boolean
language plpgsql
set search_path = ''
as $$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  -- By its name, so that doing it twice is one schedule. Dynamic, because elsewhere there is no such function.
  execute $call$select cron.schedule('keep-retention', '17 3 * * *', 'select public.keep_retention(''pg_cron'')')$call$;
  return true;
end;
$$;

comment on function private.schedule_retention() is 'Whether there is pg_cron, which now runs keep_retention every day at 03:17 UTC.';
revoke all on function private.schedule_retention() from public, anon, authenticated, service_role;

do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_cron') then
    begin
      create extension if not exists pg_cron;
    exception when others then
      -- Installed on the machine, but not set up for this database: then the server's timer does it.
      raise notice 'pg_cron cannot be used here: %', sqlstate;
    end;
  end if;
  perform private.schedule_retention();
end;
$$;
-- migration 20261121003000_rate_limits
-- How often something was done of late, so that containers that share nothing else agree on limits. Keys are HMACs that
-- only the web tier can make: whoever calls the function with the public key cannot find anybody's count, let alone
-- raise it. Not logged for recovery: after a crash of the database counting begins anew, and no post waits for a disk.
create unlogged table private.rate_limits (
  key text primary key check (key ~ '^[A-Za-z0-9_-]{43}$'),
  hits integer not null check (hits <= 1000000),
  resets_at timestamptz not null
);
create index rate_limits_resets_at on private.rate_limits (resets_at);
alter table private.rate_limits enable row level security;
revoke all on table private.rate_limits from public, anon, authenticated, service_role;

-- Adds hits, or takes some back, and tells the totals of everybody. What the limits are is the web tier's business.
create function public.count_rate_limit_hits(counted jsonb)
returns table (key text, hits integer, seconds_left integer)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  -- A stranger's keys may fill the table, but no more than this; then new keys are not counted here, and containers
  -- count them for themselves.
  has_room boolean := (select count(*) < 20000 from (select from private.rate_limits limit 20000) as kept);
begin
  if jsonb_typeof(counted) is distinct from 'array' or jsonb_array_length(counted) > 200 then
    raise exception 'an array of at most 200 counts is needed' using errcode = '22023';
  end if;
  return query
    insert into private.rate_limits as kept (key, hits, resets_at)
    select more.key, more.hits, now() + make_interval(secs => more.seconds)
    from (
      select one.key, sum(greatest(-100, least(one.hits, 1000)))::integer as hits,
        max(greatest(1, least(one.seconds, 3600))) as seconds
      from jsonb_to_recordset(counted) as one(key text, hits integer, seconds integer)
      where one.key is not null and one.hits is not null and one.seconds is not null
      group by one.key
    ) as more
    where (has_room and more.hits > 0) or exists (select from private.rate_limits as there where there.key = more.key)
    -- Always in the same order, so that no two calls wait for each other.
    order by more.key
    on conflict (key) do update set
      hits = greatest(0, least(case when kept.resets_at <= now() then 0 else kept.hits end + excluded.hits, 1000000)),
      resets_at = case when kept.resets_at <= now() then excluded.resets_at else kept.resets_at end
    returning kept.key, kept.hits, greatest(1, ceil(extract(epoch from kept.resets_at - now())))::integer;

  -- Last, and past what others hold: cleaning up never waits. Twice as many as a call can add.
  delete from private.rate_limits as expired
  where expired.key in (
    select old.key from private.rate_limits as old
    where old.resets_at <= now() order by old.resets_at limit 400 for update skip locked
  );
end;
$$;

comment on function public.count_rate_limit_hits(jsonb) is
  'counted: [{key, hits, seconds}], at most 200; hits may be negative. Returns {key, hits, seconds_left} for each that is '
  'counted; a new key is not while the table is full. Raises 22023 for anything but such an array, 23514 for a malformed key.';
revoke all on function public.count_rate_limit_hits(jsonb) from public, anon, authenticated, service_role;
grant execute on function public.count_rate_limit_hits(jsonb) to anon;
-- migration 20261121003100_contact_deliveries
-- Messages that a web server kept while the backend was away (CONTACT_SPOOL) arrive late, and perhaps twice: a server
-- that was killed does not know whether the last delivery went through. The receipts of a day are no proof then, so such
-- a message carries a random key of its own. A key names nobody and tells nothing.
create table private.contact_deliveries (
  delivery_key text primary key check (delivery_key ~ '^[A-Za-z0-9_-]{43}$'),
  received_at timestamptz not null default now()
);
create index contact_deliveries_received_at on private.contact_deliveries (received_at);
alter table private.contact_deliveries enable row level security;
revoke all on table private.contact_deliveries from public, anon, authenticated, service_role;

-- receive_contact_submission, once a delivery key and not only once a day.
create function public.receive_contact_delivery(
  delivery_key text,
  submission jsonb,
  fingerprint text,
  quarantine_reason text,
  mails jsonb
) returns boolean
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  is_new boolean;
begin
  -- Of two deliveries at once the second waits here for the end of the first, and counts only if that failed.
  insert into private.contact_deliveries (delivery_key)
  values (receive_contact_delivery.delivery_key)
  on conflict (delivery_key) do nothing;
  if not found then
    return false;
  end if;

  select kept.is_new into strict is_new
  from public.receive_contact_submission(
    receive_contact_delivery.submission,
    receive_contact_delivery.fingerprint,
    receive_contact_delivery.quarantine_reason,
    receive_contact_delivery.mails
  ) as kept;

  -- As long as a submission is kept, which no web server waits.
  delete from private.contact_deliveries as old
  where old.delivery_key in (
    select past.delivery_key from private.contact_deliveries as past
    where past.received_at < now() - private.retention_period('contact_submissions')
    order by past.received_at limit 100 for update skip locked
  );
  return is_new;
end;
$$;

comment on function public.receive_contact_delivery(text, jsonb, text, text, jsonb) is
  'Stores a submission once, however often and however late it is delivered; else as receive_contact_submission. Returns '
  'whether it is new. Raises 23514 for a malformed key, and what receive_contact_submission raises: then nothing is kept.';
revoke all on function public.receive_contact_delivery(text, jsonb, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.receive_contact_delivery(text, jsonb, text, text, jsonb) to service_role;
-- migration 20261121003200_newest_migration
-- The version of the newest migration that this database has seen. Migrations are applied in order, so that says it all;
-- the CLI's own record of them cannot be read through the API. Every later migration defines this function anew.
create function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261121003200' $$;

comment on function public.newest_migration() is
  'The version of the newest migration of this product that has been applied, e.g. 20261121003200.';
revoke all on function public.newest_migration() from public, anon, authenticated, service_role;
grant execute on function public.newest_migration() to anon;
-- migration 20261122000100_mail_limits
-- Anybody may type anybody's address into a form, so acknowledgements are few: to one mailbox, on behalf of one client,
-- and altogether. What is above is kept and shown to the firm like any other; only its acknowledgement does not leave.

-- The mailbox behind an address, as mail providers see it: whatever stands behind a + is the owner's own mark, and Gmail
-- makes nothing of dots.
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

-- How many acknowledgements may leave. The same numbers are in app/content/facts.ts, from where the policy and the
-- settings take them.
create function private.acknowledgement_limits()
returns table (per_mailbox_and_day integer, per_client_and_day integer, per_network_and_day integer, per_hour integer)
language sql immutable
set search_path = ''
as $$ values (3, 5, 20, 60) $$;

drop index private.email_outbox_acknowledged;
drop index private.email_outbox_request_acknowledged;
create index email_outbox_mailbox on private.email_outbox (private.mailbox_key(recipient), created_at)
  where kind in ('acknowledgement', 'request-acknowledgement');
create index email_outbox_acknowledged on private.email_outbox (created_at)
  where kind in ('acknowledgement', 'request-acknowledgement');

-- Adds one to a count that lasts 24 hours, beside the limits of posts and as they are kept (migration "rate_limits"), and
-- tells the total.
create function private.count_acknowledgement(code text) returns integer
language sql
set search_path = ''
as $$
  insert into private.rate_limits as kept (key, hits, resets_at)
  values (code, 1, now() + interval '24 hours')
  on conflict (key) do update set
    hits = case when kept.resets_at <= now() then 1 else kept.hits + 1 end,
    resets_at = case when kept.resets_at <= now() then excluded.resets_at else kept.resets_at end
  returning kept.hits
$$;

-- Decides about the acknowledgement among the mails, and counts it if it may leave.
-- client_codes: {client, network}, HMACs of the web tier; without a client whoever calls is one and the same.
-- Returns null when it may, else what has had enough: 'mailbox', 'client' or 'site'.
create function private.withhold_acknowledgement(mails jsonb, client_codes jsonb, per_hour integer) returns text
language plpgsql
set search_path = ''
as $$
declare
  limits record;
  mailbox text := (
    select private.mailbox_key(mail ->> 'recipient') from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' in ('acknowledgement', 'request-acknowledgement')
    limit 1
  );
  client text := coalesce(client_codes ->> 'client', repeat('-', 43));
  network text := client_codes ->> 'network';
  -- 0 turns the limit off.
  most_per_hour integer;
begin
  select * into limits from private.acknowledgement_limits();
  most_per_hour := coalesce(per_hour, limits.per_hour);
  -- One at a time, so that what is counted below is true however many come at once. No other turn is waited for after it.
  perform pg_advisory_xact_lock(hashtextextended('acknowledgements', 0));

  if limits.per_mailbox_and_day <= (
    select count(*) from private.email_outbox as earlier
    where earlier.kind in ('acknowledgement', 'request-acknowledgement')
      and private.mailbox_key(earlier.recipient) = mailbox
      and earlier.created_at > now() - interval '24 hours'
  ) then
    return 'mailbox';
  end if;
  if exists (
    select from private.rate_limits as kept
    where kept.resets_at > now() and (
      (kept.key = client and kept.hits >= limits.per_client_and_day)
      or (kept.key = network and kept.hits >= limits.per_network_and_day)
    )
  ) then
    return 'client';
  end if;
  if most_per_hour > 0 and most_per_hour <= (
    select count(*) from private.email_outbox as earlier
    where earlier.kind in ('acknowledgement', 'request-acknowledgement')
      and earlier.created_at > now() - interval '1 hour'
  ) then
    return 'site';
  end if;

  perform private.count_acknowledgement(code)
  from (select code from unnest(array[client, network]) as code where code is not null order by code) as codes;
  return null;
end;
$$;

revoke all on function
  private.mailbox_key(text), private.acknowledgement_limits(), private.count_acknowledgement(text),
  private.withhold_acknowledgement(jsonb, jsonb, integer)
  from public, anon, authenticated, service_role;

-- Whoever reads the request sees in its log that nobody was sent its links.
alter table public.data_rights_events drop constraint data_rights_events_action_check;
alter table public.data_rights_events add constraint data_rights_events_action_check check (action in (
  'received', 'confirmation-withheld', 'confirmed', 'confirmation-resent', 'taken-up', 'noted', 'extended', 'exported',
  'restricted', 'restriction-lifted', 'completed', 'refused', 'withdrawn'
));

-- The functions that receive know two things more. Callers that do not are served as before, as one client.
drop function public.receive_contact_delivery(text, jsonb, text, text, jsonb);
drop function public.receive_contact_submission(jsonb, text, text, jsonb);
drop function public.receive_data_rights_request(jsonb, text, text, text, jsonb);

create function public.receive_contact_submission(
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
    (id, name, email, company, stage, goal, message, ip_address, quarantine_reason)
  values (
    new_id,
    submission ->> 'name',
    submission ->> 'email',
    submission ->> 'company',
    submission ->> 'stage',
    submission ->> 'goal',
    submission ->> 'message',
    submission ->> 'ip_address',
    receive_contact_submission.quarantine_reason
  );

  if receive_contact_submission.quarantine_reason is null then
    withheld := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, mail ->> 'kind', mail ->> 'recipient', mail ->> 'reply_to', mail ->> 'subject',
      (mail ->> 'body') || coalesce(mail -> 'if_withheld' ->> withheld, '')
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' <> 'acknowledgement' or withheld is null;
  end if;

  return query select new_id, true;
end;
$$;

comment on function public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer) is
  'Stores a submission once a day and fingerprint, and queues its mails unless it is quarantined. '
  'mails: [{kind, recipient, reply_to, subject, body, if_withheld}]; if_withheld: {mailbox, client, site}, of which the '
  'one that applies is added to the body when the acknowledgement does not leave. client_codes: {client, network}. '
  'Raises 23514 or 23502 for a text that is too long or missing.';

create function public.receive_contact_delivery(
  delivery_key text,
  submission jsonb,
  fingerprint text,
  quarantine_reason text,
  mails jsonb,
  client_codes jsonb default '{}',
  acknowledgements_per_hour integer default null
) returns boolean
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  is_new boolean;
begin
  -- Of two deliveries at once the second waits here for the end of the first, and counts only if that failed.
  insert into private.contact_deliveries (delivery_key)
  values (receive_contact_delivery.delivery_key)
  on conflict (delivery_key) do nothing;
  if not found then
    return false;
  end if;

  select kept.is_new into strict is_new
  from public.receive_contact_submission(
    receive_contact_delivery.submission,
    receive_contact_delivery.fingerprint,
    receive_contact_delivery.quarantine_reason,
    receive_contact_delivery.mails,
    receive_contact_delivery.client_codes,
    receive_contact_delivery.acknowledgements_per_hour
  ) as kept;

  -- As long as a submission is kept, which no web server waits.
  delete from private.contact_deliveries as old
  where old.delivery_key in (
    select past.delivery_key from private.contact_deliveries as past
    where past.received_at < now() - private.retention_period('contact_submissions')
    order by past.received_at limit 100 for update skip locked
  );
  return is_new;
end;
$$;

comment on function public.receive_contact_delivery(text, jsonb, text, text, jsonb, jsonb, integer) is
  'Stores a submission once, however often and however late it is delivered; else as receive_contact_submission. Returns '
  'whether it is new. Raises 23514 for a malformed key, and what receive_contact_submission raises: then nothing is kept.';

create function public.receive_data_rights_request(
  request jsonb,
  confirm_token_hash text,
  status_token_hash text,
  quarantine_reason text,
  mails jsonb,
  client_codes jsonb default '{}',
  acknowledgements_per_hour integer default null
) returns table (reference text, is_new boolean)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  person text := private.subject_key(receive_data_rights_request.request ->> 'email');
  received public.data_rights_requests;
  withheld text;
  mail jsonb;
begin
  -- Requests for one address take turns, so that what is compared below is true however many come at once.
  perform pg_advisory_xact_lock(hashtextextended(person, 0));

  -- A double click or a reload. It can keep nobody's own request out: whoever sent the first, its links went to the
  -- same address, and it says the same in every word.
  select * into received
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = person
    and earlier.request_type = receive_data_rights_request.request ->> 'request_type'
    and earlier.name = receive_data_rights_request.request ->> 'name'
    and earlier.description = receive_data_rights_request.request ->> 'description'
    and earlier.quarantine_reason is not distinct from receive_data_rights_request.quarantine_reason
    and earlier.state = 'unconfirmed'
    and earlier.received_at > now() - interval '10 minutes'
  limit 1;
  if found then
    return query select received.reference, false;
    return;
  end if;

  loop
    insert into public.data_rights_requests
      (reference, request_type, name, email, description, due_on, quarantine_reason)
    values (
      private.new_request_reference(),
      receive_data_rights_request.request ->> 'request_type',
      receive_data_rights_request.request ->> 'name',
      receive_data_rights_request.request ->> 'email',
      receive_data_rights_request.request ->> 'description',
      private.data_rights_due_on((now() at time zone 'UTC')::date),
      receive_data_rights_request.quarantine_reason
    )
    on conflict (reference) do nothing
    returning * into received;
    exit when found;
  end loop;
  perform private.record_request_event(received.id, 'requester', 'received', null);

  -- What is quarantined sends no mail, so nobody could have its links.
  if receive_data_rights_request.quarantine_reason is null then
    withheld := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
    if withheld is null then
      insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
      values
        (confirm_token_hash, received.id, 'confirm', now() + private.confirmation_lifetime()),
        (status_token_hash, received.id, 'status', null);
    else
      -- Nobody is sent its links either. An admin may send some (resend_confirmation).
      perform private.record_request_event(received.id, 'system', 'confirmation-withheld', null);
    end if;
    for mail in select jsonb_array_elements(mails) loop
      continue when mail ->> 'kind' = 'request-acknowledgement' and withheld is not null;
      perform private.queue_request_mail(
        received, mail ->> 'kind', mail ->> 'recipient',
        mail || jsonb_build_object('body', (mail ->> 'body') || coalesce(mail -> 'if_withheld' ->> withheld, '')), false
      );
    end loop;
  end if;

  return query select received.reference, true;
end;
$$;

comment on function public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer) is
  'Stores a request, its links by the SHA-256 of their tokens, and queues its mails unless it is quarantined. '
  'request: {request_type, name, email, description}; mails: [{kind, recipient, subject, body, if_withheld}] with '
  '{{reference}} and {{due_on}} to be filled; if_withheld and client_codes as for receive_contact_submission. The very '
  'same request within ten minutes is one. Raises 23514 or 23502 for a text that is too long or missing, 22023 for a mail '
  'without subject or body.';

revoke all on function
  public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer),
  public.receive_contact_delivery(text, jsonb, text, text, jsonb, jsonb, integer),
  public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer)
  from public, anon, authenticated, service_role;
grant execute on function
  public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer),
  public.receive_contact_delivery(text, jsonb, text, text, jsonb, jsonb, integer),
  public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer)
  to service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122000100' $$;
-- migration 20261122000150_link_lifetime
-- A status link used to live as long as its request, up to three years after closing, and whoever finds an old mail can
-- open it. Now it ends a while after there is nothing more to see. What the privacy policy promises besides is kept here,
-- too: a code that stands for a client is gone with its count.

-- As before, and how long a status link works.
create or replace function private.retention_periods() returns table (kind text, period interval)
language sql immutable
set search_path = ''
as $$
  values
    -- Spec, section 9.
    ('contact_submissions', interval '2 years'),
    ('consents', interval '2 years'),
    -- A consent that was withdrawn ends sooner, but not at once: until then the record keeps a copy of the earlier
    -- consent that arrives late from counting, and the withdrawal can be shown to whoever asks.
    ('withdrawn_consents', interval '30 days'),
    -- After they were closed: claims can be made for that long.
    ('closed_requests', interval '3 years'),
    -- After their request was closed.
    ('status_links', interval '90 days'),
    -- After they were due. Until then an admin may still help somebody whose mail was lost.
    ('unconfirmed_requests', interval '30 days'),
    -- After delivery, or after it was given up.
    ('mails', interval '30 days'),
    ('receipts', interval '1 day'),
    -- What proves that all this was done: erasures, the log of what admins did, the runs below. It names no visitor.
    ('records', interval '3 years')
$$;

-- As before, but a link ends with the time of its request.
create or replace function private.find_linked_request(token text, purpose text) returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  -- 32 random bytes or more in base64url; nothing else is worth a digest.
  if token is null or token !~ '^[A-Za-z0-9_-]{43,128}$' then
    return null;
  end if;
  return (
    select link.request_id
    from private.data_rights_links as link
    join public.data_rights_requests as request on request.id = link.request_id
    where link.token_hash = private.digest(find_linked_request.token)
      and link.purpose = find_linked_request.purpose
      and link.used_at is null
      and (link.expires_at is null or link.expires_at > now())
      and (request.closed_at is null or request.closed_at > now() - private.retention_period('status_links'))
  );
end;
$$;

-- As before, with the links of requests that were closed long ago, and with counts that are past their time.
create or replace function public.keep_retention(source text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  counts jsonb := '{}';
  deleted integer;
  more integer;
begin
  -- Two runs at once take turns; the second finds nothing.
  perform pg_advisory_xact_lock(hashtextextended('keep_retention', 0));

  delete from public.contact_submissions as submission
  where submission.frozen_at is null and submission.created_at < now() - private.retention_period('contact_submissions');
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('submissions', deleted);

  perform set_config('private.erases_log', 'on', true);
  delete from public.data_rights_requests as request
  where request.frozen_at is null and (
    request.closed_at < now() - private.retention_period('closed_requests')
    or (
      request.state = 'unconfirmed'
      and request.due_on::timestamp at time zone 'UTC' < now() - private.retention_period('unconfirmed_requests')
    )
  );
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('requests', deleted);

  delete from public.admin_events as event where event.at < now() - private.retention_period('records');
  get diagnostics deleted = row_count;
  perform set_config('private.erases_log', 'off', true);
  delete from private.erasure_tombstones as tombstone where tombstone.erased_at < now() - private.retention_period('records');
  get diagnostics more = row_count;
  deleted := deleted + more;
  delete from private.retention_runs as run where run.ran_at < now() - private.retention_period('records');
  get diagnostics more = row_count;
  counts := counts || jsonb_build_object('records', deleted + more);

  delete from private.email_outbox as mail
  where coalesce(mail.delivered_at, mail.gave_up_at) < now() - private.retention_period('mails')
    and not private.is_frozen(mail);
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('mails', deleted);

  delete from private.contact_receipts as receipt where receipt.received_at < now() - private.retention_period('receipts');
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('receipts', deleted);

  delete from private.data_rights_links as link
  where link.expires_at < now() or link.request_id in (
    select request.id from public.data_rights_requests as request
    where request.frozen_at is null and request.closed_at < now() - private.retention_period('status_links')
  );
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('links', deleted);

  -- Counting deletes them by itself, but only while somebody is counted. Past what others hold: nobody waits for this.
  delete from private.rate_limits as expired
  where expired.key in (
    select old.key from private.rate_limits as old where old.resets_at <= now() for update skip locked
  );

  counts := counts || private.keep_consent_retention();
  insert into private.retention_runs (source, counts) values (keep_retention.source, counts);
  return counts;
end;
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122000150' $$;
-- migration 20261122000160_export_without_addresses
-- Anybody may type anybody's address into the contact form, so nothing proves that the internet address beside a message
-- is that of the person who asks for everything held about them. It is somebody else's data then: it stays here.
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
      select coalesce(jsonb_agg(to_jsonb(submission) - 'ip_address' order by submission.created_at, submission.id), '[]')
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
  'reference, email, submissions, requests: [{…, events}], mails, earlier_erasures}; says so in the log. Raises 42501 for '
  'others than admins, P0002 for an unknown request, 55000 for one that is unconfirmed, refused or withdrawn.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122000160' $$;
-- migration 20261122000200_admin_sessions
-- Signing out ends an admin's rights at once: an access token stays valid until it expires, but its session is gone.
-- The rest is as it was in 20261121000200_is_admin.sql.
create or replace function public.is_admin() returns boolean
language plpgsql stable security definer
set search_path = ''
as $$
declare
  has_second_factor boolean;
begin
  if not exists (
    select 1 from public.user_roles as held
    join auth.sessions as session on session.user_id = held.user_id
    where held.user_id = (select auth.uid()) and held.role = 'admin'
      and session.id = (select nullif(auth.jwt() ->> 'session_id', '')::uuid)
      and (session.not_after is null or session.not_after > now())
  ) then
    return false;
  end if;
  -- The embedded backend has no second factors, hence no such table, hence the dynamic query.
  if to_regclass('auth.mfa_factors') is null then
    return true;
  end if;
  execute 'select exists (select 1 from auth.mfa_factors where user_id = (select auth.uid()) and status = ''verified'')'
    into has_second_factor;
  -- Whoever has set up a second factor must have used it in this session: a stolen password alone is not enough.
  return not has_second_factor or coalesce(auth.jwt() ->> 'aal', '') = 'aal2';
end;
$$;

comment on function public.is_admin() is
  'Whether the caller is an admin in a session that lasts, with the second factor used where one is set up. False for everybody else.';

revoke all on function public.is_admin() from public, anon, authenticated, service_role;
grant execute on function public.is_admin() to authenticated, service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122000200' $$;
revoke all on function public.newest_migration() from public, anon, authenticated, service_role;
grant execute on function public.newest_migration() to anon;

comment on function public.newest_migration() is
  'The version of the newest migration of this product that has been applied, e.g. 20261122000200.';
