-- One message at an address of its own, with what else is known about its sender beside it.
create function public.find_submission(submission_id uuid) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select to_jsonb(submission) - array['frozen_at', 'answer_notice'] || jsonb_build_object(
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'at', event.at, 'action', event.action,
          'by', (select person.email from auth.users as person where person.id = event.actor)
        ) order by event.id), '[]')
        from public.admin_events as event where event.submission_id = submission.id
      ),
      'others', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', other.id, 'created_at', other.created_at, 'goal', other.goal, 'state', other.state,
          'quarantine_reason', other.quarantine_reason
        ) order by other.created_at desc, other.id), '[]')
        from (
          select * from public.contact_submissions as sent
          where private.subject_key(sent.email) = private.subject_key(submission.email)
            and sent.id <> submission.id and sent.frozen_at is null
          order by sent.created_at desc, sent.id
          limit 50
        ) as other
      ),
      'requests', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', request.id, 'reference', request.reference, 'request_type', request.request_type, 'state', request.state
        ) order by request.received_at desc, request.id), '[]')
        from public.data_rights_requests as request
        where private.subject_key(request.email) = private.subject_key(submission.email) and request.frozen_at is null
      )
    )
    from public.contact_submissions as submission
    where submission.id = find_submission.submission_id and submission.frozen_at is null
  );
end;
$$;

comment on function public.find_submission(uuid) is
  'One message that is not frozen, as list_submissions shows it, with {events: [{at, action, by}], others: [{id, created_at, goal, '
  'state, quarantine_reason}], requests: [{id, reference, request_type, state}]}: what was done with it, and what else came from the '
  'same address; null if there is none. Raises 42501 for others than admins.';

revoke all on function public.find_submission(uuid) from public, anon, authenticated, service_role;
grant execute on function public.find_submission(uuid) to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261123020000' $$;
