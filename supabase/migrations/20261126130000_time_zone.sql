-- The database knows TIME_ZONE. On an evening in New York it is already the next day in UTC, and a data rights request of that evening
-- was due a day late.
create table private.site_time_zone (
  is_only boolean primary key default true check (is_only),
  name text not null
);

alter table private.site_time_zone enable row level security;

revoke all on table private.site_time_zone from public, anon, authenticated, service_role;

create function private.time_zone() returns text
language sql stable
set search_path = ''
as $$ select coalesce((select zone.name from private.site_time_zone as zone), 'UTC') $$;

create function private.local_day(at timestamptz) returns date
language sql stable
set search_path = ''
as $$ select (at at time zone private.time_zone())::date $$;

create function private.today() returns date
language sql stable
set search_path = ''
as $$ select private.local_day(now()) $$;

-- Where clocks go forward at midnight, the day begins at 1:00.
create function private.start_of_day(day date) returns timestamptz
language sql stable
set search_path = ''
as $$ select day::timestamp at time zone private.time_zone() $$;

comment on function private.local_day(timestamptz) is 'The day that it was at the firm at that time.';
comment on function private.today() is 'The day that it is at the firm.';
comment on function private.start_of_day(date) is 'When that day begins at the firm.';

create function public.set_time_zone(name text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  -- PostgreSQL reads abbreviations as fixed offsets, without summer time.
  if name is null or (name <> 'UTC' and strpos(name, '/') = 0) then
    raise exception 'no name of a time zone' using errcode = '22023';
  end if;
  perform now() at time zone name;
  -- Called often, and the name rarely changes.
  if name = private.time_zone() then
    return;
  end if;
  insert into private.site_time_zone (name) values (set_time_zone.name)
  on conflict (is_only) do update set name = excluded.name;
end;
$$;

comment on function public.set_time_zone(text) is
  'Says where the firm is, as TIME_ZONE has it (an IANA name with an area, or UTC): its days are the days of every due date. Raises '
  '22023 for a name that is none.';

revoke all on function
  private.time_zone(), private.local_day(timestamptz), private.today(), private.start_of_day(date), public.set_time_zone(text)
from public, anon, authenticated, service_role;
grant execute on function public.set_time_zone(text) to service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126130000' $$;
