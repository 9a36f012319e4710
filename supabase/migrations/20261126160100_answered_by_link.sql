-- The link "I have answered" in the firm's mails marks a message without a sign-in, and programs that check mail press it now and then. What
-- it did says so in the inbox, until an admin has seen it or undone it.
alter table public.contact_submissions add column marked_by_link_at timestamptz;
create index contact_submissions_marked_by_link on public.contact_submissions (marked_by_link_at desc, id)
  where marked_by_link_at is not null and frozen_at is null;

-- As before, and the mark stays until an admin's next change of the message.
create or replace function public.mark_answered(token text)
returns table (reference text, received_at timestamptz, answered_at timestamptz)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  linked uuid := private.find_linked_submission(mark_answered.token);
begin
  update public.contact_submissions
  set state = 'done', answered_at = coalesce(answered_at, now()), marked_by_link_at = now()
  where id = linked and state <> 'done';
  if found then
    -- Whoever had the mail: nobody is signed in.
    insert into public.admin_events (actor, action, submission_id) values (null, 'submission-answered-by-link', linked);
  end if;
  return query select * from public.find_answer_link(mark_answered.token);
end;
$$;

create function public.list_marked_by_link() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(
      to_jsonb(submission) - array['frozen_at', 'answer_notice'] order by submission.marked_by_link_at desc, submission.id
    ), '[]')
    from (
      select * from public.contact_submissions as marked
      where marked.marked_by_link_at is not null and marked.frozen_at is null
      order by marked.marked_by_link_at desc, marked.id
      limit 25
    ) as submission
  );
end;
$$;

comment on function public.list_marked_by_link() is
  'The newest 25 messages, as list_submissions shows them, that the link in a mail has marked as answered and that no admin has changed '
  'since (set_submission_state, send_reply). Raises 42501 for others than admins.';

revoke all on function public.list_marked_by_link() from public, anon, authenticated, service_role;
grant execute on function public.list_marked_by_link() to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126160100' $$;
