-- Signing out ends an admin's rights at once: an access token stays valid until it expires, but its session is gone.
-- The rest is as it was in 20261121000200_is_admin.sql.
create or replace function public.is_admin() returns boolean
language plpgsql stable security definer
set search_path = ''
as $$
declare
  has_second_factor boolean;
begin
  if not exists (
    select 1 from public.user_roles as held
    join auth.sessions as session on session.user_id = held.user_id
    where held.user_id = (select auth.uid()) and held.role = 'admin'
      and session.id = (select nullif(auth.jwt() ->> 'session_id', '')::uuid)
      and (session.not_after is null or session.not_after > now())
  ) then
    return false;
  end if;
  -- The embedded backend has no second factors, hence no such table, hence the dynamic query.
  if to_regclass('auth.mfa_factors') is null then
    return true;
  end if;
  execute 'select exists (select 1 from auth.mfa_factors where user_id = (select auth.uid()) and status = ''verified'')'
    into has_second_factor;
  -- Whoever has set up a second factor must have used it in this session: a stolen password alone is not enough.
  return not has_second_factor or coalesce(auth.jwt() ->> 'aal', '') = 'aal2';
end;
$$;

comment on function public.is_admin() is
  'Whether the caller is an admin in a session that lasts, with the second factor used where one is set up. False for everybody else.';

revoke all on function public.is_admin() from public, anon, authenticated, service_role;
grant execute on function public.is_admin() to authenticated, service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122000200' $$;
revoke all on function public.newest_migration() from public, anon, authenticated, service_role;
grant execute on function public.newest_migration() to anon;

comment on function public.newest_migration() is
  'The version of the newest migration of this product that has been applied, e.g. 20261122000200.';
