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
