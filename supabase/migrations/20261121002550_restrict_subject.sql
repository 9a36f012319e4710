-- Restriction (GDPR, article 18): what is held about a person is kept and otherwise left alone. It belongs to the
-- person, not to one request: everything held under the address now is frozen, in one transaction, and lifted together.
-- What the person sends later is not frozen: it is sent to be read. Frozen rows are out of lists, exports, direct reads
-- and mail, and neither an admin nor retention deletes them (article 18(2): storage only); an erasure, which the person
-- asks for, does. A frozen request goes on being answered, from a folder of its own: that duty is not restricted.
create function public.restrict_subject(request_id uuid, reason text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
  submissions integer;
  requests integer;
begin
  perform private.require_admin();
  request := private.lock_subject(request_id, array['open', 'in_progress']);
  perform private.require_type(request, array['restrict', 'object', 'rectification', 'other']);
  if request.frozen_at is not null then
    raise exception 'this person''s data is restricted already' using errcode = '55000';
  end if;
  update public.contact_submissions as submission
  set frozen_at = now()
  where private.subject_key(submission.email) = private.subject_key(request.email) and submission.frozen_at is null;
  get diagnostics submissions = row_count;
  update public.data_rights_requests as own
  set frozen_at = now()
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is null;
  get diagnostics requests = row_count;
  perform private.record_request_event(request.id, 'admin', 'restricted', private.require_words(reason));
  return jsonb_build_object('submissions', submissions, 'requests', requests);
end;
$$;

-- With a mail, because the person must be told before it is lifted (article 18(3)).
create function public.lift_restriction(request_id uuid, reason text, mail jsonb) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
  submissions integer;
  requests integer;
begin
  perform private.require_admin();
  request := private.lock_subject(
    request_id, array['unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn']
  );
  if request.frozen_at is null then
    raise exception 'this person''s data is not restricted' using errcode = '55000';
  end if;
  update public.contact_submissions as submission
  set frozen_at = null
  where private.subject_key(submission.email) = private.subject_key(request.email) and submission.frozen_at is not null;
  get diagnostics submissions = row_count;
  update public.data_rights_requests as own
  set frozen_at = null
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is not null;
  get diagnostics requests = row_count;
  perform private.record_request_event(request.id, 'admin', 'restriction-lifted', private.require_words(reason));
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return jsonb_build_object('submissions', submissions, 'requests', requests);
end;
$$;

comment on function public.restrict_subject(uuid, text) is
  'Freezes everything held under the address of a confirmed request that asks for it; returns how many {submissions, '
  'requests}. Raises 42501 for others than admins, P0002 for an unknown request, 55000 for one in another state, of '
  'another type or frozen already, 22023 without a reason.';
comment on function public.lift_restriction(uuid, text, jsonb) is
  'Takes back restrict_subject through any frozen request of that person, with a mail {subject, body}. Same errors.';

revoke all on function public.restrict_subject(uuid, text), public.lift_restriction(uuid, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.restrict_subject(uuid, text), public.lift_restriction(uuid, text, jsonb) to authenticated;
