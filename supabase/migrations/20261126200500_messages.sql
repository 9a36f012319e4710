-- Contact messages: tables, search text, and the triggers that keep them consistent.

-- Messages from visitors to the firm. The CHECKs repeat the limits of REQUIREMENTS 3.1, so that no longer text is
-- stored even if a caller forgets to validate.
create table public.contact_submissions (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 1 and 255),
  company text not null check (char_length(company) between 1 and 200),
  stage text not null check (char_length(stage) between 1 and 100),
  goal text not null check (char_length(goal) between 1 and 200),
  message text not null check (char_length(message) between 1 and 5000),
  created_at timestamptz not null default now(),
  -- text, not inet: the address is only displayed, and one that PostgreSQL cannot parse must not lose a message.
  ip_address text check (char_length(ip_address) <= 45),
  -- The reason for quarantine: the message is held back from the mail. It stays readable, because autofill trips
  -- honeypots, too.
  quarantine_reason text check (quarantine_reason ~ '^[a-z-]{1,40}$'),
  -- How far the firm has processed the message.
  state text not null default 'new' check (state in ('new', 'in_progress', 'done', 'spam')),
  -- Start of a restriction (GDPR, article 18): the message is stored, but excluded from lists, exports and mail.
  frozen_at timestamptz,
  -- Proof of consent (GDPR, article 7(1)): when, under which version of the privacy policy, and next to which text. The
  -- text's SHA-256 names a file in app/content/consent-texts.
  consented_at timestamptz,
  consent_policy_version text check (consent_policy_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'),
  consent_text_hash text check (consent_text_hash ~ '^[0-9a-f]{64}$'),
  -- Deadline for the reply, from the promise in force when the message arrived.
  answer_due_at timestamptz not null,
  -- When the firm replied, or marked it as answered.
  answered_at timestamptz,
  -- The last reminder to the firm about the deadline.
  answer_notice text check (answer_notice in ('undelivered', 'due-soon', 'late')),
  -- The link "I have answered" in the firm's mails marks a message without a sign-in, and mail scanners occasionally
  -- trigger it. The inbox shows such messages until an admin has confirmed or undone the mark.
  marked_by_link_at timestamptz,
  -- Since when a reply counts as not delivered: its mailbox refused it, which reopened the message. Null again once the
  -- reply is sent again, or an admin settles the message otherwise.
  undelivered_at timestamptz,
  -- Increments with each change of a field that admins base decisions on (private.count_version).
  version integer not null default 0
);

-- The expression is spelled out instead of calling private.subject_key: an insert needs EXECUTE on every function that
-- an index calls.
create index contact_submissions_subject on public.contact_submissions (lower(btrim(email)));

-- The admin's list, newest first. The id keeps the order stable when two messages arrive at the same instant.
-- Restricted messages are in no list. Without statistics, the planner uses only an index whose predicate says so.
create index contact_submissions_newest_first on public.contact_submissions (created_at desc, id desc)
  where frozen_at is null;

-- Each folder of the inbox, newest first. Quarantined messages are in no other folder, regardless of state.
create index contact_submissions_folder on public.contact_submissions (
  (case when quarantine_reason is null then state else 'quarantined' end), created_at desc, id desc
) where frozen_at is null;
alter table public.contact_submissions enable row level security;
revoke all on table public.contact_submissions from public, anon, authenticated, service_role;

-- Messages whose use is not restricted (GDPR, article 18). All lists, mails, changes and deletions read this view instead
-- of the table, so a restricted message is in none of them. tests/database/schema/functions.test.ts names the functions
-- that read the table: they serve a person's rights, or store.
create view private.open_submissions as select * from public.contact_submissions where frozen_at is null;

-- Every view of the inbox counts the messages in each folder. This index covers those columns, so that six counts need
-- not read ten thousand rows.
create index contact_submissions_counts on public.contact_submissions (state, quarantine_reason) where frozen_at is null;

-- Messages that await a reply, the longest overdue first.
create index contact_submissions_waiting on public.contact_submissions (answer_due_at, id)
  where frozen_at is null and quarantine_reason is null and state in ('new', 'in_progress');

create index contact_submissions_waiting_newest_first on public.contact_submissions (created_at desc, id desc)
  where frozen_at is null and quarantine_reason is null and state in ('new', 'in_progress');

create index contact_submissions_marked_by_link on public.contact_submissions (marked_by_link_at desc, id)
  where marked_by_link_at is not null and frozen_at is null;

create index contact_submissions_undelivered on public.contact_submissions (created_at desc, id desc)
  where undelivered_at is not null and frozen_at is null;

create trigger count_version before update of state, quarantine_reason, frozen_at, name, email, company, stage, goal, message
  on public.contact_submissions for each row execute function private.count_version();

-- Returns the key that identifies a person across tables: the address, trimmed, in lower case. No SET clause, so that
-- PostgreSQL inlines it and can use the indexes on lower(btrim(email)).
create function private.subject_key(email text) returns text
language sql immutable
as $$ select pg_catalog.lower(pg_catalog.btrim(email)) $$;

-- Deduplicates messages for a day: a double click or a reload is one submission.
create table private.contact_receipts (
  fingerprint text primary key check (char_length(fingerprint) between 32 and 128),
  -- Deferred, because the receipt is written first: it decides whether there is a submission to insert.
  submission_id uuid not null references public.contact_submissions (id) on delete cascade
    deferrable initially deferred,
  received_at timestamptz not null default now(),
  -- Digest of the wish to join the network that came with the message, and when it last came.
  wish_digest text,
  wished_at timestamptz not null default now()
);

