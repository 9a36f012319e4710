-- Shared objects: the private schema, the newest migration, and calendar days in the firm's time zone.

-- Holds objects that only functions touch. The API does not expose this schema, and no role has usage on it. The last file
-- revokes all rights on its objects.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;

-- Returns true when each element is one of the choices, none occurs twice, and the array has at most one dimension.
-- Callers with the publishable key alone send arrays of any shape: JSON arrays of arrays become two dimensions.
create function private.is_choice(chosen text[], choices text[]) returns boolean
language sql immutable
set search_path = ''
as $$
  select chosen <@ choices and coalesce(array_ndims(chosen), 1) = 1
    and cardinality(chosen) = (select count(distinct choice) from unnest(chosen) as choice)
$$;

-- /readyz calls this to detect a database that lacks a migration of the running build. `supabase db push` and the
-- embedded runner record each migration in the same table, which the API does not expose. plpgsql, because that table
-- need not exist when this function is created.
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

comment on function public.newest_migration is
  'Returns the version of the newest recorded migration (14 digits), or null when none is recorded. Raises 42P01 when '
  'the table of migrations does not exist.';
revoke all on function public.newest_migration from public, anon, authenticated, service_role;
grant execute on function public.newest_migration to anon;

-- Formats a day as the website does: "December 21, 2026". American English regardless of the server's locale: to_char
-- without the TM prefix always writes English month names.
create function private.day_in_words(day date) returns text
language sql stable
set search_path = ''
as $$ select to_char(day::timestamp, 'FMMonth FMDD, YYYY') $$;

-- Settings and facts of the site that mails name, so that the functions have them from the site alone. TIME_ZONE is one,
-- because deadlines are calendar days at the firm: on an evening in New York it is already the next day in UTC.
-- An embedded site writes them when it starts; for a hosted project the operator does, with `doctor --write-facts`.
create table private.site_facts (
  is_only boolean primary key default true check (is_only),
  facts jsonb not null
);

create function private.time_zone() returns text
language sql stable
set search_path = ''
as $$ select coalesce((select site.facts ->> 'TIME_ZONE' from private.site_facts as site), 'UTC') $$;

-- Returns the calendar day at the firm at that instant.
create function private.local_day(at timestamptz) returns date
language sql stable
set search_path = ''
as $$ select (at at time zone private.time_zone())::date $$;

-- Returns the current calendar day at the firm.
create function private.today() returns date
language sql stable
set search_path = ''
as $$ select private.local_day(now()) $$;

-- Returns the instant at which that day begins at the firm. In zones where clocks go forward at midnight, the day
-- begins at 1:00.
create function private.start_of_day(day date) returns timestamptz
language sql stable
set search_path = ''
as $$ select day::timestamp at time zone private.time_zone() $$;

-- Returns true for a moment within this span before now. A moment to come is none: the clock was wrong, and what happened
-- by it must not block anybody.
create function private.is_recent(at timestamptz, span interval) returns boolean
language sql stable
set search_path = ''
as $$ select at > now() - span and at <= now() + interval '1 minute' $$;

create function public.set_site_facts(facts jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  zone text := coalesce(facts ->> 'TIME_ZONE', 'UTC');
begin
  if jsonb_typeof(facts) is distinct from 'object' or exists (
    select from jsonb_each(facts) as fact
    where fact.key not in (
      'SITE_URL', 'FIRM_NAME', 'FOUNDER_NAME', 'MAIL_CONTENT', 'REPLY_WITHIN_HOURS', 'REPLY_DAYS', 'CLOSED_DAYS',
      'TIME_ZONE'
    ) or jsonb_typeof(fact.value) <> 'string' or char_length(fact.value #>> '{}') not between 1 and 1200
  ) then
    raise exception 'no facts of a site' using errcode = '22023';
  end if;
  -- PostgreSQL reads abbreviations as fixed offsets, without daylight saving time.
  if zone <> 'UTC' and strpos(zone, '/') = 0 then
    raise exception 'no name of a time zone' using errcode = '22023';
  end if;
  perform now() at time zone zone;
  insert into private.site_facts (facts) values (set_site_facts.facts)
  on conflict (is_only) do update set facts = excluded.facts;
end;
$$;

comment on function public.set_site_facts is
  'Replaces the settings and facts of the site that its functions read: texts by name, SITE_URL, FIRM_NAME, '
  'FOUNDER_NAME, MAIL_CONTENT, REPLY_WITHIN_HOURS, REPLY_DAYS, CLOSED_DAYS and TIME_ZONE (an IANA name with an area, or UTC), each '
  'optional. Every due date is a calendar day in TIME_ZONE. Raises 22023 for another name or an invalid value.';
revoke all on function public.set_site_facts from public, anon, authenticated, service_role;
grant execute on function public.set_site_facts to service_role;

create function public.read_site_facts() returns jsonb
language sql stable security definer
set search_path = ''
as $$ select site.facts from private.site_facts as site $$;

comment on function public.read_site_facts is 'Returns the facts of set_site_facts; null before the first.';
revoke all on function public.read_site_facts from public, anon, authenticated, service_role;
grant execute on function public.read_site_facts to service_role;
