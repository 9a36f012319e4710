-- The one question every policy asks about a person. SECURITY DEFINER, because a signed-in user may not read the
-- factors of the authentication service.
create function public.is_admin() returns boolean
language plpgsql stable security definer
set search_path = ''
as $$
declare
  has_second_factor boolean;
begin
  if not exists (select 1 from public.user_roles where user_id = (select auth.uid()) and role = 'admin') then
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
  'Whether the caller is an admin, with the second factor used where one is set up. False for everybody else.';

revoke all on function public.is_admin() from public, anon, authenticated, service_role;
grant execute on function public.is_admin() to authenticated, service_role;
