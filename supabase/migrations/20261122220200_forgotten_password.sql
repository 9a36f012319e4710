-- A link to set a new password, for somebody who has forgotten theirs. Whoever asks learns nothing: the answer is the same
-- where there is no such account.
create function private.make_new_password_link(account_id uuid, token_hash text) returns private.account_links
language sql
set search_path = ''
as $$
  delete from private.account_links as link where link.expires_at < now() - interval '1 day';
  insert into private.account_links (token_hash, purpose, email, user_id, expires_at)
  select make_new_password_link.token_hash, 'new-password', lower(account.email), account.id, now() + interval '30 minutes'
  from auth.users as account where account.id = account_id
  returning *;
$$;

create function public.request_new_password(email text, token_hash text, mail jsonb) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  owner uuid;
begin
  -- One at a time, so that what is counted below is true however many come at once.
  perform pg_advisory_xact_lock(hashtextextended('new-password', 0));
  -- Who was removed comes back by an invitation, and by nothing else.
  select account.id into owner from auth.users as account
  where lower(account.email) = lower(btrim(request_new_password.email))
    and coalesce(account.raw_app_meta_data ->> 'admin_revoked', 'false') <> 'true';
  -- Anybody may type anybody's address. An hour and not a day: a stranger must not keep the owner from it for long.
  if owner is null or 3 <= (
    select count(*) from private.account_links as link
    where link.user_id = owner and link.made_at > now() - interval '1 hour'
  ) then
    return false;
  end if;
  perform private.queue_link_mail(private.make_new_password_link(owner, request_new_password.token_hash), mail);
  return true;
end;
$$;

comment on function public.request_new_password(text, text, jsonb) is
  'Makes a link to set a new password, given by the SHA-256 of its token, and queues the mail {subject, body} that brings it. '
  'False where there is no such account, or three links in the last hour. Raises 22023 or 23514 for an unfit mail or digest.';

revoke all on function private.make_new_password_link(uuid, text), public.request_new_password(text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.request_new_password(text, text, jsonb) to service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122220200' $$;
