-- Admins' own accounts: events, sessions and secret links.

-- Security events of users' accounts. Retained for 30 days so that the owner can review them, and emailed to the owner
-- when they should learn of one immediately.
create table private.account_events (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  at timestamptz not null default now(),
  kind text not null check (
    kind in ('password-changed', 'sign-in', 'factor-on', 'factor-off', 'recovery-code', 'wrong-codes')
  ),
  -- True until deliver-outbox has queued the mail about it.
  is_mail_due boolean not null,
  -- Unique: a session begins once, so its sign-in is recorded once.
  session_id uuid unique,
  -- Words like "Firefox on Windows", with no text that an attacker could make up, because an email quotes it.
  device text check (device ~ '^[A-Za-z ]{1,60}$'),
  is_new_device boolean,
  -- A sign-in records the device in words, and no IP address.
  constraint account_events_sign_in_check check (
    num_nonnulls(session_id, device, is_new_device) = case when kind = 'sign-in' then 3 else 0 end
  )
);

create index account_events_owner on private.account_events (user_id, at);

-- A trigger, to catch every password change: on the site, through the authentication service directly, or by an
-- operator. Setting the first password of an account is not a change. When the operator sets a password, by the command
-- or by the setting ADMIN_PASSWORD, the log at /admin/people records it. Those callers say so in their transaction:
-- select set_config('private.sets_password', 'operator', true).
create function private.note_new_password() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.account_events (user_id, kind, is_mail_due) values (new.id, 'password-changed', true);
  if current_setting('private.sets_password', true) = 'operator' then
    insert into public.admin_events (action, person) values ('password-set', lower(new.email));
  end if;
  return null;
end;
$$;

-- The site calls this in the new session, before the second factor challenge: the owner should learn of anyone who has
-- the password.
create function public.record_sign_in(device text, is_new_device boolean) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  own_session uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
begin
  if not exists (
    select from auth.sessions as session where session.id = own_session and session.user_id = auth.uid()
  ) then
    raise exception 'a sign-in is noted in its session' using errcode = '42501';
  end if;
  insert into private.account_events (user_id, kind, session_id, device, is_new_device, is_mail_due)
  values (auth.uid(), 'sign-in', own_session, record_sign_in.device, record_sign_in.is_new_device, record_sign_in.is_new_device)
  on conflict (session_id) do nothing;
end;
$$;

comment on function public.record_sign_in is
  'Records the sign-in that began the caller''s session, once. is_new_device: this device never signed in to this '
  'account before, and the owner is notified by email. Raises 42501 without a session, 23514 or 23502 for a device '
  'that is not in words.';
revoke all on function public.record_sign_in from public, anon, authenticated, service_role;
grant execute on function public.record_sign_in to authenticated;

-- Random order, at most twenty per call, so that twenty failing mails cannot block the others forever.
create function public.list_due_account_mails()
returns table (event_id bigint, kind text, at timestamptz, device text, recipient text)
language sql stable security definer
set search_path = ''
as $$
  select event.id, event.kind, event.at, event.device, person.email
  from private.account_events as event
  join auth.users as person on person.id = event.user_id
  where event.is_mail_due and person.email <> ''
  order by random()
  limit 20
$$;

comment on function public.list_due_account_mails is
  'Returns account events whose owners must be notified, at most twenty: {event_id, kind, at, device, recipient}. '
  'Queue each with queue_account_mail.';
revoke all on function public.list_due_account_mails from public, anon, authenticated, service_role;
grant execute on function public.list_due_account_mails to service_role;

create function public.queue_account_mail(event_id bigint, mail jsonb) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  owner uuid;
begin
  -- When two workers run concurrently, the second finds that the mail is no longer due.
  update private.account_events as event
  set is_mail_due = false
  where event.id = queue_account_mail.event_id and event.is_mail_due
  returning event.user_id into owner;
  if not found then
    return false;
  end if;
  insert into private.email_outbox (kind, recipient, subject, body, forget_when_delivered)
  select 'account', person.email, mail ->> 'subject', mail ->> 'body', true
  from auth.users as person
  where person.id = owner;
  return true;
end;
$$;

comment on function public.queue_account_mail is
  'Queues the mail {subject, body} about an event from list_due_account_mails. Returns false if it is no longer due.';
revoke all on function public.queue_account_mail from public, anon, authenticated, service_role;
grant execute on function public.queue_account_mail to service_role;

-- The name and signature that admins choose for their replies. Deleted with the admin role: from then on the logs name
-- the person by their address alone, and the replies that they sent stay as they are.
create table private.admin_names (
  user_id uuid primary key,
  role text not null default 'admin' check (role = 'admin'),
  -- The name reaches a mail header.
  name text not null check (char_length(name) <= 100 and name !~ '[[:cntrl:]]'),
  signature text not null check (char_length(signature) <= 500),
  constraint admin_names_role_fkey foreign key (user_id, role) references public.user_roles on delete cascade
);

