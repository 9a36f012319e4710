-- As before, but composed (Unicode's NFC), as searches are: what was stored earlier may spell one word in two ways.
create or replace function private.index_submission() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.submission_search as search (submission_id, created_at, words)
  values (
    new.id,
    new.created_at,
    -- A line break between the texts: nobody searches for one, so nothing is found across two fields.
    normalize(lower(concat_ws(e'\n', new.name, new.email, new.company, new.stage, new.goal, new.message)), nfc)
  )
  on conflict (submission_id) do update set created_at = excluded.created_at, words = excluded.words;
  return null;
end;
$$;

update private.submission_search as search set words = normalize(search.words, nfc)
where search.words is not nfc normalized;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126140100' $$;
