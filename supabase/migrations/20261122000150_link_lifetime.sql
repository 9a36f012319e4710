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
