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
