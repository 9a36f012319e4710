-- The list of admins: invite, accept, remove.

-- One change of who is an admin at a time, and the question is asked within it: of two admins who remove each other, one fails. The list
-- must be the one that the caller saw.
create function private.require_admin_alone() returns uuid
language plpgsql volatile security definer
set search_path = ''
as $$
declare
  actor uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  actor := private.require_admin();
  perform private.require_seen(private.people_version());
  return actor;
end;
$$;

comment on function private.require_admin_alone() is
  'As require_admin; nobody else changes who is an admin until the transaction ends. Raises PT409 where the caller saw another version of '
  'the list.';
revoke all on function private.require_admin_alone() from public, anon, authenticated, service_role;

-- Ends all sessions of a person; the refresh tokens go with them.
create function private.end_every_session(person uuid) returns integer
language plpgsql
set search_path = ''
as $$
declare
  ended integer;
begin
  delete from auth.sessions as session where session.user_id = person;
  get diagnostics ended = row_count;
  return ended;
end;
$$;
revoke all on function private.end_every_session(uuid) from public, anon, authenticated, service_role;

-- Gives the role, also to somebody it was taken from. Null as actor: the operator.
create function private.give_admin_role(person uuid, actor uuid, action text) returns void
language plpgsql
set search_path = ''
as $$
begin
  update auth.users as account set raw_app_meta_data = account.raw_app_meta_data - 'admin_revoked'
  where account.id = person and account.raw_app_meta_data ? 'admin_revoked';
  insert into public.user_roles (user_id, role) values (person, 'admin') on conflict (user_id, role) do nothing;
  insert into public.admin_events (actor, action, person)
  select give_admin_role.actor, give_admin_role.action, lower(account.email) from auth.users as account
  where account.id = give_admin_role.person;
end;
$$;
revoke all on function private.give_admin_role(uuid, uuid, text) from public, anon, authenticated, service_role;

-- Takes the role for good: the mark tells grant_named_admin that no setting brings it back. Returns how many sessions it ended.
create function private.take_admin_role(person uuid, actor uuid) returns integer
language plpgsql
set search_path = ''
as $$
declare
  address text := (select lower(account.email) from auth.users as account where account.id = person);
begin
  delete from public.user_roles as held where held.user_id = person and held.role = 'admin';
  update auth.users as account
  set raw_app_meta_data = coalesce(account.raw_app_meta_data, '{}') || '{"admin_revoked": true}'
  where account.id = person;
  delete from private.account_links as link where link.user_id = person or link.email = address;
  insert into public.admin_events (actor, action, person) values (take_admin_role.actor, 'admin-removed', address);
  return private.end_every_session(person);
end;
$$;
revoke all on function private.take_admin_role(uuid, uuid) from public, anon, authenticated, service_role;

-- Makes an invitation in the place of an earlier one to the same address, whose mail goes with it.
create function private.make_invitation(address text, actor uuid, token_hash text) returns private.account_links
language plpgsql
set search_path = ''
as $$
declare
  made private.account_links;
begin
  if exists (
    select from public.user_roles as held join auth.users as account on account.id = held.user_id
    where held.role = 'admin' and lower(account.email) = address
  ) then
    raise exception 'this person is an admin already' using errcode = '42710';
  end if;
  delete from private.account_links as link
  where (link.purpose = 'invitation' and link.email = address) or link.expires_at < now() - interval '1 day';
  insert into private.account_links (token_hash, purpose, email, invited_by, expires_at)
  values (make_invitation.token_hash, 'invitation', address, actor, now() + interval '72 hours')
  returning * into made;
  insert into public.admin_events (actor, action, person) values (actor, 'admin-invited', address);
  return made;
end;
$$;
revoke all on function private.make_invitation(text, uuid, text) from public, anon, authenticated, service_role;

create function public.invite_admin(email text, token_hash text, mail jsonb) returns timestamptz
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin_alone();
  address text := lower(btrim(invite_admin.email));
  made private.account_links;
