-- The forms and edge functions refuse an address that no mail can reach (functions/_shared/email-address.ts). So does the
-- database, for rows that are new: stored addresses stay as they are, and a CHECK would ask again at every change of a row.
create function private.is_email_address(address text) returns boolean
language sql immutable
set search_path = ''
as $$
  select address ~* ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
      || '@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$')
    and address !~ '@.*[^.]{64}' and address ~ '^[[:ascii:]]*$'
$$;

comment on function private.is_email_address(text) is
  'Judges the form alone, as the forms do: a dot in the domain, none doubled or at an edge, no IP address, an international domain '
  'in its ASCII form. Null for null.';

-- A move to a hosted project copies what is stored, and says so (supabase/embedded/operations/move).
create function private.check_email_address() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  -- Null is refused by the column itself. Spaces around an address are no part of it (private.subject_key).
  if coalesce(private.is_email_address(btrim(new.email)), true) or current_setting('site.copies_rows', true) = 'on' then
    return new;
  end if;
  raise exception 'mail cannot reach this address' using errcode = '23514';
end;
$$;

create trigger check_email_address before insert on public.contact_submissions
  for each row execute function private.check_email_address();
create trigger check_email_address before insert on public.data_rights_requests
  for each row execute function private.check_email_address();

-- A link to a new password is for an account that is there, whatever its address.
create trigger check_email_address before insert on private.account_links
  for each row when (new.purpose = 'invitation') execute function private.check_email_address();

revoke all on function private.is_email_address(text), private.check_email_address()
  from public, anon, authenticated, service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126140000' $$;
