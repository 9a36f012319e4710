-- The last file closes the schema private. A later migration that adds to it ends with the same.

-- No role has usage on the schema, so nothing in it was reachable before either.
revoke all on all tables in schema private from public, anon, authenticated, service_role;
revoke all on all sequences in schema private from public, anon, authenticated, service_role;
revoke all on all functions in schema private from public, anon, authenticated, service_role;

-- Row security without policies shows no row, even to a role that somebody granted a right to.
do $$
declare
  closed regclass;
begin
  for closed in select oid from pg_class where relkind = 'r' and relnamespace = 'private'::regnamespace loop
    execute format('alter table %s enable row level security', closed);
  end loop;
end;
$$;
