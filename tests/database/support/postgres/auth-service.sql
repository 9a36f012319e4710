-- Role and rights of the authentication service, as in a hosted project. The service creates its tables when it starts.

create role supabase_auth_admin login noinherit createrole noreplication;
alter schema auth owner to supabase_auth_admin;
alter role supabase_auth_admin set search_path = auth;
grant create on database postgres to supabase_auth_admin;
alter default privileges for role supabase_auth_admin in schema auth grant all on tables to postgres;
alter default privileges for role supabase_auth_admin in schema auth grant all on sequences to postgres;
alter default privileges for role supabase_auth_admin in schema auth grant all on functions to postgres;