begin
  -- A stolen session must not make the site write to as many strangers as it likes.
  if 20 <= (
    select count(*) from public.admin_events as event
    where event.action = 'admin-invited' and event.at > now() - interval '1 day'
  ) then
    raise exception 'too many invitations in a day' using errcode = '54000';
  end if;
  made := private.make_invitation(address, actor, invite_admin.token_hash);
  perform private.queue_link_mail(made, mail);
  return made.expires_at;
end;
$$;

comment on function public.invite_admin(text, text, jsonb) is
  'Invites somebody to become an admin and queues the mail {subject, body} with the link, given by the SHA-256 of its token; '
  'returns when it expires. An earlier invitation to the address ends. Raises 42501 for others than admins, 42710 for one '
  'who is an admin, 54000 after 20 in a day, 22023 or 23514 for an unfit mail, address or digest.';
revoke all on function public.invite_admin(text, text, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.invite_admin(text, text, jsonb) to authenticated;

create function public.withdraw_invitation(invitation_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin_alone();
  address text;
begin
  delete from private.account_links as link
  where link.id = invitation_id and link.purpose = 'invitation'
  returning link.email into address;
  if address is null then
    raise exception 'there is no such invitation' using errcode = 'P0002';
  end if;
  insert into public.admin_events (actor, action, person) values (actor, 'invitation-withdrawn', address);
end;
$$;

comment on function public.withdraw_invitation(uuid) is
  'Ends an invitation, also one whose mail has not been sent. Raises 42501 for others than admins, P0002 where there is none.';
revoke all on function public.withdraw_invitation(uuid) from public, anon, authenticated, service_role;
grant execute on function public.withdraw_invitation(uuid) to authenticated;

create function public.remove_admin(user_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin_alone();
begin
  -- Admins cannot remove themselves, so one always remains.
  if remove_admin.user_id = actor then
    raise exception 'nobody removes themselves' using errcode = '55000';
  end if;
  if not exists (
    select from public.user_roles as held where held.user_id = remove_admin.user_id and held.role = 'admin'
  ) then
    raise exception 'there is no such admin' using errcode = 'P0002';
  end if;
  perform private.take_admin_role(remove_admin.user_id, actor);
end;
$$;

comment on function public.remove_admin(uuid) is
  'Takes the role of another admin and ends their sessions; only an invitation gives it back. Raises 42501 for others than '
  'admins, 55000 for oneself, P0002 for somebody who is no admin.';
revoke all on function public.remove_admin(uuid) from public, anon, authenticated, service_role;
grant execute on function public.remove_admin(uuid) to authenticated;

-- The newest entries of the log that are about a person or tell what they did.
create function private.list_events_of(account_id uuid, address text) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', event.id, 'at', event.at, 'action', event.action, 'person', event.person,
    'by', case when event.actor is null then null else coalesce(
      (select lower(account.email) from auth.users as account where account.id = event.actor), left(event.actor::text, 8)
    ) end
  ) order by event.id desc), '[]')
  from (
    select * from (
      (select * from public.admin_events as done where done.actor = account_id order by done.id desc limit 30)
      union
      (select * from public.admin_events as suffered where suffered.person = address order by suffered.id desc limit 30)
    ) as both_sides
    order by id desc limit 30
  ) as event
$$;
revoke all on function private.list_events_of(uuid, text) from public, anon, authenticated, service_role;

create function public.read_people() returns jsonb
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
revoke all on function public.read_people() from public, anon, authenticated, service_role;
grant execute on function public.read_people() to authenticated;

-- The role of somebody whom the operator's settings name, unless it was taken from them.
create function public.grant_named_admin(user_id uuid) returns boolean
language plpgsql security definer
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  if exists (
    select from public.user_roles as held where held.user_id = grant_named_admin.user_id and held.role = 'admin'
  ) then
    return true;
  end if;
  if not exists (
    select from auth.users as account
    where account.id = grant_named_admin.user_id
      and coalesce(account.raw_app_meta_data ->> 'admin_revoked', 'false') <> 'true'
  ) then
    return false;
  end if;
  perform private.give_admin_role(grant_named_admin.user_id, null, 'admin-named');
  return true;
end;
$$;

