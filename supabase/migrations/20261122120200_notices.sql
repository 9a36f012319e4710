-- A mail to the firm that names a message only by its reference (MAIL_CONTENT=notice) says so: is_notice. In no other mail
-- is anything filled in, because visitors' own words stand there.
create function private.fill_reference(words text, mail jsonb, submission_id uuid) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when mail -> 'is_notice' = 'true' then
      replace(replace(words, '{{reference}}', left(submission_id::text, 8)), '{{id}}', submission_id::text)
    else words
  end
$$;
revoke all on function private.fill_reference(text, jsonb, uuid) from public, anon, authenticated, service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122120200' $$;
