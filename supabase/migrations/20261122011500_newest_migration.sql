-- The version of the newest migration that this database has seen. Migrations are applied in order, so that says it all;
-- the CLI's own record of them cannot be read through the API. Every later migration defines this function anew.
create function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122011500' $$;

comment on function public.newest_migration() is
  'The version of the newest migration of this product that has been applied, e.g. 20261122000200.';
revoke all on function public.newest_migration() from public, anon, authenticated, service_role;
grant execute on function public.newest_migration() to anon;
