-- Shared by all themes: the private schema, the record of migrations, the days of the firm.

-- Objects that only functions touch. The API does not expose this schema, and no role may use it.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;

-- By this, /readyz finds a database that lacks a migration of its build. `supabase db push` and the embedded runner record each
-- migration in the same table; the API does not expose it. plpgsql, because that table need not exist when this is created.
create function public.newest_migration() returns text
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return (
    select max(version collate "C") from supabase_migrations.schema_migrations where version ~ '^[0-9]{14}$'
  );
end;
$$;

comment on function public.newest_migration() is
  'The version of the newest migration that is recorded here, 14 digits; null where none is. Raises 42P01 where no record is kept.';
revoke all on function public.newest_migration() from public, anon, authenticated, service_role;
grant execute on function public.newest_migration() to anon;

-- Mails name days as the website does: "December 21, 2026". American English whatever the server's language is: without TM, to_char
-- always names months in English.
create function private.day_in_words(day date) returns text
language sql stable
set search_path = ''
as $$ select to_char(day::timestamp, 'FMMonth FMDD, YYYY') $$;
revoke all on function private.day_in_words(date) from public, anon, authenticated, service_role;

-- The database knows TIME_ZONE: deadlines are days of the firm. On an evening in New York it is already the next day in UTC.
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
revoke all on function private.time_zone() from public, anon, authenticated, service_role;

create function private.local_day(at timestamptz) returns date
language sql stable
set search_path = ''
as $$ select (at at time zone private.time_zone())::date $$;

comment on function private.local_day(timestamptz) is 'The day that it was at the firm at that time.';
revoke all on function private.local_day(timestamptz) from public, anon, authenticated, service_role;

create function private.today() returns date
language sql stable
set search_path = ''
as $$ select private.local_day(now()) $$;

comment on function private.today() is 'The day that it is at the firm.';
revoke all on function private.today() from public, anon, authenticated, service_role;

-- Where clocks go forward at midnight, the day begins at 1:00.
create function private.start_of_day(day date) returns timestamptz
language sql stable
set search_path = ''
as $$ select day::timestamp at time zone private.time_zone() $$;

comment on function private.start_of_day(date) is 'When that day begins at the firm.';
revoke all on function private.start_of_day(date) from public, anon, authenticated, service_role;

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
revoke all on function public.set_time_zone(text) from public, anon, authenticated, service_role;
grant execute on function public.set_time_zone(text) to service_role;
