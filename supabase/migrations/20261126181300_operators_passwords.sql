-- A password that the operator sets, by the command or by the setting ADMIN_PASSWORD, stands in the log at /admin/people. They say so for
-- their own transaction: select set_config('private.sets_password', 'operator', true).
create or replace function private.note_new_password() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.account_events (user_id, kind, is_mail_due) values (new.id, 'password-changed', true);
  if current_setting('private.sets_password', true) = 'operator' then
    insert into public.admin_events (action, person) values ('password-set', lower(new.email));
  end if;
  return null;
end;
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126181300' $$;
