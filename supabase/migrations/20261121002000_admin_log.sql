-- Every function of the admin begins with this question.
create function private.require_admin() returns uuid
language plpgsql stable security definer
set search_path = ''
as $$
begin
  if not public.is_admin() then
    raise exception 'only admins may do this' using errcode = '42501';
  end if;
  return auth.uid();
end;
$$;

comment on function private.require_admin() is 'The caller''s id. Raises 42501 unless the caller is an admin.';

-- A log that can be edited proves nothing: this stops the owner's own scripts, too, which no grant does. Deleting must
-- remain possible for erasure and retention, whose functions say so for their own transaction:
--   perform pg_catalog.set_config('private.erases_log', 'on', true); delete …; and back to 'off'.
-- As with private.keep_consent_history, the setting guards against accidents; attackers have no right to delete.
create function private.keep_log() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and current_setting('private.erases_log', true) = 'on' then
    return old;
  end if;
  raise exception '% is only ever added to', tg_table_name using errcode = '42501';
end;
$$;

-- What admins did to messages: who, when and what, never whose. Without a reference to the message, because the entry
-- that tells of its deletion must outlive it.
create table public.admin_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor uuid not null,
  action text not null check (action ~ '^[a-z_-]{1,40}$'),
  submission_id uuid
);

alter table public.admin_events enable row level security;
revoke all on table public.admin_events from public, anon, authenticated, service_role;
revoke all on sequence public.admin_events_id_seq from public, anon, authenticated, service_role;
grant select on table public.admin_events to authenticated;

create policy "admins read what admins did" on public.admin_events
  for select to authenticated
  using ((select public.is_admin()));

create trigger keep_log before update or delete on public.admin_events
  for each row execute function private.keep_log();
create trigger keep_log_whole before truncate on public.admin_events
  for each statement execute function private.keep_log();

revoke all on function private.require_admin(), private.keep_log() from public, anon, authenticated, service_role;
