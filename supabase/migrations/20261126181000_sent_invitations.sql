-- Removing an admin ends the invitations that they sent: redeeming one later would let them back in. A trigger, because an operator
-- of a hosted project deletes the row of user_roles or the user in the dashboard, and no function of ours is called then.
create function private.end_sent_invitations() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  -- An invitation that is being accepted is either finished before, or finds no link.
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  with ended as (
    delete from private.account_links as link
    where link.invited_by = old.user_id and link.purpose = 'invitation'
    returning link.email, link.expires_at
  )
  insert into public.admin_events (actor, action, person)
  select auth.uid(), 'invitation-withdrawn', ended.email from ended where ended.expires_at > now() order by ended.email;
  return null;
end;
$$;

create trigger end_sent_invitations after delete or update of user_id, role on public.user_roles
  for each row execute function private.end_sent_invitations();

-- Left behind by earlier removals.
delete from private.account_links as link
where link.purpose = 'invitation' and link.invited_by is not null
  and not exists (select from public.user_roles as held where held.user_id = link.invited_by and held.role = 'admin');

-- As before, with how many open invitations each admin has sent.
create or replace function public.read_people() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  caller uuid := private.require_admin();
begin
  return jsonb_build_object(
    'version', private.people_version(),
    'admins', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', account.id, 'email', lower(account.email), 'since', held.granted_at, 'is_self', account.id = caller,
        -- From the log of sign-ins where there is one: not every authentication service keeps renewals of a token apart.
        'last_sign_in', coalesce(
          (
            select max(entry.created_at) from auth.audit_log_entries as entry
            where entry.payload ->> 'action' = 'login' and entry.payload ->> 'actor_id' = account.id::text
          ),
          account.last_sign_in_at
        ),
        'sessions', (
          select count(*) from auth.sessions as session
          where session.user_id = account.id and (session.not_after is null or session.not_after > now())
        ),
        'invitations', (
          select count(*) from private.account_links as link
          where link.invited_by = account.id and link.purpose = 'invitation' and link.expires_at > now()
        ),
        'events', private.list_events_of(account.id, lower(account.email))
      ) order by held.granted_at, account.id), '[]')
      from public.user_roles as held join auth.users as account on account.id = held.user_id
      where held.role = 'admin'
    ),
    'invitations', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', link.id, 'email', link.email, 'made_at', link.made_at, 'expires_at', link.expires_at,
        'events', private.list_events_of(null, link.email)
      ) order by link.made_at desc), '[]')
      from private.account_links as link
      where link.purpose = 'invitation' and link.expires_at > now()
    ),
    'others', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'email', gone.person,
        'events', private.list_events_of(
          (select account.id from auth.users as account where lower(account.email) = gone.person), gone.person
        )
      ) order by gone.newest desc), '[]')
      from (
        select event.person, max(event.id) as newest from public.admin_events as event
        where event.person is not null
          and not exists (
            select from private.account_links as link
            where link.purpose = 'invitation' and link.expires_at > now() and link.email = event.person
          )
          and not exists (
            select from public.user_roles as held join auth.users as account on account.id = held.user_id
            where held.role = 'admin' and lower(account.email) = event.person
          )
        group by event.person order by newest desc limit 50
      ) as gone
    )
  );
end;
$$;

comment on function public.read_people() is
  'Who is, is to be, or was an admin, as {version, admins: [{id, email, since, is_self, last_sign_in, sessions, invitations, events}], '
  'invitations: [{id, email, made_at, expires_at, events}], others: [{email, events}]}; invitations of an admin: how many open ones they '
  'sent; events: the newest 30 as {id, at, action, person, by}, null as by where the operator did it. Raises 42501 for others than admins.';

revoke all on function private.end_sent_invitations() from public, anon, authenticated, service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126181000' $$;
