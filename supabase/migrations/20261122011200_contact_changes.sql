-- What an admin does with a message. Each of the public functions here raises 42501 for others than admins, P0002 for an
-- unknown message, 55000 for one that is frozen or that the change does not fit, and is logged in admin_events.

-- The message, locked. What is frozen may not be touched until the restriction is lifted.
create function private.lock_submission(submission_id uuid) returns public.contact_submissions
language plpgsql
set search_path = ''
as $$
declare
  submission public.contact_submissions;
begin
  select * into submission from public.contact_submissions as kept
  where kept.id = lock_submission.submission_id for update;
  if not found then
    raise exception 'there is no such message' using errcode = 'P0002';
  end if;
  if submission.frozen_at is not null then
    raise exception 'the use of this message is restricted' using errcode = '55000';
  end if;
  return submission;
end;
$$;

create function public.set_submission_state(submission_id uuid, state text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
begin
  if (private.lock_submission(submission_id)).quarantine_reason is not null then
    raise exception 'a message in quarantine is restored first' using errcode = '55000';
  end if;
  if set_submission_state.state is null or set_submission_state.state not in ('new', 'in_progress', 'done', 'spam') then
    raise exception 'there is no such state' using errcode = '22023';
  end if;
  update public.contact_submissions as submission
  set state = set_submission_state.state
  where submission.id = set_submission_state.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-' || set_submission_state.state, set_submission_state.submission_id);
end;
$$;

comment on function public.set_submission_state(uuid, text) is 'state: new, in_progress, done or spam; 22023 for another.';

-- It becomes a new message. No mail goes out: the admin has just read it, and days later an acknowledgement would puzzle.
create function public.restore_submission(submission_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
begin
  if (private.lock_submission(submission_id)).quarantine_reason is null then
    raise exception 'this message is not in quarantine' using errcode = '55000';
  end if;
  update public.contact_submissions as submission
  set quarantine_reason = null, state = 'new'
  where submission.id = restore_submission.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-restored', restore_submission.submission_id);
end;
$$;

comment on function public.restore_submission(uuid) is 'Takes a message out of quarantine; it becomes new, and sends no mail.';

-- Its receipt, its mail and its search words go with it.
create function public.delete_submission(submission_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
begin
  perform private.lock_submission(submission_id);
  delete from public.contact_submissions as submission where submission.id = delete_submission.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-deleted', delete_submission.submission_id);
end;
$$;

comment on function public.delete_submission(uuid) is 'Deletes a message and everything that hangs on it, for good.';

revoke all on function
  private.lock_submission(uuid),
  public.set_submission_state(uuid, text), public.restore_submission(uuid), public.delete_submission(uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.set_submission_state(uuid, text), public.restore_submission(uuid), public.delete_submission(uuid)
  to authenticated;
