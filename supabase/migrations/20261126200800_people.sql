-- The list of admins: invite, accept and remove.

-- As require_admin, and blocks other changes to the list of admins until the transaction ends: of two admins who remove
-- each other, one fails. Raises PT409 when the caller saw another version of the list.
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

-- Grants the role, even after it was revoked. A null actor is the operator.
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

-- Revokes the role permanently: the mark in the metadata keeps grant_named_admin from restoring it because of a
-- setting. Ends the person's sessions, and returns how many.
create function private.take_admin_role(person uuid, actor uuid) returns integer
language plpgsql
set search_path = ''
as $$
declare
  address text := (select lower(account.email) from auth.users as account where account.id = person);
  ended_count integer;
begin
  delete from public.user_roles as user_role where user_role.user_id = person and user_role.role = 'admin';
  update auth.users as account
  set raw_app_meta_data = coalesce(account.raw_app_meta_data, '{}') || '{"admin_revoked": true}'
  where account.id = person;
  delete from private.account_links as link where link.user_id = person or link.email = address;
  insert into public.admin_events (actor, action, person) values (take_admin_role.actor, 'admin-removed', address);
  delete from auth.sessions as session where session.user_id = person;
  get diagnostics ended_count = row_count;
  return ended_count;
end;
$$;

-- Creates an invitation. It replaces an earlier one to the same address, along with that one's mail.
create function private.make_invitation(address text, actor uuid, token_hash text) returns private.account_links
language plpgsql
set search_path = ''
as $$
declare
  invitation private.account_links;
begin
  if exists (
    select from public.user_roles as user_role join auth.users as account on account.id = user_role.user_id
    where user_role.role = 'admin' and lower(account.email) = address
  ) then
    raise exception 'this person is an admin already' using errcode = '42710';
  end if;
  delete from private.account_links as link
  where (link.purpose = 'invitation' and link.email = address) or link.expires_at < now() - interval '1 day';
  insert into private.account_links (token_hash, purpose, email, invited_by, expires_at)
  values (make_invitation.token_hash, 'invitation', address, actor, now() + interval '72 hours')
  returning * into invitation;
  insert into public.admin_events (actor, action, person) values (actor, 'admin-invited', address);
  return invitation;
end;
$$;

-- The link in a mail that was not delivered is gone, so sending an invitation again makes a new one.
create function public.invite_admin(email text, token_hash text, mail jsonb, replaced_invitation uuid default null)
returns timestamptz
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin_alone();
  address text := lower(btrim(invite_admin.email));
  replaced private.account_links;
  invitation private.account_links;
begin
  if replaced_invitation is not null then
    select * into replaced from private.account_links as link
    where link.id = replaced_invitation and link.purpose = 'invitation' and link.expires_at > now();
    if not found then
      raise exception 'there is no such invitation' using errcode = 'P0002';
    end if;
    if replaced.email <> address then
      delete from private.account_links as link where link.id = replaced.id;
      insert into public.admin_events (actor, action, person) values (actor, 'invitation-withdrawn', replaced.email);
    end if;
  end if;
  -- Limits the mail that a stolen session can send to strangers.
  if 20 <= (
    select count(*) from public.admin_events as event
    where event.action = 'admin-invited' and private.is_recent(event.at, '1 day')
  ) then
    raise exception 'too many invitations in a day' using errcode = '54000';
  end if;
  invitation := private.make_invitation(address, actor, invite_admin.token_hash);
  perform private.queue_link_mail(
    invitation,
    mail || jsonb_build_object('body', replace(mail ->> 'body', '{{inviter}}', coalesce(private.name_person(actor), '')))
  );
  return invitation.expires_at;
end;
$$;

comment on function public.invite_admin is
  'Invites a person to become an admin and queues the mail {subject, body} with the link, given the SHA-256 of its '
  'token; {{inviter}} becomes the caller''s name and address. Returns when it expires. Replaces an earlier invitation to the address, and replaced_invitation, an open one '
  'that is sent again, to its address or to a corrected one. Raises 42501 for non-admins, P0002 for an unknown or expired '
  'replaced_invitation, 42710 if the person is already an admin, 54000 after 20 invitations in a day, 22023 or 23514 for '
  'an invalid mail, address or digest.';
