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
