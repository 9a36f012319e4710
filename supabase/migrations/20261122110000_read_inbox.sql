-- The admin's first page needs a page of messages and what stands around it. Five calls told it, each with the cost of a
-- transaction and of finding out who asks; one call does.

-- How many messages each folder holds is counted for every view of the inbox: from these few columns alone, so that ten
-- thousand messages need not be read for six numbers.
create index contact_submissions_counts on public.contact_submissions (state, quarantine_reason) where frozen_at is null;

create function public.read_inbox(
  folder text default 'all', search text default null, page_cursor text default null
) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'page', public.list_submissions(folder, search, page_cursor),
    'counts', public.count_submissions(),
    'mail', (select to_jsonb(mail) from public.outbox_status() as mail),
    'retention', (select to_jsonb(run) from public.last_retention_run() as run),
    'overdue_requests', public.count_requests() -> 'overdue'
  );
end;
$$;

comment on function public.read_inbox(text, text, text) is
  'What the inbox shows, as {page, counts, mail, retention, overdue_requests}: list_submissions with the same parameters and '
  'errors, count_submissions, outbox_status, last_retention_run (null when there was none) and the number of overdue requests.';

revoke all on function public.read_inbox(text, text, text) from public, anon, authenticated, service_role;
grant execute on function public.read_inbox(text, text, text) to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122110000' $$;
