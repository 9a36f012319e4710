-- State of a Supabase project before the first migration, as far as our migrations need it. The superuser runs this file
-- once per cluster, in the database "postgres". The migrations then run as the role postgres, which is no superuser.

create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit;
grant anon, authenticated, service_role to authenticator;

create role postgres login createdb createrole bypassrls;
grant anon, authenticated, service_role to postgres;
alter database postgres owner to postgres;

grant usage on schema public to anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on functions to anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on sequences to anon, authenticated, service_role;

-- Supabase Auth creates its tables in this schema when it starts.
create role supabase_auth_admin login noinherit createrole noreplication;
create schema auth authorization supabase_auth_admin;
alter role supabase_auth_admin set search_path = auth;
grant create on database postgres to supabase_auth_admin;
grant usage on schema auth to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_auth_admin in schema auth grant all on tables to postgres;
alter default privileges for role supabase_auth_admin in schema auth grant all on sequences to postgres;
alter default privileges for role supabase_auth_admin in schema auth grant all on functions to postgres;
