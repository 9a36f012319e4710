-- Texts that the firm uses again in its replies. They are the firm's own and about nobody.
create table private.reply_snippets (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (char_length(name) between 1 and 80 and name !~ '[\r\n]'),
  body text not null check (char_length(body) between 1 and 5000)
);

alter table private.reply_snippets enable row level security;
revoke all on table private.reply_snippets from public, anon, authenticated, service_role;

create function public.list_reply_snippets() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(to_jsonb(snippet) order by lower(snippet.name), snippet.name), '[]')
    from private.reply_snippets as snippet
  );
end;
$$;

comment on function public.list_reply_snippets() is
  'All texts for replies by name: [{id, name, body}]. Raises 42501 for others than admins.';

create function public.save_reply_snippet(snippet_id uuid, name text, body text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  if snippet_id is null then
    insert into private.reply_snippets (name, body) values (save_reply_snippet.name, save_reply_snippet.body);
    return;
  end if;
  update private.reply_snippets as snippet
  set name = save_reply_snippet.name, body = save_reply_snippet.body
  where snippet.id = snippet_id;
  if not found then
    raise exception 'there is no such text' using errcode = 'P0002';
  end if;
end;
$$;

comment on function public.save_reply_snippet(uuid, text, text) is
  'Changes a text for replies, or adds one where snippet_id is null. Raises 42501 for others than admins, P0002 for an unknown one, '
  '23505 for a name that another has, 23514 or 23502 for a name or text that is empty or too long.';

create function public.delete_reply_snippet(snippet_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  delete from private.reply_snippets as snippet where snippet.id = delete_reply_snippet.snippet_id;
  if not found then
    raise exception 'there is no such text' using errcode = 'P0002';
  end if;
end;
$$;

comment on function public.delete_reply_snippet(uuid) is
  'Deletes a text for replies. Raises 42501 for others than admins, P0002 for an unknown one.';

revoke all on function
  public.list_reply_snippets(), public.save_reply_snippet(uuid, text, text), public.delete_reply_snippet(uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.list_reply_snippets(), public.save_reply_snippet(uuid, text, text), public.delete_reply_snippet(uuid)
  to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261123032000' $$;
