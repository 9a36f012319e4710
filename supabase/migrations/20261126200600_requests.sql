-- Data rights requests: tables, deadlines, links and log.

-- Returns the due date of a request: the earlier of 30 days (the site's promise; REQUIREMENTS 5.4) and one calendar
-- month (GDPR, article 12(3)). PostgreSQL ends a month on the last day of a shorter month, as the law does.
create function private.data_rights_due_on(received_on date) returns date
language sql immutable
as $$ select least(received_on + 30, (received_on + interval '1 month')::date) $$;

-- Returns the latest due date after an extension: the earlier of 90 days and three calendar months, both from receipt.
create function private.data_rights_extended_to(received_on date) returns date
language sql immutable
as $$ select least(received_on + 90, (received_on + interval '3 months')::date) $$;

-- Returns a reference of eight unambiguous characters: DR-7K2M-9QXW. It identifies a request but grants no access.
create function private.new_request_reference() returns text
language sql volatile
set search_path = ''
as $$
  select 'DR-' || string_agg(
    substr('23456789ABCDEFGHJKMNPQRSTVWXYZ', get_byte(bytes, place) % 30 + 1, 1) || case place when 3 then '-' else '' end,
    '' order by place
  )
  -- The first eight bytes of the digest, because not all bytes of a UUID are random.
  from (select sha256(uuid_send(gen_random_uuid())) as bytes) as random, generate_series(0, 7) as place
$$;

-- Data rights requests. A request moves along these transitions and no others:
--
--   from                | to           | by                        | needs
--   --------------------|--------------|---------------------------|------------------------------------
--   (nothing)           | unconfirmed  | any visitor, by the form  |
--   (nothing)           | open         | any visitor, a complaint  |
--   (nothing)           | open         | an admin who enters it    | the person identified
--   unconfirmed         | open         | holder of the email       | the link in it, once, until the due day
--   open                | in_progress  | an admin                  |
--   open, in_progress   | completed    | an admin                  | a mail to the requester
--   unconfirmed, open,  | refused      | an admin                  | a reason, a mail to the requester
--   in_progress         |              |                           |
--   unconfirmed, open,  | withdrawn    | holder of the email       | the status link in it
--   in_progress         |              |                           |
--   open, in_progress   | (erased)     | an admin, with all data   | erasure, objection or other; a last mail
--   completed, refused  | in_progress  | a mailbox                 | that refuses the mail; unconfirmed if it was
--   unconfirmed         | (deleted)    | retention                 | 30 days after it was due
--   completed, refused, | (deleted)    | retention                 | three years after it was closed
--   withdrawn           |              |                           |
--
-- An unconfirmed request proves nothing about its author, so no data is disclosed, changed or erased for it. An admin
-- may resend its confirmation.
--
-- A tripped honeypot never drops a request: browsers fill in hidden fields, too, and the statutory clock runs from the
-- day of arrival. quarantine_reason only states why a request looks suspicious. Until it is confirmed, the request is
-- in the folder "quarantined" as well as in those of its state. Its links are sent within the mail limits like any
-- others.
--
-- A complaint is about how the firm handles personal data (Data Protection Act 2018 of the United Kingdom, section
-- 164A, in force since 19 June 2026: make complaints easy, acknowledge them within 30 days, investigate, report the
-- outcome). It is stored among the requests, with the same log, links, reminders, mail and retention, and a 30-day
-- deadline of its own. It is open immediately: hearing a complaint discloses nothing, so it needs no confirmation link.
-- It therefore proves nothing about its author, and no data is disclosed, changed, restricted or erased for it. It
-- cannot be refused or extended: it ends with its outcome or is withdrawn.
create table public.data_rights_requests (
  id uuid primary key default gen_random_uuid(),
  reference text not null unique check (reference ~ '^DR-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$'),
  request_type text not null check (request_type in (
    'access', 'rectification', 'erasure', 'portability', 'restrict', 'object', 'other', 'complaint'
  )),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 1 and 255),
  description text not null check (char_length(description) between 1 and 5000),
  state text not null default 'unconfirmed'
    check (state in ('unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn')),
  received_at timestamptz not null default now(),
  -- A calendar day; an extension moves it once.
  due_on date not null,
  extended_at timestamptz,
  extension_reason text check (char_length(extension_reason) between 1 and 2000),
  confirmed_at timestamptz,
  closed_at timestamptz,
  -- Start of a restriction of this person's data. This request is part of that data.
  frozen_at timestamptz,
  quarantine_reason text check (quarantine_reason ~ '^[a-z-]{1,40}$'),
  -- The last of these mails that was queued.
  last_reminder text check (last_reminder in ('unconfirmed', 'confirmed', 'due-in-7-days', 'due-in-2-days')),
  -- When it was queued, or, for the mail to the requester, when a mail limit last withheld it.
  last_reminder_at timestamptz,
  -- Set on all frozen requests of a person together, because the restriction applies to the person.
  restriction_ends_on date,
  -- Since when a reply counts as not delivered; see contact_submissions.
  undelivered_at timestamptz,
  -- Address that an admin corrected: mail goes there. The address in email stays, because it identifies the person.
  mail_to text check (private.is_email_address(mail_to) and char_length(mail_to) <= 255),
  -- Increments with each change of a field that admins base decisions on (private.count_version).
  version integer not null default 0,
  check ((extended_at is null) = (extension_reason is null)),
  check ((closed_at is null) = (state in ('unconfirmed', 'open', 'in_progress'))),
  check (state <> 'unconfirmed' or confirmed_at is null),
  -- A complaint needs no confirmation.
  check (state not in ('open', 'in_progress', 'completed') or confirmed_at is not null or request_type = 'complaint'),
  constraint data_rights_requests_restriction_check check (restriction_ends_on is null or frozen_at is not null),
  constraint data_rights_requests_complaint_check check (
    request_type <> 'complaint'
    or (state not in ('unconfirmed', 'refused') and confirmed_at is null and extended_at is null)
  )
);