revoke all on function public.invite_admin from public, anon, authenticated, service_role;
grant execute on function public.invite_admin to authenticated;

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

comment on function public.withdraw_invitation is
  'Withdraws an invitation, even if its mail has not been sent. Raises 42501 for non-admins, P0002 for an unknown '
  'invitation.';
revoke all on function public.withdraw_invitation from public, anon, authenticated, service_role;
grant execute on function public.withdraw_invitation to authenticated;

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
    select from public.user_roles as user_role
    where user_role.user_id = remove_admin.user_id and user_role.role = 'admin'
  ) then
    raise exception 'there is no such admin' using errcode = 'P0002';
  end if;
  perform private.take_admin_role(remove_admin.user_id, actor);
end;
$$;

comment on function public.remove_admin is
  'Revokes another admin''s role and ends their sessions; only an invitation restores it. Raises 42501 for non-admins, '
  '55000 for the caller''s own account, P0002 for a user who is not an admin.';
revoke all on function public.remove_admin from public, anon, authenticated, service_role;
grant execute on function public.remove_admin to authenticated;

-- The newest log entries in which a person is the actor or the subject.
create function private.list_events_of(account_id uuid, address text) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', event.id, 'at', event.at, 'action', event.action, 'person', event.person,
    'people_count', event.people_count,
    'by', coalesce(private.name_person(event.actor), left(event.actor::text, 8))
  ) order by event.id desc), '[]')
  from (
    select * from (
      (
        select * from public.admin_events as as_actor
        where as_actor.actor = account_id order by as_actor.id desc limit 30
      )
      union
      (
        select * from public.admin_events as as_subject
        where as_subject.person = address order by as_subject.id desc limit 30
      )
    ) as both_sides
    order by id desc limit 30
  ) as event
$$;

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
        'id', account.id, 'email', lower(account.email), 'since', user_role.granted_at, 'is_self', account.id = caller,
        -- Prefer the authentication service's log: not every such service keeps token renewals out of last_sign_in_at.
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
        'refusal', (
          select mail.last_error from private.account_links as link
          join private.email_outbox as mail on mail.account_link_id = link.id and mail.gave_up_at is not null
          where link.user_id = account.id order by mail.gave_up_at desc limit 1
        ),
        'events', private.list_events_of(account.id, lower(account.email))
      ) order by user_role.granted_at, account.id), '[]')
      from public.user_roles as user_role join auth.users as account on account.id = user_role.user_id
      where user_role.role = 'admin'
    ),
    'invitations', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', link.id, 'email', link.email, 'made_at', link.made_at, 'expires_at', link.expires_at,
        'undelivered', (
          select jsonb_build_object('id', mail.id, 'code', mail.last_error) from private.email_outbox as mail
          where mail.account_link_id = link.id and mail.gave_up_at is not null
        ),
        'events', private.list_events_of(null, link.email)
      ) order by link.made_at desc), '[]')
      from private.account_links as link
      where link.purpose = 'invitation' and link.expires_at > now()
    ),
    'others', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'email', former.person,
        'events', private.list_events_of(
          (select account.id from auth.users as account where lower(account.email) = former.person), former.person
        )
      ) order by former.newest desc), '[]')
      from (
        select event.person, max(event.id) as newest from public.admin_events as event
        where event.person is not null
          and not exists (
            select from private.account_links as link
            where link.purpose = 'invitation' and link.expires_at > now() and link.email = event.person
          )
          and not exists (
            select from public.user_roles as user_role join auth.users as account on account.id = user_role.user_id
            where user_role.role = 'admin' and lower(account.email) = event.person
          )
        group by event.person order by newest desc limit 50
      ) as former
    )
  );
end;
$$;

comment on function public.read_people is
  'Returns current, invited and former admins, and the version of the list. refusal: why the mail with a link to a '
  'new password was not delivered, a code of the outbox, or null. undelivered: the same of an invitation''s mail, '
  'with its id. invitations of an admin: the number of open ones they sent. events: the newest 30; by is null for the '
  'operator. Raises 42501 for non-admins.';