comment on function public.grant_named_admin(uuid) is
  'Makes an account an admin, and returns whether it is one now: false for one that was removed, and for an unknown one.';
revoke all on function public.grant_named_admin(uuid) from public, anon, authenticated, service_role;
grant execute on function public.grant_named_admin(uuid) to service_role;

-- For the page behind a link. Changes nothing.
create function public.find_account_link(token text) returns table (purpose text, email text)
language sql stable security definer
set search_path = ''
as $$
  select link.purpose, link.email from private.account_links as link
  where link.token_hash = private.digest(token) and link.expires_at > now()
    and (link.claimed_at is null or link.claimed_at < now() - interval '1 minute')
$$;

comment on function public.find_account_link(text) is
  'What a link into an account is for (invitation, new-password) and whose; no row for one that is unknown, used or expired.';
revoke all on function public.find_account_link(text) from public, anon, authenticated, service_role;
grant execute on function public.find_account_link(text) to anon, authenticated;

-- Only one form counts, however many are sent at once. What came to nothing can be tried again: at once when it is given
-- back, else after a minute.
create function public.claim_account_link(token_hash text) returns table (purpose text, email text, user_id uuid)
language sql security definer
set search_path = ''
as $$
  update private.account_links as link
  set claimed_at = now()
  where link.token_hash = claim_account_link.token_hash and link.expires_at > now()
    and (link.claimed_at is null or link.claimed_at < now() - interval '1 minute')
  returning link.purpose, link.email,
    coalesce(link.user_id, (select account.id from auth.users as account where lower(account.email) = link.email))
$$;

comment on function public.claim_account_link(text) is
  'Takes a link for a minute, before the password is set; finish_account_link or release_account_link ends that. user_id is '
  'null where an invited person has no account. No row for a link that is unknown, expired, or taken.';
revoke all on function public.claim_account_link(text) from public, anon, authenticated, service_role;
grant execute on function public.claim_account_link(text) to service_role;

create function public.release_account_link(token_hash text) returns void
language sql security definer
set search_path = ''
as $$
  update private.account_links as link set claimed_at = null where link.token_hash = release_account_link.token_hash
$$;

comment on function public.release_account_link(text) is 'Gives a link back that claim_account_link took.';
revoke all on function public.release_account_link(text) from public, anon, authenticated, service_role;
grant execute on function public.release_account_link(text) to service_role;

create function public.finish_account_link(token_hash text, user_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  used private.account_links;
  account auth.users;
begin
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  select * into used from private.account_links as link where link.token_hash = finish_account_link.token_hash;
  select * into account from auth.users as person where person.id = finish_account_link.user_id;
  -- Withdrawn while the password was set, or not this account's.
  if used.claimed_at is null or account.id is null or lower(account.email) <> used.email then
    raise exception 'the link is not for this account' using errcode = 'P0002';
  end if;
  if used.purpose = 'invitation' then
    perform private.give_admin_role(account.id, account.id, 'admin-joined');
  else
    insert into public.admin_events (actor, action, person) values (account.id, 'password-renewed', used.email);
  end if;
  perform private.end_every_session(account.id);
  delete from private.account_links as link where link.user_id = account.id or link.email = used.email;
end;
$$;

comment on function public.finish_account_link(text, uuid) is
  'Ends a claimed link once its password is set; an invitation gives the role. All links and sessions of the account end. '
  'Raises P0002 for a link that is gone or another account''s.';
revoke all on function public.finish_account_link(text, uuid) from public, anon, authenticated, service_role;
grant execute on function public.finish_account_link(text, uuid) to service_role;

-- One version for the whole list of people: every change of it is in the log.
create function private.people_version() returns bigint
language sql stable
set search_path = ''
as $$ select coalesce(max(event.id), 0) from public.admin_events as event where event.person is not null $$;
revoke all on function private.people_version() from public, anon, authenticated, service_role;

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
revoke all on function private.end_sent_invitations() from public, anon, authenticated, service_role;

create trigger end_sent_invitations after delete or update of user_id, role on public.user_roles
  for each row execute function private.end_sent_invitations();
