-- Daily counts.

-- Numbers by the day: views of pages, where visitors came from, messages by the page that led to the form, answers to the
-- question about cookies. Sums only: no row is of a visit, and none of what a visitor sent is kept but a host or a campaign's name.
create table private.day_counts (
  -- The firm's own day: TIME_ZONE of the site that counts.
  day date not null,
  kind text not null check (kind in ('view', 'robot', 'prefetch', 'referrer', 'campaign', 'message', 'banner')),
  -- A page's path, a host, a campaign, an answer; in parentheses what has no name of its own.
  name text not null check (name ~ '^(\(other\)|\(none\)|[a-z0-9/][a-z0-9/._-]{0,63})$'),
  number bigint not null check (number > 0),
  primary key (day, kind, name)
);
alter table private.day_counts enable row level security;
revoke all on table private.day_counts from public, anon, authenticated, service_role;

-- The numbers of reports that were added: one that comes again, because its answer was lost, is not added twice.
create table private.count_reports (
  id uuid primary key,
  received_at timestamptz not null default now()
);

create index count_reports_received_at on private.count_reports (received_at);
alter table private.count_reports enable row level security;
revoke all on table private.count_reports from public, anon, authenticated, service_role;

-- Strangers could blind the counts: 200 invented referrers after midnight, and everything else would be "others" for a day. So names of
-- earlier days come first, then those with the most arrivals, and a name that strangers choose is shown from 3 arrivals on.
create function public.add_day_counts(report uuid, day date, counts jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  full_kinds text[];
begin
  -- One at a time, so that what is ranked below is true.
  perform pg_advisory_xact_lock(hashtextextended('day_counts', 0));
  insert into private.count_reports (id) values (report) on conflict do nothing;
  if not found then
    return;
  end if;

  insert into private.day_counts as kept (day, kind, name, number)
  select add_day_counts.day, kinds.kind, names.name, names.number::bigint
  from jsonb_each(add_day_counts.counts) as kinds(kind, names), jsonb_each_text(kinds.names) as names(name, number)
  on conflict (day, kind, name) do update set number = kept.number + excluded.number;

  -- As many names as app/lib/day-counts.ts says: strangers choose some of them.
  full_kinds := array(
    select there.kind from private.day_counts as there
    where there.day = add_day_counts.day and there.name not in ('(other)', '(none)')
    group by there.kind having count(*) > 200
  );
  if full_kinds = '{}' then
    return;
  end if;
  with earlier as (
    select before.kind, before.name, count(*) as days
    from private.day_counts as before
    where before.day between add_day_counts.day - 30 and add_day_counts.day - 1 and before.kind = any(full_kinds)
    group by before.kind, before.name
  ),
  ranked as (
    select there.kind, there.name, row_number() over (
      partition by there.kind order by coalesce(earlier.days, 0) desc, there.number desc, there.name
    ) as rank
    from private.day_counts as there left join earlier on earlier.kind = there.kind and earlier.name = there.name
    where there.day = add_day_counts.day and there.kind = any(full_kinds) and there.name not in ('(other)', '(none)')
  ),
  dropped as (
    delete from private.day_counts as there using ranked
    where there.day = add_day_counts.day and there.kind = ranked.kind and there.name = ranked.name and ranked.rank > 200
    returning there.kind, there.number
  )
  insert into private.day_counts as kept (day, kind, name, number)
  select add_day_counts.day, dropped.kind, '(other)', sum(dropped.number) from dropped group by dropped.kind
  on conflict (day, kind, name) do update set number = kept.number + excluded.number;
end;
$$;

comment on function public.add_day_counts(uuid, date, jsonb) is
  'Adds {kind: {name: number}} to the counts of a day; a report whose number is known changes nothing. Of each kind a day has 200 '
  'names: those of the most earlier days, then those with the most arrivals. The rest counts as (other). Raises 23514 for what is no kind, '
  'name or number of a count; then nothing is added.';
revoke all on function public.add_day_counts(uuid, date, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.add_day_counts(uuid, date, jsonb) to service_role;

create function public.read_day_counts(first_day date, last_day date, by_month boolean) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'times', (
      select coalesce(jsonb_agg(to_jsonb(summed)), '[]') from (
        select to_char(counted.day, case when by_month then 'YYYY-MM' else 'YYYY-MM-DD' end) as time, counted.kind,
          sum(counted.number) as number
        from private.day_counts as counted
        where counted.day between first_day and last_day
        group by 1, 2
        order by 1, 2
      ) as summed
    ),
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
          where counted.day between first_day and last_day
          group by counted.kind, counted.name
        ) as ranked
        group by 1, 2
      ) as shown
    )
  );
end;
$$;

comment on function public.read_day_counts(date, date, boolean) is
  'The counts of these days: {times: [{time (YYYY-MM-DD, or YYYY-MM where by_month), kind, number}], names: [{kind, name, number}]}; of '
  'each kind the 100 names with the most, referrers and campaigns from 3 arrivals on, the rest as (other). Raises 42501 for others than '
  'admins.';
revoke all on function public.read_day_counts(date, date, boolean) from public, anon, authenticated, service_role;
grant execute on function public.read_day_counts(date, date, boolean) to authenticated;
