-- Nothing is deleted that its person has asked to see, to take along or to have kept, until the request is answered: neither
-- by an admin nor by retention. (In the United Kingdom, destroying what was asked for is an offence: Data Protection Act
-- 2018, section 173.) Their own erasure goes first.
create function private.is_asked_for(email text) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select 1 from public.data_rights_requests as request
    where lower(btrim(request.email)) = private.subject_key(is_asked_for.email)
      and request.state in ('open', 'in_progress')
      and request.request_type in ('access', 'portability', 'restrict')
  )
$$;

-- Whether a mail is part of what somebody has asked for.
create function private.is_asked_for(mail private.email_outbox) returns boolean
language sql stable
set search_path = ''
as $$
  select private.is_asked_for(mail.recipient) or private.is_asked_for(mail.reply_to)
    or exists (
      select 1 from public.contact_submissions as submission
      where submission.id = mail.submission_id and private.is_asked_for(submission.email)
    )
    or exists (
      select 1 from public.data_rights_requests as request
      where request.id = mail.request_id and private.is_asked_for(request.email)
    )
$$;

revoke all on function private.is_asked_for(text), private.is_asked_for(private.email_outbox)
  from public, anon, authenticated, service_role;

-- As before, but refused while its sender has asked for it.
create or replace function public.delete_submission(submission_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
begin
  if private.is_asked_for((private.lock_submission(submission_id)).email) then
    raise exception 'this person has asked for their data' using errcode = '55006';
  end if;
  delete from public.contact_submissions as submission where submission.id = delete_submission.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-deleted', delete_submission.submission_id);
end;
$$;

comment on function public.delete_submission(uuid) is
  'Deletes a message and everything that hangs on it, for good. Raises 55006 while its sender has asked for their data.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122140150' $$;
