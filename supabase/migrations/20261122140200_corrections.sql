-- Rectification (GDPR, article 16) changes what is stored: an admin corrects a field of a message for its sender. The log
-- keeps a digest of the old text, not the text: it was wrong, and the person wanted it gone.

alter table public.data_rights_events drop constraint data_rights_events_action_check;
alter table public.data_rights_events add constraint data_rights_events_action_check check (action in (
  'received', 'entered', 'confirmation-withheld', 'confirmed', 'confirmation-resent', 'taken-up', 'noted', 'extended', 'exported',
  'corrected', 'restricted', 'restriction-ending', 'restriction-kept', 'restriction-lifted', 'handed-over',
  'package-link-sent', 'fetched', 'completed', 'refused', 'withdrawn'
));

-- A request for it, worked on and asking for it, with the turn of its address taken.
create function private.lock_rectification(request_id uuid) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests := private.lock_subject(request_id, array['open', 'in_progress']);
begin
  perform private.require_type(request, array['rectification', 'other']);
  return request;
end;
$$;

-- With what is restricted: a correction is what the person asks for.
create function public.list_correctable_messages(request_id uuid) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_rectification(request_id);
  return (
    select coalesce(jsonb_agg(
      to_jsonb(submission) - array['email', 'ip_address', 'quarantine_reason', 'state', 'frozen_at']
      order by submission.created_at desc, submission.id
    ), '[]')
    from public.contact_submissions as submission
    where private.subject_key(submission.email) = private.subject_key(request.email)
  );
end;
$$;

comment on function public.list_correctable_messages(uuid) is
  'The messages of whoever made this request, newest first, with what may be corrected in them. Errors as correct_submission.';

-- The address stays: by it a person is known, and it was proved when the request was confirmed.
create function public.correct_submission(request_id uuid, submission_id uuid, field text, value text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  request public.data_rights_requests := private.lock_rectification(request_id);
  submission public.contact_submissions;
  old_value text;
begin
  if field is null or field not in ('name', 'company', 'stage', 'goal', 'message') or value is null then
    raise exception 'there is no such field, or no text' using errcode = '22023';
  end if;
  select * into submission from public.contact_submissions as kept
  where kept.id = correct_submission.submission_id
    and private.subject_key(kept.email) = private.subject_key(request.email)
  for update;
  if not found then
    raise exception 'this person has no such message' using errcode = 'P0002';
  end if;
  old_value := to_jsonb(submission) ->> field;
  if old_value = value then
    return;
  end if;
  execute format('update public.contact_submissions set %I = $1 where id = $2', field) using value, submission.id;
  -- The firm's mail quoted the old text. It has left; the copy here need not stay.
  delete from private.email_outbox as mail
  where mail.submission_id = submission.id and mail.kind = 'firm' and mail.delivered_at is not null
    and not private.is_asked_for(submission.email);
  perform private.record_request_event(request.id, 'admin', 'corrected', format(
    '%s of message %s. SHA-256 of the old text: %s', field, submission.id, private.digest(old_value)
  ));
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-corrected', submission.id);
end;
$$;

comment on function public.correct_submission(uuid, uuid, text, text) is
  'Puts value in the place of name, company, stage, goal or message of a message of whoever made this confirmed request for '
  'rectification (or other request), and logs the digest of the old one. Raises 42501 for others than admins, P0002 for an '
  'unknown request or a message of somebody else, 55000 for a request in another state or of another type, 22023 for '
  'another field, 23514 for a text that is too long or empty.';

revoke all on function
  private.lock_rectification(uuid), public.list_correctable_messages(uuid),
  public.correct_submission(uuid, uuid, text, text)
  from public, anon, authenticated, service_role;
grant execute on function
  public.list_correctable_messages(uuid), public.correct_submission(uuid, uuid, text, text)
  to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122140200' $$;
