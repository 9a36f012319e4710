-- Undelivered mail must be seen by someone: the admin's page shows these counts. No address, no text.
create function public.outbox_status()
returns table (waiting bigint, given_up bigint, oldest_waiting timestamptz)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  if coalesce(auth.role(), '') <> 'service_role' and not public.is_admin() then
    raise exception 'only admins see the state of the mail' using errcode = '42501';
  end if;
  return query
    select
      count(*) filter (where mail.gave_up_at is null),
      count(*) filter (where mail.gave_up_at is not null),
      min(mail.created_at) filter (where mail.gave_up_at is null)
    from private.email_outbox as mail
    where mail.delivered_at is null;
end;
$$;

comment on function public.outbox_status() is
  'How much mail waits, how much was given up, and since when the oldest waits (one row). Raises 42501 for others than admins.';

revoke all on function public.outbox_status() from public, anon, authenticated, service_role;
grant execute on function public.outbox_status() to authenticated, service_role;
