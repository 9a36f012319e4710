-- Acknowledgements of messages and of data rights requests no longer use up each other's limits. The one of a request brings the links
-- without which nothing is done for its person, and three contact messages in a stranger's name kept it back for a day.
create or replace function private.withhold_acknowledgement(mails jsonb, client_codes jsonb, per_hour integer) returns text
language plpgsql
set search_path = ''
as $$
declare
  limits record;
  acknowledgement jsonb := (
    select mail from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' in ('acknowledgement', 'request-acknowledgement')
    limit 1
  );
  own_kind text := acknowledgement ->> 'kind';
  mailbox text := private.mailbox_key(acknowledgement ->> 'recipient');
  client text := private.acknowledgement_code(coalesce(client_codes ->> 'client', repeat('-', 43)), own_kind);
  network text := private.acknowledgement_code(client_codes ->> 'network', own_kind);
  -- 0 turns the limit off.
  most_per_hour integer;
begin
  select * into limits from private.acknowledgement_limits();
  most_per_hour := coalesce(per_hour, limits.per_hour);
  -- One at a time, so that what is counted below is true however many come at once. No other turn is waited for after it.
  perform pg_advisory_xact_lock(hashtextextended('acknowledgements', 0));

  if limits.per_mailbox_and_day <= (
    select count(*) from private.email_outbox as earlier
    -- Both conditions: the first is the index's, the second is known only when this runs.
    where earlier.kind in ('acknowledgement', 'request-acknowledgement') and earlier.kind = own_kind
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
    where earlier.kind in ('acknowledgement', 'request-acknowledgement') and earlier.kind = own_kind
      and earlier.created_at > now() - interval '1 hour'
  ) then
    return 'site';
  end if;

  perform private.count_acknowledgement(code)
  from (select code from unnest(array[client, network]) as code where code is not null order by code) as codes;
  return null;
end;
$$;

-- The key that counts a client's acknowledgements of one kind, in the form that all keys of rate_limits have. Those of messages keep the
-- code itself, so that what was counted before still counts.
create function private.acknowledgement_code(code text, kind text) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when kind = 'acknowledgement' then code
    else translate(rtrim(encode(sha256(convert_to(kind || code, 'UTF8')), 'base64'), '='), '+/', '-_')
  end
$$;

revoke all on function private.acknowledgement_code(text, text) from public, anon, authenticated, service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126160000' $$;