create index contact_receipts_submission on private.contact_receipts (submission_id);

-- Folds a text for searching: lower case, Latin letters without their marks, ß as ss.
create function private.fold_text(written text) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when octet_length(written) = char_length(written) then lower(written)
    else replace(translate(
      normalize(lower(written collate pg_catalog.pg_c_utf8), nfc),
      'àáâãäåçèéêëìíîïñòóôõöùúûüýÿāăąćĉċčďēĕėęěĝğġģĥĩīĭįĵķĺļľńņňōŏőŕŗřśŝşšţťũūŭůűųŵŷźżžơưǎǐǒǔǖǘǚǜǟǡǧǩǫǭǰǵǹǻ' ||
      'ȁȃȅȇȉȋȍȏȑȓȕȗșțȟȧȩȫȭȯȱȳḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕẖẗẘ' ||
      'ẙạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹđøłħıŧ',
      'aaaaaaceeeeiiiinooooouuuuyyaaaccccdeeeeegggghiiiijklllnnnooorrrssssttuuuuuuwyzzzouaiouuuuuaagkoojgna' ||
      'aaeeiioorruusthaeooooyabbbcdddddeeeeefghhhhhiikkkllllmmmnnnnoooopprrrrsssssttttuuuuuvvwwwwwxxyzzzhtw' ||
      'yaaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyydolhit'
    ), 'ß', 'ss')
  end
$$;

-- Splits a search into its words, folded as the texts are; null for none. Only the first 200 characters count. A phone
-- number is one word, its digits.
create function private.find_search_words(search text) returns text[]
language sql immutable
set search_path = ''
as $$
  select array_agg(case when word ~ '^[0-9 ().+/-]+$' and char_length(digits) >= 7 then digits else word end)
  from regexp_split_to_table(
    private.fold_text(btrim(left(search, 200))), case when search ~ '^[0-9 ().+/-]{7,}$' then '\n' else '\s+' end
  ) as word, lateral (select regexp_replace(word, '[^0-9]', '', 'g')) as phone (digits)
  where word <> ''
$$;

-- Returns the digits of the phone numbers in a text, a line each, however they are grouped.
create function private.list_phone_numbers(written text) returns text
language sql immutable
set search_path = ''
as $$
  select string_agg(regexp_replace(found[1], '[^0-9]', '', 'g'), e'\n')
  from regexp_matches(written, '[0-9(][0-9 ().+/-]{5,}[0-9]', 'g') as found
$$;

-- The folded text of each message, for substring search. A search for a rare word scans this whole table, so the
-- table holds nothing else, and lists of messages never read it. The text stays inline and uncompressed: decompressing
-- ten thousand messages would take longer than searching them.
create table private.submission_search (
  submission_id uuid primary key references public.contact_submissions (id) on delete cascade,
  created_at timestamptz not null,
  words text not null
) with (toast_tuple_target = 8160);

create index submission_search_newest_first on private.submission_search (created_at desc, submission_id desc);

create function private.index_submission() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.submission_search as search (submission_id, created_at, words)
  values (
    new.id,
    new.created_at,
    -- Search words hold no line break, so this separator keeps a word from matching across two fields.
    private.fold_text(concat_ws(
      e'\n', new.name, new.email, new.company, new.stage, new.goal, new.message, private.list_phone_numbers(new.message)
    ))
  )
  on conflict (submission_id) do update set created_at = excluded.created_at, words = excluded.words;
  return null;
end;
$$;

create trigger index_submission
  after insert or update of created_at, name, email, company, stage, goal, message on public.contact_submissions
  for each row execute function private.index_submission();

-- Defaults to the promise on the contact page (facts.ts; a test compares them).
create function private.set_answer_due() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.answer_due_at := coalesce(new.answer_due_at, new.created_at + interval '24 hours');
  return new;
end;
$$;

create trigger set_answer_due before insert on public.contact_submissions
  for each row execute function private.set_answer_due();

-- Checks the syntax alone, as the forms do: a dot in the domain, no doubled dot or dot at an edge, no IP address, an
-- international domain in its ASCII form. Null for null. The forms and edge functions reject an undeliverable address
-- (functions/_shared/email-address.ts). The database does the same for new rows only: stored addresses stay as they
-- are, and a CHECK would run again on every update.
create function private.is_email_address(address text) returns boolean
language sql immutable
set search_path = ''
as $$
  select address ~* ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
      || '@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$')
    and address !~ '@.*[^.]{64}' and address ~ '^[[:ascii:]]*$'
$$;

-- A move to a hosted project copies stored rows as they are and sets site.copies_rows
-- (supabase/embedded/operations/move).
create function private.check_email_address() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  -- The column rejects null. Surrounding spaces are not part of the address (private.subject_key).
  if coalesce(private.is_email_address(btrim(new.email)), true) or current_setting('site.copies_rows', true) = 'on' then
    return new;
  end if;
  raise exception 'mail cannot reach this address' using errcode = '23514';
end;
$$;

create trigger check_email_address before insert on public.contact_submissions
  for each row execute function private.check_email_address();
