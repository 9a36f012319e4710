-- Daily counts.

-- Daily counts: page views, where visitors came from, messages by the page that led to the form, decisions on the
-- cookie banner, and who joined and left the network. Sums only: no row describes a single visit, and of what visitors send only a host or a campaign name
-- is stored.
create table private.day_counts (
  -- A calendar day at the firm: TIME_ZONE of the site that counts.
  day date not null,
  kind text not null check (kind in ('view', 'robot', 'prefetch', 'referrer', 'campaign', 'message', 'banner', 'network')),
  -- A page's path, a host, a campaign or a decision. Names in parentheses are ours.
  name text not null check (name ~ '^(\(other\)|\(none\)|[a-z0-9/][a-z0-9/._-]{0,63})$'),
  number bigint not null check (number > 0),
  primary key (day, kind, name)
);

-- Counts an event of the network, for /admin/numbers. Callers count last: until they commit, no one else can.
create function private.count_network(name text) returns void
language sql
set search_path = ''
as $$
  insert into private.day_counts as existing (day, kind, name, number)
  values (private.today(), 'network', count_network.name, 1)
  on conflict (day, kind, name) do update set number = existing.number + 1
$$;

-- Ids of reports already added, so that a report resent after a lost response is not added twice.
create table private.count_reports (
  id uuid primary key,
  received_at timestamptz not null default now()
);

create index count_reports_received_at on private.count_reports (received_at);

-- Visitors could flood the counts: 200 invented referrers after midnight, and for a day everything else would be
-- "(other)". So names seen on earlier days take precedence, then those with the most arrivals, and a name that visitors
-- can choose is shown only from 3 arrivals on.
create function public.add_day_counts(report uuid, day date, counts jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  full_kinds text[];
begin
  -- Serializes reports, so that the ranking below is exact.
  perform pg_advisory_xact_lock(hashtextextended('day_counts', 0));
  insert into private.count_reports (id) values (report) on conflict do nothing;
  if not found then
    return;
  end if;

  insert into private.day_counts as existing (day, kind, name, number)
  select add_day_counts.day, kinds.kind, names.name, names.number::bigint
  from jsonb_each(add_day_counts.counts) as kinds(kind, names), jsonb_each_text(kinds.names) as names(name, number)
  on conflict (day, kind, name) do update set number = existing.number + excluded.number;

  -- The limit of app/lib/day-counts.ts, because visitors choose some of the names.
  full_kinds := array(
    select present.kind from private.day_counts as present
    where present.day = add_day_counts.day and present.name not in ('(other)', '(none)')
    group by present.kind having count(*) > 200
  );
  if full_kinds = '{}' then
    return;
  end if;
  with earlier as (
    select past.kind, past.name, count(*) as days
    from private.day_counts as past
    where past.day between add_day_counts.day - 30 and add_day_counts.day - 1 and past.kind = any(full_kinds)
    group by past.kind, past.name
  ),
  ranked as (
    select present.kind, present.name, row_number() over (
      partition by present.kind order by coalesce(earlier.days, 0) desc, present.number desc, present.name
    ) as rank
    from private.day_counts as present left join earlier on earlier.kind = present.kind and earlier.name = present.name
    where present.day = add_day_counts.day and present.kind = any(full_kinds)
      and present.name not in ('(other)', '(none)')
  ),
  dropped as (
    delete from private.day_counts as present using ranked
    where present.day = add_day_counts.day and present.kind = ranked.kind and present.name = ranked.name
      and ranked.rank > 200
    returning present.kind, present.number
  )
  insert into private.day_counts as existing (day, kind, name, number)
  select add_day_counts.day, dropped.kind, '(other)', sum(dropped.number) from dropped group by dropped.kind
  on conflict (day, kind, name) do update set number = existing.number + excluded.number;
end;
$$;

comment on function public.add_day_counts is
  'Adds {kind: {name: number}} to the counts of a day. A report whose id is known changes nothing. Each kind has up to '
  '200 names a day: those seen on the most earlier days, then those with the most arrivals. The rest is summed as '
  '(other). Raises 23514 for an invalid kind, name or number, and then adds nothing.';
revoke all on function public.add_day_counts from public, anon, authenticated, service_role;
grant execute on function public.add_day_counts to service_role;

create function public.read_day_counts(first_day date, last_day date, by_month boolean) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    with summed as (
      -- The network's counts are shown by name, all others by kind.
      select to_char(counted.day, case when by_month then 'YYYY-MM' else 'YYYY-MM-DD' end) as time, counted.kind,
        case when counted.kind = 'network' then counted.name end as name, sum(counted.number) as number
      from private.day_counts as counted
      where counted.day between first_day and last_day
      group by 1, 2, 3
    )
    select jsonb_build_object(
      'times', coalesce(jsonb_agg(to_jsonb(summed) - 'name' order by time, kind) filter (where kind <> 'network'), '[]'),
      'network', coalesce(jsonb_agg(to_jsonb(summed) - 'kind' order by time, name) filter (where kind = 'network'), '[]')
    )
    from summed
  ) || jsonb_build_object(
    'names', (
      select coalesce(jsonb_agg(to_jsonb(shown) order by shown.kind, shown.number desc, shown.name), '[]') from (
        select ranked.kind, case
            when ranked.rank <= 100 and (ranked.number >= 3 or ranked.kind not in ('referrer', 'campaign') or ranked.name = '(none)')
              then ranked.name
            else '(other)'
          end as name, sum(ranked.number) as number
        from (
          select counted.kind, counted.name, sum(counted.number) as number,
            row_number() over (partition by counted.kind order by sum(counted.number) desc, counted.name) as rank
          from private.day_counts as counted
          where counted.day between first_day and last_day and counted.kind <> 'network'
          group by counted.kind, counted.name
        ) as ranked
        group by 1, 2
      ) as shown
    )
  );
end;
$$;

comment on function public.read_day_counts is
  'Returns the counts of these days. times: sums by day, or by month (YYYY-MM) with by_month. names: the top 100 of '
  'each kind; referrers and campaigns from 3 arrivals on; the rest as (other). network: who asked, confirmed or left. '
  'Raises 42501 for non-admins.';
revoke all on function public.read_day_counts from public, anon, authenticated, service_role;
grant execute on function public.read_day_counts to authenticated;
