-- Calls that the site signs with SITE_KEY are as many as its limits allow. Everything else that has the publishable key is a stranger's: 20 an
-- hour for each function, from all strangers together. What they share is counted under keys that count_rate_limit_hits does not take, so
-- that no stranger can set such a count back, as they could that of callers without a client's code.
alter table private.rate_limits drop constraint rate_limits_key_check;
alter table private.rate_limits add constraint rate_limits_key_check
  check (key ~ '^([A-Za-z0-9_-]{43}|(no-client|unsigned):[a-z-]{1,40})$');

create or replace function public.count_rate_limit_hits(counted jsonb)
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
  if exists (select from jsonb_to_recordset(counted) as one(key text) where one.key !~ '^[A-Za-z0-9_-]{43}$') then
    raise exception 'a key is malformed' using errcode = '23514';
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
  client text := coalesce(private.acknowledgement_code(client_codes ->> 'client', own_kind), 'no-client:' || own_kind);
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

create function public.count_unsigned_call(function_name text) returns integer
language plpgsql security definer
set search_path = ''
as $$
declare
  most constant integer := 20;
  own_key constant text := 'unsigned:' || function_name;
  counted private.rate_limits;
begin
  -- Read first: in a flood no call waits for another's row.
  select * into counted from private.rate_limits as kept
  where kept.key = own_key and kept.resets_at > now() and kept.hits >= most;
  if not found then
    insert into private.rate_limits as kept (key, hits, resets_at)
    values (own_key, 1, now() + interval '1 hour')
    on conflict (key) do update set
      hits = case when kept.resets_at <= now() then 1 else kept.hits + 1 end,
      resets_at = case when kept.resets_at <= now() then excluded.resets_at else kept.resets_at end
    returning * into counted;
    if counted.hits <= most then
      return null;
    end if;
  end if;
  return greatest(1, ceil(extract(epoch from counted.resets_at - now())))::integer;
end;
$$;

comment on function public.count_unsigned_call(text) is
  'Counts a call of an edge function that the site did not sign. Returns null while there were at most 20 within the hour, else the '
  'seconds until there may be more.';
revoke all on function public.count_unsigned_call(text) from public, anon, authenticated, service_role;
grant execute on function public.count_unsigned_call(text) to service_role;

-- Through the function record-consent, which counts unsigned calls: called directly, it took any number of invented decisions.
revoke all on function public.record_consent(text, boolean, boolean, text, text, text, text, timestamptz)
  from anon, authenticated;
grant execute on function public.record_consent(text, boolean, boolean, text, text, text, text, timestamptz) to service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126183000' $$;