create index data_rights_requests_subject on public.data_rights_requests (lower(btrim(email)));
alter table public.data_rights_requests enable row level security;
revoke all on table public.data_rights_requests from public, anon, authenticated, service_role;

-- Requests whose use is not restricted, as private.open_submissions. Work on a restricted one continues, because that duty
-- is not restricted: only lists of other folders, and retention, leave it out.
create view private.open_requests as select * from public.data_rights_requests where frozen_at is null;

create index data_rights_requests_waiting on public.data_rights_requests (due_on) where closed_at is null;

create trigger check_email_address before insert on public.data_rights_requests
  for each row execute function private.check_email_address();

create trigger count_version before update of state, due_on, quarantine_reason, frozen_at, restriction_ends_on
  on public.data_rights_requests for each row execute function private.count_version();

-- The secret links of a request. Only digests are stored, so read access to this table is not enough to open a link.
create table private.data_rights_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  request_id uuid not null references public.data_rights_requests (id) on delete cascade,
  purpose text not null check (purpose in ('confirm', 'status', 'package')),
  -- A status link has no expiry of its own: it stops working 90 days after its request was closed
  -- (private.retention_periods).
  expires_at timestamptz check ((purpose = 'status') = (expires_at is null)),
  used_at timestamptz,
  unique (request_id, purpose)
);

-- The log of a request: who did what, when and why.
create table public.data_rights_events (
  id bigint generated always as identity primary key,
  request_id uuid not null references public.data_rights_requests (id) on delete cascade,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('requester', 'admin', 'system')),
  actor uuid check ((actor_kind = 'admin') = (actor is not null)),
  action text not null check (action in (
    'received', 'entered', 'confirmation-withheld', 'confirmed', 'confirmation-resent', 'confirmation-hurried',
    'acknowledgement-resent', 'taken-up',
    'noted', 'extended', 'exported', 'corrected', 'restricted', 'restriction-ending', 'restriction-kept', 'restriction-lifted',
    'handed-over', 'package-link-sent', 'fetched', 'completed', 'refused', 'withdrawn', 'undelivered', 'address-corrected',
    'answer-resent'
  )),
  note text check (char_length(note) between 1 and 2000)
);

create index data_rights_events_request on public.data_rights_events (request_id, id);
alter table public.data_rights_events enable row level security;
revoke all on table public.data_rights_events from public, anon, authenticated, service_role;
revoke all on sequence public.data_rights_events_id_seq from public, anon, authenticated, service_role;

create trigger keep_log before update or delete or truncate on public.data_rights_events
  for each statement execute function private.keep_log();