-- Admins view their own account and end their other sessions. The API does not expose the authentication service's
-- tables, so these functions read and change only the caller's rows.
create function public.own_account() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  owner uuid := private.require_admin();
  own_session uuid := (auth.jwt() ->> 'session_id')::uuid;
  own private.admin_names;
begin
  select * into own from private.admin_names as stored where stored.user_id = owner;
  return jsonb_build_object(
    'email', (select person.email from auth.users as person where person.id = owner),
    'name', coalesce(own.name, ''),
    'signature', coalesce(own.signature, ''),
    'sessions', (
      select jsonb_agg(
        jsonb_build_object(
          'id', listed.id, 'begun_at', listed.created_at, 'used_at', listed.used_at, 'user_agent', listed.user_agent,
          'is_this', listed.id = own_session
        ) order by listed.id = own_session desc, listed.used_at desc
      )
      from (
        select session.id, session.created_at, session.user_agent,
          -- refreshed_at has no time zone and is in UTC. Renewing its token, about once an hour, counts as use of a
          -- session.
          coalesce(session.refreshed_at at time zone 'UTC', session.created_at) as used_at
        from auth.sessions as session
        where session.user_id = owner and (session.not_after is null or session.not_after > now())
        order by session.id = own_session desc, used_at desc
        limit 50
      ) as listed
    ),
    'events', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', listed.id, 'at', listed.at, 'kind', listed.kind, 'device', listed.device,
          'is_new_device', listed.is_new_device
        ) order by listed.at desc, listed.id desc
      ), '[]')
      from (
        select * from private.account_events as event
        where event.user_id = owner and event.at > now() - private.retention_period('account_events')
        order by event.at desc, event.id desc
        limit 100
      ) as listed
    )
  );
end;
$$;

comment on function public.own_account is
  'Returns the caller''s account. Name and signature may be empty. sessions: the caller''s first, then by last use, '
  'fifty at most. events: the newest hundred. Raises 42501 for non-admins.';
revoke all on function public.own_account from public, anon, authenticated, service_role;
grant execute on function public.own_account to authenticated;

-- Deleting a session deletes its refresh tokens, by the foreign key that both backends have.
create function public.end_own_sessions(session_id uuid default null) returns integer
language plpgsql security definer
set search_path = ''
as $$
declare
  owner uuid := private.require_admin();
  own_session uuid := (auth.jwt() ->> 'session_id')::uuid;
  ended_count integer;
begin
  delete from auth.sessions as session
  where session.user_id = owner and session.id <> own_session
    and (end_own_sessions.session_id is null or session.id = end_own_sessions.session_id);
  get diagnostics ended_count = row_count;
  return ended_count;
end;
$$;

comment on function public.end_own_sessions is
  'Ends another session of the caller, or without session_id all others, and returns how many sessions ended. The '
  'calling session continues. Raises 42501 for non-admins.';
revoke all on function public.end_own_sessions from public, anon, authenticated, service_role;
grant execute on function public.end_own_sessions to authenticated;

