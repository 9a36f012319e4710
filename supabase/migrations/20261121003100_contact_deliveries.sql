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
