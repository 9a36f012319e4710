-- Mails that are owed come in any order, at most twenty a call, so that twenty which cannot be queued are not always in front of
-- the others. All three functions are as before but for that.
create or replace function public.list_due_reminders()
returns table (request_id uuid, reminder text, request_type text, recipient text)
language sql stable security definer
set search_path = ''
as $$
  select request.id, due.reminder, request.request_type,
    case when due.reminder in ('unconfirmed', 'package-link') then request.email end
  from public.data_rights_requests as request
  cross join lateral private.due_reminder(request) as due (reminder)
  where due.reminder is not null and (
    request.closed_at is null
    or request.id in (select package.request_id from private.data_packages as package where package.link_wanted_at is not null)
  )
  order by random()
  limit 20
$$;

create or replace function public.list_due_account_mails()
returns table (event_id bigint, kind text, at timestamptz, device text, recipient text)
language sql stable security definer
set search_path = ''
as $$
  select event.id, event.kind, event.at, event.device, person.email
  from private.account_events as event
  join auth.users as person on person.id = event.user_id
  where event.is_mail_due and person.email <> ''
  order by random()
  limit 20
$$;

create or replace function public.list_firm_notices(morning date) returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'answers', (
      select coalesce(jsonb_agg(due.told), '[]')
      from (
        select jsonb_build_object('notice', private.due_answer_notice(submission)) || (to_jsonb(submission) - 'ip_address') as told
        from public.contact_submissions as submission
        where submission.frozen_at is null and submission.quarantine_reason is null
          and submission.state in ('new', 'in_progress') and submission.answer_due_at <= now() + interval '6 hours'
          -- After that mail none is owed. The function below says so as well, but it would be called for years of messages.
          and submission.answer_notice is distinct from 'late'
          and private.due_answer_notice(submission) is not null
        order by random()
        limit 20
      ) as due
    ),
    'is_digest_due', morning is not null and not exists (select from private.digests as digest where digest.day >= morning),
    'digest', case
      when morning is not null and not exists (select from private.digests as digest where digest.day >= morning)
        then private.describe_digest()
    end
  )
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126131200' $$;
