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
