-- What visitors wrote to the firm. The limits stand here a last time (REQUIREMENTS 3.1): whatever a caller forgets
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
  quarantine_reason text check (quarantine_reason ~ '^[a-z-]{1,40}$'),
  -- How far the firm is with it.
  state text not null default 'new' check (state in ('new', 'in_progress', 'done', 'spam')),
  -- Since when the sender has had the use of it restricted (GDPR, article 18): kept, but out of lists, exports and mail.
  frozen_at timestamptz
);

-- A person is known by the email address, however its letters are cased. Plain SQL without settings of its own, so
-- that it is inlined and the indexes on lower(btrim(email)) serve it.
create function private.subject_key(email text) returns text
language sql immutable
as $$ select pg_catalog.lower(pg_catalog.btrim(email)) $$;

comment on function private.subject_key(text) is 'What identifies a person across tables: the address, trimmed, in lower case.';
revoke all on function private.subject_key(text) from public, anon, authenticated, service_role;

-- Written out instead of calling the function: inserting needs EXECUTE on every function that an index calls.
create index contact_submissions_subject on public.contact_submissions (lower(btrim(email)));

-- The admin's list: newest first, in an order that stays the same when two came in the same instant. What is frozen is
-- in no list, and only an index that says so is taken while there are no statistics.
create index contact_submissions_newest_first on public.contact_submissions (created_at desc, id desc)
  where frozen_at is null;

-- Each folder of the inbox, newest first. What is quarantined is in no other folder, whatever its state.
create index contact_submissions_folder on public.contact_submissions (
  (case when quarantine_reason is null then state else 'quarantined' end), created_at desc, id desc
) where frozen_at is null;

alter table public.contact_submissions enable row level security;

revoke all on table public.contact_submissions from public, anon, authenticated, service_role;
grant select on table public.contact_submissions to authenticated;
grant select, insert, update, delete on table public.contact_submissions to service_role;

create policy "admins read submissions" on public.contact_submissions
  for select to authenticated
  using ((select public.is_admin()) and frozen_at is null);

-- One row for each different message of the last day: a double click or a reload is one submission.
create table private.contact_receipts (
  fingerprint text primary key check (char_length(fingerprint) between 32 and 128),
  -- Deferred: the receipt is written first, because it decides whether there is a submission to write.
  submission_id uuid not null references public.contact_submissions (id) on delete cascade
    deferrable initially deferred,
  received_at timestamptz not null default now()
);
create index contact_receipts_submission on private.contact_receipts (submission_id);

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

alter table private.contact_receipts enable row level security;
alter table private.submission_search enable row level security;
revoke all on table private.contact_receipts, private.submission_search from public, anon, authenticated, service_role;

-- Keeps the words of a message as they are searched.
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