revoke all on function public.read_people from public, anon, authenticated, service_role;
grant execute on function public.read_people to authenticated;

-- Grants the role to a person named in the operator's settings, unless it was revoked.
create function public.grant_named_admin(user_id uuid) returns boolean
language plpgsql security definer
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  if exists (
    select from public.user_roles as user_role
    where user_role.user_id = grant_named_admin.user_id and user_role.role = 'admin'
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

comment on function public.grant_named_admin is
  'Makes an account an admin and returns whether it is one now: false for a removed admin and for an unknown account.';
revoke all on function public.grant_named_admin from public, anon, authenticated, service_role;
grant execute on function public.grant_named_admin to service_role;

-- For the page that a link opens. Changes nothing.
create function public.find_account_link(token text) returns table (purpose text, email text)
language sql stable security definer
set search_path = ''
as $$
  select link.purpose, link.email from private.account_links as link
  where token ~ '^[A-Za-z0-9_-]{43,128}$' and link.token_hash = private.digest(token) and link.expires_at > now()
    and (link.claimed_at is null or link.claimed_at < now() - interval '1 minute')
$$;

comment on function public.find_account_link is
  'Returns the purpose of an account link (invitation, new-password) and its address; no row for an unknown, used or '
  'expired link.';
revoke all on function public.find_account_link from public, anon, authenticated, service_role;
grant execute on function public.find_account_link to anon, authenticated;

-- Only one of several concurrent form posts claims the link. After a failure the link can be used again: immediately if
-- it was released, otherwise after a minute.
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

comment on function public.claim_account_link is
  'Claims a link for a minute, before the password is set; finish_account_link or release_account_link ends the claim. '
  'user_id is null when the invited person has no account. No row for an unknown, expired or claimed link.';
revoke all on function public.claim_account_link from public, anon, authenticated, service_role;
grant execute on function public.claim_account_link to service_role;

create function public.release_account_link(token_hash text) returns void
language sql security definer
set search_path = ''
as $$
  update private.account_links as link set claimed_at = null where link.token_hash = release_account_link.token_hash
$$;

comment on function public.release_account_link is 'Releases a link that claim_account_link claimed.';
revoke all on function public.release_account_link from public, anon, authenticated, service_role;
grant execute on function public.release_account_link to service_role;

create function public.finish_account_link(token_hash text, user_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  claimed_link private.account_links;
  account auth.users;
begin
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  select * into claimed_link from private.account_links as link where link.token_hash = finish_account_link.token_hash;
  select * into account from auth.users as person where person.id = finish_account_link.user_id;
  -- The link was withdrawn while the password was being set, or belongs to another account.
  if claimed_link.claimed_at is null or account.id is null or lower(account.email) <> claimed_link.email then
    raise exception 'the link is not for this account' using errcode = 'P0002';
  end if;
  if claimed_link.purpose = 'invitation' then
    perform private.give_admin_role(account.id, account.id, 'admin-joined');
  else
    insert into public.admin_events (actor, action, person) values (account.id, 'password-renewed', claimed_link.email);
  end if;
  delete from auth.sessions as session where session.user_id = account.id;
  delete from private.account_links as link where link.user_id = account.id or link.email = claimed_link.email;
end;
$$;

comment on function public.finish_account_link is
  'Completes a claimed link once its password is set; an invitation grants the role. Ends all links and sessions of '
  'the account. Raises P0002 for a link that no longer exists or belongs to another account.';
revoke all on function public.finish_account_link from public, anon, authenticated, service_role;
grant execute on function public.finish_account_link to service_role;

-- One version for the whole list of people: every change to it is logged.
create function private.people_version() returns bigint
language sql stable
set search_path = ''
as $$ select coalesce(max(event.id), 0) from public.admin_events as event where event.person is not null $$;

-- Removing an admin withdraws the invitations that they sent: redeeming one later would let them back in. A trigger,
-- because an operator of a hosted project can delete the user_roles row or the user in the dashboard, bypassing our
-- functions.
create function private.end_sent_invitations() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  -- An invitation that is being accepted either completes before this, or finds no link.
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
