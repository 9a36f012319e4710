-- Tells whoever keeps files beside this database (the embedded backend: mail files, and the list of erasures beside its backups)
-- that mails are gone or that somebody was erased, by whatever function. A hosted project has no listener, and no such files.
create function private.tell_what_is_gone() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if exists (select from changed) then
    perform pg_catalog.pg_notify('what_is_gone', '');
  end if;
  return null;
end;
$$;

revoke all on function private.tell_what_is_gone() from public, anon, authenticated, service_role;

create trigger tell_what_is_gone after delete on private.email_outbox
  referencing old table as changed for each statement execute function private.tell_what_is_gone();

create trigger tell_what_is_gone after insert on private.erasure_tombstones
  referencing new table as changed for each statement execute function private.tell_what_is_gone();

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126131000' $$;