-- All that remains of a person after erasure: the fact, the time, the admin and the counts. For a person who names the
-- address, the digest settles the question "did you erase me?".
create table private.erasure_tombstones (
  id uuid primary key default gen_random_uuid(),
  reference text not null,
  -- Salted; see private.salted_digest.
  email_hash text not null check (email_hash ~ '^[0-9a-f]{96}$'),
  counts jsonb not null,
  erased_at timestamptz not null default now(),
  erased_by uuid not null,
  -- Other places where the admin erased the data manually, or third parties the admin notified (GDPR, articles 17 and
  -- 19): part of the proof.
  elsewhere text[] not null default '{}'
    check (private.is_choice(elsewhere, array['mailbox', 'exports', 'advisers', 'google']))
);

-- SHA-256 in hexadecimal, of a token or an address.
create function private.digest(secret text) returns text
language sql immutable
set search_path = ''
as $$ select encode(sha256(convert_to(secret, 'UTF8')), 'hex') $$;

-- Adds an entry to a request's log. For actor_kind admin, the actor is the caller.
create function private.record_request_event(request_id uuid, actor_kind text, action text, note text) returns void
language sql volatile
set search_path = ''
as $$
  insert into public.data_rights_events (request_id, actor_kind, actor, action, note)
  values (request_id, actor_kind, case when actor_kind = 'admin' then auth.uid() end, action, note)
$$;

-- The last day of a confirmation link is the request's due date. An admin who resends it late leaves three days.
create function private.confirm_by(due_on date) returns date
language sql stable
as $$ select greatest(due_on, private.today() + 3) $$;

create function private.confirmation_ends_at(due_on date) returns timestamptz
language sql stable
set search_path = ''
as $$ select private.start_of_day(private.confirm_by(due_on) + 1) $$;

-- Replaces the links of a request, given the SHA-256 of their tokens. Only an unconfirmed one has a link to confirm.
create function private.replace_links(
  request public.data_rights_requests, status_token_hash text, confirm_token_hash text
) returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from private.data_rights_links as link where link.request_id = request.id;
  insert into private.data_rights_links (token_hash, request_id, purpose) values (status_token_hash, request.id, 'status');
  if request.state = 'unconfirmed' then
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    values (confirm_token_hash, request.id, 'confirm', private.confirmation_ends_at(request.due_on));
  end if;
end;
$$;

-- People download their data themselves: for seven days after an admin releases it, the status link offers to email a
-- second link, and only that one opens the data. So a forwarded status link reveals nothing of it.

-- A snapshot of the data at release. Retention deletes it after the seven days.
create table private.data_packages (
  request_id uuid primary key references public.data_rights_requests (id) on delete cascade,
  content jsonb not null,
  available_until timestamptz not null default now() + interval '7 days',
  -- When the person requested the second link; null once it has been sent.
  link_wanted_at timestamptz
);

-- Notifies the listener that keeps files next to this database (the embedded backend: mail files, and the list of
-- erasures with its backups) when any function has deleted mails or erased a person. A hosted project has no listener
-- and no such files.
create function private.tell_what_is_gone() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if exists (select from changed) then
    perform pg_catalog.pg_notify('what_is_gone', '');
  end if;
  return null;
end;
$$;

create trigger tell_what_is_gone after insert on private.erasure_tombstones
  referencing new table as changed for each statement execute function private.tell_what_is_gone();

-- A plain digest of an address or a name can be looked up in a precomputed table. Digests that are retained, in
-- tombstones and in the log of corrections, are therefore salted: 32 digits of salt, then the SHA-256 in hexadecimal of
-- the salt and the plain SHA-256. The list of erasures with the backups uses the same format.
create function private.salted_digest(digest text) returns text
language sql volatile
set search_path = ''
as $$
  select generated.salt || private.digest(generated.salt || salted_digest.digest)
  from (select replace(gen_random_uuid()::text, '-', '') as salt) as generated
$$;

create function private.is_salted_digest_of(salted text, digest text) returns boolean
language sql immutable
set search_path = ''
as $$ select substr(salted, 33) = private.digest(left(salted, 32) || is_salted_digest_of.digest) $$;

-- A trigger covers every insert of a tombstone: erase_subject, and a restore that repeats an erasure recorded by an
-- older release.
create function private.salt_tombstone() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if new.email_hash ~ '^[0-9a-f]{64}$' then
    new.email_hash := private.salted_digest(new.email_hash);
  end if;
  return new;
end;
$$;

create trigger salt_tombstone before insert on private.erasure_tombstones
  for each row execute function private.salt_tombstone();
