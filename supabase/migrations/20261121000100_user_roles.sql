-- Who may do what beyond visiting: one row a person and role.
create table public.user_roles (
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('admin')),
  granted_at timestamptz not null default now(),
  primary key (user_id, role)
);

alter table public.user_roles enable row level security;

-- A project's default privileges hand every new table to everybody: take all of it back, then give what is needed.
revoke all on table public.user_roles from public, anon, authenticated, service_role;
grant select on table public.user_roles to authenticated;
-- Only the function bootstrap-admin grants a role, with the secret key.
grant select, insert, update, delete on table public.user_roles to service_role;

-- Wrapped in a select, auth.uid() is asked once a query instead of once a row.
create policy "people read their own roles" on public.user_roles
  for select to authenticated
  using (user_id = (select auth.uid()));
