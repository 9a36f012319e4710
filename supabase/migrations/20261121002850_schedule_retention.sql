-- Where the hosted database has pg_cron it keeps retention by itself, at a quiet hour; elsewhere the server's timer does.
-- An operator who adds pg_cron later calls this once: select private.schedule_retention();
create function private.schedule_retention() returns boolean
language plpgsql
set search_path = ''
as $$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  -- By its name, so that doing it twice is one schedule. Dynamic, because elsewhere there is no such function.
  execute $call$select cron.schedule('keep-retention', '17 3 * * *', 'select public.keep_retention(''pg_cron'')')$call$;
  return true;
end;
$$;

comment on function private.schedule_retention() is 'Whether there is pg_cron, which now runs keep_retention every day at 03:17 UTC.';
revoke all on function private.schedule_retention() from public, anon, authenticated, service_role;

do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_cron') then
    begin
      create extension if not exists pg_cron;
    exception when others then
      -- Installed on the machine, but not set up for this database: then the server's timer does it.
      raise notice 'pg_cron cannot be used here: %', sqlstate;
    end;
  end if;
  perform private.schedule_retention();
end;
$$;
