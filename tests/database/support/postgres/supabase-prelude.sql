-- State of a hosted Supabase project before the first migration, as far as our migrations need it. The superuser
-- supabase_admin runs this file. The migrations then run as postgres, which is not a superuser on a hosted project
-- either.

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

create schema auth;
grant usage on schema auth to postgres, anon, authenticated, service_role;
alter default privileges in schema auth grant all on tables to postgres;