-- Saving the same again changes nothing and logs nothing.
create function public.save_own_name(name text, signature text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  owner uuid := private.require_admin();
begin
  insert into private.admin_names as stored (user_id, name, signature)
  values (owner, btrim(save_own_name.name), rtrim(save_own_name.signature, e' \t\r\n'))
  on conflict (user_id) do update set name = excluded.name, signature = excluded.signature
  where (stored.name, stored.signature) is distinct from (excluded.name, excluded.signature);
  if found then
    insert into public.admin_events (actor, action) values (owner, 'name-changed');
  end if;
end;
$$;

comment on function public.save_own_name is
  'Saves the caller''s name, which becomes the sender of their replies, and their signature, which new replies end '
  'with; both may be empty. Logs a change. Raises 42501 for non-admins, 23514 or 23502 for a text that is missing, too '
  'long or, in the name, has control characters.';
revoke all on function public.save_own_name from public, anon, authenticated, service_role;
grant execute on function public.save_own_name to authenticated;

-- Names a person in the logs: "Ada Hale (ada@firm.example)", or by the address alone. Null without an account.
create function private.name_person(person uuid) returns text
language sql stable
set search_path = ''
as $$
  select case when own.name <> '' then format('%s (%s)', own.name, lower(account.email)) else lower(account.email) end
  from auth.users as account left join private.admin_names as own on own.user_id = account.id
  where account.id = person
$$;

-- Secret links into an account: an invitation to become an admin, or a new password to replace a forgotten one. Only
-- the digest of the secret is stored. Using, withdrawing or replacing a link deletes its row.
create table private.account_links (
  id uuid primary key default gen_random_uuid(),
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  purpose text not null check (purpose in ('invitation', 'new-password')),
  -- In lower case. The invited person may not have an account yet.
  email text not null check (email = lower(email) and email ~ '^[^[:space:]@]+@[^[:space:]@]+$' and char_length(email) <= 255),
  -- The account whose password is to be set.
  user_id uuid references auth.users (id) on delete cascade,
  -- The admin who sent the invitation; null for the operator. No foreign key, as in the log.
  invited_by uuid,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Set while a submitted form is setting the password.
  claimed_at timestamptz,
  constraint account_links_owner_check check ((purpose = 'new-password') = (user_id is not null))
);

create index account_links_email on private.account_links (email);

create index account_links_user on private.account_links (user_id);

-- Only invitations are checked: a link to a new password goes to an existing account, regardless of its address.
create trigger check_email_address before insert on private.account_links
  for each row when (new.purpose = 'invitation') execute function private.check_email_address();

-- Queues the mail {subject, body} that contains a link.
create function private.queue_link_mail(link private.account_links, mail jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  subject text := mail ->> 'subject';
  body text := mail ->> 'body';
begin
  perform private.require_mail(mail);
  insert into private.email_outbox (account_link_id, kind, recipient, subject, body)
  values (link.id, 'account-link', link.email, subject, body);
end;
$$;

-- Creates a link to set a new password, for a person who forgot theirs.
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

-- The edge function hides the result, so its caller cannot learn whether the account exists.
create function public.request_new_password(email text, token_hash text, mail jsonb) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  owner uuid;
begin
  -- Serializes concurrent calls, so that the counts below are exact.
  perform pg_advisory_xact_lock(hashtextextended('new-password', 0));
  -- A removed admin can return only by an invitation.
  select account.id into owner from auth.users as account
  where lower(account.email) = lower(btrim(request_new_password.email))
    and coalesce(account.raw_app_meta_data ->> 'admin_revoked', 'false') <> 'true';
  -- Visitors can enter other people's addresses. The limit lasts an hour, not a day: a stranger must not lock the owner
  -- out for long.
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

comment on function public.request_new_password is
  'Creates a link to set a new password, given the SHA-256 of its token, and queues the mail {subject, body} that '
  'contains it. Returns false when no account has this address, or after three links in the last hour. Raises 22023 or '
  '23514 for an invalid mail or digest.';
revoke all on function public.request_new_password from public, anon, authenticated, service_role;
grant execute on function public.request_new_password to service_role;

-- The owner of an account gets an email when a second factor is set up or turned off, when a recovery code is used, and
-- after five wrong codes; all admins see the same events at /admin/people. Triggers, because these changes can also
-- bypass the site: through the authentication service, or by the operator.

-- Wrong codes of the last 15 minutes, regardless of kind and session.
create table private.wrong_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  entered_at timestamptz not null default now()
);

create index wrong_codes_user_id on private.wrong_codes (user_id);

create function private.note_account_event(person uuid, kind text) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Deleting an account also deletes its factors; then there is no owner to notify.
  insert into private.account_events (user_id, kind, is_mail_due)
  select account.id, note_account_event.kind, true from auth.users as account where account.id = person;
  insert into public.admin_events (actor, action, person)
  select account.id, note_account_event.kind, lower(account.email) from auth.users as account where account.id = person;
end;
$$;

create function private.note_factor() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform private.note_account_event(new.user_id, 'factor-on');
  elsif coalesce(current_setting('private.uses_recovery_code', true), '') <> 'on' then
    perform private.note_account_event(old.user_id, 'factor-off');
  end if;
  return null;
end;
$$;

create function private.note_wrong_code(person uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('second-factor ' || person::text, 0));
  delete from private.wrong_codes where entered_at < now() - interval '15 minutes';
  insert into private.wrong_codes (user_id) values (person);
  -- At most one mail an hour.
  if (select count(*) from private.wrong_codes where user_id = person) >= 5 and not exists (
    select from private.account_events as event
    where event.user_id = person and event.kind = 'wrong-codes' and private.is_recent(event.at, '1 hour')
  ) then
    perform private.note_account_event(person, 'wrong-codes');
  end if;
end;
$$;

-- The site calls this in the session in which a code from an authenticator app was wrong.
create function public.record_wrong_code() returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if not exists (
    select from auth.sessions as session
    where session.id = nullif(auth.jwt() ->> 'session_id', '')::uuid and session.user_id = auth.uid()
  ) then
    raise exception 'a wrong code is noted in its session' using errcode = '42501';
  end if;
  perform private.note_wrong_code(auth.uid());
end;
$$;

comment on function public.record_wrong_code is
  'Counts a code that the authentication service rejected. After five in 15 minutes the owner is notified by email. '
  'Raises 42501 without a session.';
revoke all on function public.record_wrong_code from public, anon, authenticated, service_role;
grant execute on function public.record_wrong_code to authenticated;

create trigger note_new_password after update of encrypted_password on auth.users
  for each row when (old.encrypted_password <> '' and old.encrypted_password is distinct from new.encrypted_password)
  execute function private.note_new_password();

create trigger note_new_factor after update of status on auth.mfa_factors
  for each row when (old.status::text <> 'verified' and new.status::text = 'verified')
  execute function private.note_factor();

create trigger note_lost_factor after delete on auth.mfa_factors
  for each row when (old.status::text = 'verified')
  execute function private.note_factor();
