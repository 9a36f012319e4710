-- How often something was done of late, so that containers that share nothing else agree on limits. Keys are HMACs that
-- only the web tier can make: whoever calls the function with the public key cannot find anybody's count, let alone
-- raise it. Not logged for recovery: after a crash of the database counting begins anew, and no post waits for a disk.
create unlogged table private.rate_limits (
  key text primary key check (key ~ '^[A-Za-z0-9_-]{43}$'),
  hits integer not null check (hits <= 1000000),
  resets_at timestamptz not null
);
create index rate_limits_resets_at on private.rate_limits (resets_at);
alter table private.rate_limits enable row level security;
revoke all on table private.rate_limits from public, anon, authenticated, service_role;

-- Adds hits, or takes some back, and tells the totals of everybody. What the limits are is the web tier's business.
create function public.count_rate_limit_hits(counted jsonb)
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

comment on function public.count_rate_limit_hits(jsonb) is
  'counted: [{key, hits, seconds}], at most 200; hits may be negative. Returns {key, hits, seconds_left} for each that is '
  'counted; a new key is not while the table is full. Raises 22023 for anything but such an array, 23514 for a malformed key.';
revoke all on function public.count_rate_limit_hits(jsonb) from public, anon, authenticated, service_role;
grant execute on function public.count_rate_limit_hits(jsonb) to anon;

-- Anybody may type anybody's address into a form, so acknowledgements are few: to one mailbox, on behalf of one client,
-- and altogether. What is above is kept and shown to the firm like any other; only its acknowledgement does not leave.
-- The same numbers are in app/content/facts.ts, from where the policy and the settings take them.
create function private.acknowledgement_limits()
returns table (per_mailbox_and_day integer, per_client_and_day integer, per_network_and_day integer, per_hour integer)
language sql immutable
set search_path = ''
as $$ values (3, 5, 20, 60) $$;

-- Adds one to a count that lasts 24 hours, beside the limits of posts and as they are kept, and tells the total.
create function private.count_acknowledgement(code text) returns integer
language sql
set search_path = ''
as $$
  insert into private.rate_limits as kept (key, hits, resets_at)
  values (code, 1, now() + interval '24 hours')
  on conflict (key) do update set
    hits = case when kept.resets_at <= now() then 1 else kept.hits + 1 end,
    resets_at = case when kept.resets_at <= now() then excluded.resets_at else kept.resets_at end
  returning kept.hits
$$;

-- Decides about the acknowledgement among the mails, and counts it if it may leave.
-- client_codes: {client, network}, HMACs of the web tier; without a client whoever calls is one and the same.
-- Returns null when it may, else what has had enough: 'mailbox', 'client' or 'site'.
create function private.withhold_acknowledgement(mails jsonb, client_codes jsonb, per_hour integer) returns text
language plpgsql
set search_path = ''
as $$
declare
  limits record;
  mailbox text := (
    select private.mailbox_key(mail ->> 'recipient') from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' in ('acknowledgement', 'request-acknowledgement')
    limit 1
  );
  client text := coalesce(client_codes ->> 'client', repeat('-', 43));
  network text := client_codes ->> 'network';
  -- 0 turns the limit off.
  most_per_hour integer;
begin
  select * into limits from private.acknowledgement_limits();
  most_per_hour := coalesce(per_hour, limits.per_hour);
  -- One at a time, so that what is counted below is true however many come at once. No other turn is waited for after it.
  perform pg_advisory_xact_lock(hashtextextended('acknowledgements', 0));

  if limits.per_mailbox_and_day <= (
    select count(*) from private.email_outbox as earlier
    where earlier.kind in ('acknowledgement', 'request-acknowledgement')
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
    where earlier.kind in ('acknowledgement', 'request-acknowledgement')
      and earlier.created_at > now() - interval '1 hour'
  ) then
    return 'site';
  end if;

  perform private.count_acknowledgement(code)
  from (select code from unnest(array[client, network]) as code where code is not null order by code) as codes;
  return null;
end;
$$;

revoke all on function
  private.acknowledgement_limits(), private.count_acknowledgement(text),
  private.withhold_acknowledgement(jsonb, jsonb, integer)
  from public, anon, authenticated, service_role;
