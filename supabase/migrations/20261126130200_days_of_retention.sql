-- Restrictions end by the firm's days instead of UTC's, and so do the months of response times. Nothing else changes.
create or replace function public.lift_restriction(request_id uuid, reason text, mail jsonb) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_restricted(request_id);
  if request.restriction_ends_on is not null then
    raise exception 'that the restriction ends is announced already' using errcode = '55000';
  end if;
  request.restriction_ends_on := private.today() + private.restriction_notice();
  update public.data_rights_requests as own
  set restriction_ends_on = request.restriction_ends_on
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is not null;
  perform private.record_request_event(request.id, 'admin', 'restriction-ending', private.require_words(reason));
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return jsonb_build_object('ends_on', request.restriction_ends_on);
end;
$$;

create or replace function public.answer_times() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(to_jsonb(month_of_messages) order by month_of_messages.month desc), '[]')
    from (
      select
        to_char(submission.created_at at time zone private.time_zone(), 'YYYY-MM') as month,
        count(*) as messages,
        count(submission.answered_at) as answered,
        round((percentile_cont(0.5) within group (
          order by extract(epoch from submission.answered_at - submission.created_at)
        ) filter (where submission.answered_at is not null))::numeric) as median_seconds,
        count(*) filter (where submission.answered_at <= submission.answer_due_at) as in_time,
        count(*) filter (where submission.answered_at is not null or submission.answer_due_at < now()) as judged
      from public.contact_submissions as submission
      where submission.frozen_at is null and submission.quarantine_reason is null and submission.state <> 'spam'
        and (submission.state <> 'done' or submission.answered_at is not null)
        and submission.created_at >= private.start_of_day((date_trunc('month', private.today()) - interval '12 months')::date)
      group by 1
    ) as month_of_messages
  );
end;
$$;

comment on function public.answer_times() is
  'Of this month and the twelve before it, the newest first: [{month (YYYY-MM, at the firm), messages, answered, median_seconds (null where '
  'none is answered), in_time, judged}]; judged are those that were answered or whose time is over. Raises 42501 for others than admins.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126130200' $$;
