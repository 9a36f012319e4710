-- How well the promise to reply is kept, by the month in which messages came. What was marked as done before the time of an answer was
-- kept says nothing, and neither does what is spam, held back or restricted.
create function public.answer_times() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(to_jsonb(month_of_messages) order by month_of_messages.month desc), '[]')
    from (
      select
        to_char(submission.created_at at time zone 'UTC', 'YYYY-MM') as month,
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
        and submission.created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - interval '12 months'
      group by 1
    ) as month_of_messages
  );
end;
$$;

comment on function public.answer_times() is
  'Of this month and the twelve before it, the newest first: [{month (YYYY-MM, UTC), messages, answered, median_seconds (null where none '
  'is answered), in_time, judged}]; judged are those that were answered or whose time is over. Raises 42501 for others than admins.';

revoke all on function public.answer_times() from public, anon, authenticated, service_role;
grant execute on function public.answer_times() to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261123021000' $$;
