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

create function public.add_day_counts(report uuid, day date, counts jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
begin
  -- One at a time, so that no two give the last places of a day away.
  perform pg_advisory_xact_lock(hashtextextended('day_counts', 0));
  insert into private.count_reports (id) values (report) on conflict do nothing;
  if not found then
    return;
  end if;

  with sent as (
    select kinds.kind, names.name, names.number::bigint as number,
      names.name in ('(other)', '(none)') or exists (
        select from private.day_counts as there
        where there.day = add_day_counts.day and there.kind = kinds.kind and there.name = names.name
      ) as has_place
    from jsonb_each(add_day_counts.counts) as kinds(kind, names),
      jsonb_each_text(kinds.names) as names(name, number)
  ),
  ranked as (
    select kind, name, number, has_place,
      row_number() over (partition by kind, has_place order by number desc, name) as rank
    from sent
  ),
  placed as (
    select kind, number,
      case
        -- As many names as app/lib/day-counts.ts says: strangers choose some of them.
        when has_place or rank <= 200 - (
          select count(*) from private.day_counts as there
          where there.day = add_day_counts.day and there.kind = ranked.kind and there.name not in ('(other)', '(none)')
        ) then name
        else '(other)'
      end as name
    from ranked
  )
  insert into private.day_counts as kept (day, kind, name, number)
  select add_day_counts.day, kind, name, sum(number) from placed group by kind, name
  on conflict (day, kind, name) do update set number = kept.number + excluded.number;
end;
$$;

comment on function public.add_day_counts(uuid, date, jsonb) is
  'Adds {kind: {name: number}} to the counts of a day; a report whose number is known changes nothing. Of each kind a day has 200 '
  'names, the rest counts as (other). Raises 23514 for what is no kind, name or number of a count; then nothing is added.';
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
        select ranked.kind, case when ranked.rank <= 100 then ranked.name else '(other)' end as name, sum(ranked.number) as number
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
  'each kind the 100 names with the most, the rest as (other). Raises 42501 for others than admins.';
revoke all on function public.read_day_counts(date, date, boolean) from public, anon, authenticated, service_role;
grant execute on function public.read_day_counts(date, date, boolean) to authenticated;
