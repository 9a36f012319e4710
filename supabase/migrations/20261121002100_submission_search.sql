-- The words of each message in lower case, to be searched for any part of a word. A table of its own, because a search
-- for something rare reads all of it: nothing else stands in the way, and no list of messages carries it along.
create table private.submission_search (
  submission_id uuid primary key references public.contact_submissions (id) on delete cascade,
  created_at timestamptz not null,
  words text not null
);

-- Kept in the row and uncompressed: unpacking ten thousand messages would take longer than searching them.
alter table private.submission_search set (toast_tuple_target = 8160);
create index submission_search_newest_first on private.submission_search (created_at desc, submission_id desc);

alter table private.submission_search enable row level security;
revoke all on table private.submission_search from public, anon, authenticated, service_role;

create function private.index_submission() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.submission_search as search (submission_id, created_at, words)
  values (
    new.id,
    new.created_at,
    -- A line break between the texts: nobody searches for one, so nothing is found across two fields.
    lower(concat_ws(e'\n', new.name, new.email, new.company, new.stage, new.goal, new.message))
  )
  on conflict (submission_id) do update set created_at = excluded.created_at, words = excluded.words;
  return null;
end;
$$;

revoke all on function private.index_submission() from public, anon, authenticated, service_role;

create trigger index_submission
  after insert or update of created_at, name, email, company, stage, goal, message on public.contact_submissions
  for each row execute function private.index_submission();

insert into private.submission_search (submission_id, created_at, words)
select id, created_at, lower(concat_ws(e'\n', name, email, company, stage, goal, message))
from public.contact_submissions;
