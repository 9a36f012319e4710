-- The network's members: ask to join, confirm, change and leave; reminders and renewals; and the work of admins.

-- Makes a link to a member's page, which ends the earlier ones, and queues the mail {subject, body, closing} that will
-- contain it. With a turn, both wait in the line; a member who is null takes its place without a mail. about: as in the
-- outbox.
create function private.queue_network_link(
  member public.network_members, mail jsonb, turn private.mail_turn default null, about text default null
) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.require_mail(mail);
  if turn.line is null then
    update public.network_members as stored set page_link_at = now() where stored.id = member.id;
  end if;
  insert into private.email_outbox (
    member_id, kind, recipient, subject, body, link_to, closing, forget_when_delivered, line, next_attempt_at, about
  )
  values (
    member.id, 'network', coalesce(member.email, '-'), queue_network_link.mail ->> 'subject',
    queue_network_link.mail ->> 'body', case when member.id is not null then 'page' end,
    queue_network_link.mail ->> 'closing', member.id is null, turn.line, coalesce(turn.place, now()),
    queue_network_link.about
  );
end;
$$;

-- Returns true while the newest link to a member's page waits in the line, or may still be in transit.
create function private.has_recent_link(member_id uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.email_outbox as mail
    where mail.member_id = has_recent_link.member_id and mail.kind = 'network'
      and (mail.line is not null or private.is_recent(mail.created_at, '10 minutes'))
  )
$$;

-- Returns true if a visitor's question may mail this person. A person who stopped all mail, left, or whose mailbox
-- refuses mail gets one mail in 30 days this way, so that they can come back. Counts it. A restricted one gets none:
-- their mail is held, so a new link would only end the one that they have.
create function private.may_mail_again(member public.network_members) returns boolean
language plpgsql
set search_path = ''
as $$
declare
  is_away boolean := not private.may_write(member, 'network') or exists (
    select from private.network_departures as departure
    where departure.left_at > now() - private.retention_period('away_mails')
      and private.is_salted_digest_of(departure.email_hash, private.digest(private.subject_key(member.email)))
  );
begin
  return private.may_write(member, 'reply')
    and (not is_away or private.count_hit(
      private.mailbox_code('away', member.email), private.retention_period('away_mails')
    ) = 1);
end;
$$;

-- Returns the details of a membership, as pending stores them.
create function private.network_details(member public.network_members) returns jsonb
language sql immutable
set search_path = ''
as $$
  select jsonb_build_object(
    'name', member.name, 'company', member.company, 'kind', member.kind, 'fields', member.fields,
    'check_size', member.check_size, 'place', member.place, 'qualification', member.qualification,
    'consent_text_hash', member.consent_text_hash, 'consent_policy_version', member.consent_policy_version
  )
$$;

-- Stores the wish of a contact message's sender to join the network, and queues the mail to confirm it. membership:
-- {kind, fields, check_size, place, qualification, consent_text_hash, consent_policy_version, mail: {subject, body,
-- closing}}; null does nothing. A held-back message sends no mail; an admin can send it (send_network_link). is_again:
-- the same message arrived a few minutes ago, which costs nothing more. Every other wish takes a place in the line,
-- whether or not the address is known or mailed, and leaves it at once when the hour has room. Raises 23514 or 23502 for
-- an invalid or missing value, known or not, and PT429 when the line is full.
create function private.ask_to_join(
  submission jsonb, membership jsonb, is_held boolean, is_again boolean, client_codes jsonb, per_hour integer
) returns private.network_ask
language plpgsql
set search_path = ''
as $$
declare
  wish public.network_members;
  member public.network_members;
  nobody public.network_members;
  is_new boolean;
  is_sent boolean := false;
  turn private.mail_turn;
  has_link boolean;
  is_repeat boolean := false;
begin
  if coalesce(jsonb_typeof(membership), 'null') = 'null' then
    return null;
  end if;
  wish.email := btrim(submission ->> 'email');
  wish.fields := array(select jsonb_array_elements_text(coalesce(nullif(membership -> 'fields', 'null'), '[]')));
  if is_again then
    turn := private.find_turn('network', client_codes, per_hour, true);
  elsif not is_held then
    turn := private.decide_mail('network', wish.email, client_codes, per_hour);
    perform private.require_room(turn);
  end if;
  loop
    -- The checks come before the conflict, so that a known address hides no invalid value.
    insert into public.network_members
      (email, name, company, kind, fields, check_size, place, qualification, consent_text_hash, consent_policy_version)
    values (
      wish.email, submission ->> 'name', submission ->> 'company', membership ->> 'kind', wish.fields,
      membership ->> 'check_size', membership ->> 'place', membership ->> 'qualification',
      membership ->> 'consent_text_hash', membership ->> 'consent_policy_version'
    )
    on conflict do nothing
    returning * into member;
    is_new := found;
    exit when is_new;
    select * into member from public.network_members as stored
    where private.subject_key(stored.email) = private.subject_key(wish.email)
    for update;
    exit when found;
    -- The member left in the meantime.
  end loop;

  has_link := private.has_recent_link(member.id);
  if not is_new then
    wish := jsonb_populate_record(wish, submission - array['id', 'email'] || membership - array['id', 'fields']);
    if coalesce(member.pending, private.network_details(member)) <> private.network_details(wish) then
      update public.network_members as stored
      set pending = private.network_details(wish), pending_at = now()
      where stored.id = member.id;
      -- A link in the line will show this wish as well.
      has_link := private.has_mail_in_line(member.id);
    else
      is_repeat := has_link;
    end if;
  end if;

  is_sent := not is_held and not is_again and turn.withheld_by is null and not has_link and private.may_mail_again(member);
  if not is_held and not is_again then
    perform private.queue_network_link(case when is_sent then member else nobody end, membership -> 'mail', turn);
    if turn.hours = 0 then
      perform private.release_mail(waiting) from private.email_outbox as waiting
      where waiting.kind = 'network' and waiting.line = turn.line and waiting.next_attempt_at = turn.place;
    end if;
  end if;
  -- At most one entry a day beside the mails, which are limited, so that strangers cannot fill a member's log.
  if is_new or is_sent or not is_repeat and not exists (
    select from public.network_events as event
    where event.member_id = member.id and event.action = 'asked-again' and event.at > now() - interval '1 day'
  ) then
    perform private.record_member_event(member.id, 'member', case when is_new then 'asked' else 'asked-again' end, null);
  end if;
  if is_new and not is_held then
    perform private.count_network('asked');
  end if;
  return (turn.hours, case
    when is_held or is_again then null
    when not is_sent then coalesce(turn.withheld_by, 'none')
    when turn.hours > 0 then 'waits'
    else 'sent'
  end)::private.network_ask;
end;
$$;

-- Mails a member the link to their page again. A person who has not confirmed gets no further mail this way, because a
-- stranger may have entered their address. Every question takes a place in the line, and release_waiting_mail deletes
-- that of an address which gets no mail: so the call does equal work, and all that can be observed is the same.
create function public.ask_network_link(
  mail jsonb, email text default null, token text default null, client_codes jsonb default '{}',
  per_hour integer default null
) returns table (hours integer, withheld_by text)
language plpgsql security definer
set search_path = ''
as $$
declare
  member public.network_members;
  -- An unknown token asks for no address, which costs the same.
  address text := coalesce(btrim(ask_network_link.email), (
    select linked.email from public.network_members as linked
    where linked.id = (select private.find_linked_member(ask_network_link.token, 'letter'))
  ), 'unknown');
  turn private.mail_turn := private.decide_mail('network', address, client_codes, per_hour);
begin
  perform private.require_room(turn);
  select * into member from public.network_members as stored
  where private.subject_key(stored.email) = private.subject_key(address) and stored.state <> 'asked'
    and turn.withheld_by is null and not private.has_recent_link(stored.id)
  for update;
  if found and not private.may_mail_again(member) then
    member := null;
  end if;
  perform private.queue_network_link(member, mail, turn);
  if member.id is not null then
    perform private.record_member_event(member.id, 'member', 'link-sent', null);
  end if;
  return query select turn.hours, coalesce(turn.withheld_by, case when turn.hours > 0 then 'waits' end);
end;
$$;

comment on function public.ask_network_link is
  'Puts the mail {subject, body, closing} with a new link in the line, to the member with this address or, if none is '
  'given, whose letter contains this token: at most once in ten minutes and within the limits of confirmations; once in '
  '30 days to a member who stopped all mail or whose mailbox refuses it. Any other address takes a place without a mail. Call release_waiting_mail next. client_codes as for '
  'receive_contact_submission. Returns the most hours until the mail goes (0: now), and for the log mailbox, waits or '
  'null. Raises PT429 when the line is full, 22023, 23502 or 23514 for an invalid mail.';
revoke all on function public.ask_network_link from public, anon, authenticated, service_role;
grant execute on function public.ask_network_link to service_role;

-- Returns true while a mail of the network waits for the mail server.
create function private.has_waiting_mail(member_id uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.email_outbox as mail
    where mail.member_id = has_waiting_mail.member_id and mail.kind = 'network'
      and mail.delivered_at is null and mail.gave_up_at is null
  )
$$;

-- Starts the clocks of members to whom these mails were just delivered: a mail that waited for the mail server
-- costs nobody time. The seven days to confirm begin with the first mail about them, so strangers cannot extend them.
create function private.start_network_clocks(mail_ids uuid[]) returns void
language sql
set search_path = ''
as $$
  with delivered as (
    select mail.member_id, coalesce(bool_or(mail.about = 'reminder'), false) as reminds,
      coalesce(bool_or(mail.about = 'renewal'), false) as asks
    from private.email_outbox as mail
    where mail.id = any (mail_ids) and mail.kind = 'network' and mail.delivered_at = now()
    group by mail.member_id
  ), started as (
    update public.network_members as member
    set asked_at = case
        when member.state = 'asked' and earlier.at < member.asked_at then now() else member.asked_at
      end,
      pending_at = case when earlier.at < member.pending_at then now() else member.pending_at end,
      reminded_at = case when delivered.reminds then now() else member.reminded_at end,
      renewal_asked_at = case when delivered.asks then now() else member.renewal_asked_at end
    from delivered
    cross join lateral (
      select coalesce(max(mail.delivered_at), '-infinity') as at from private.email_outbox as mail
      where mail.member_id = delivered.member_id and mail.kind = 'network' and mail.delivered_at < now()
    ) as earlier
    where member.id = delivered.member_id
    returning member.id, delivered.reminds, delivered.asks
  )
  insert into public.network_events (member_id, actor_kind, action)
  select started.id, 'system', case when started.reminds then 'reminded' else 'renewal-asked' end
  from started where started.reminds or started.asks
$$;

-- Returns when a member was asked to stay, or null. A mail server may hand the mail over and fail to say so, so one that
-- is not known to be delivered counts, but starts no clock.
create function private.asked_to_stay_at(member public.network_members) returns timestamptz
language sql stable
set search_path = ''
as $$
  select coalesce(member.renewal_asked_at, (
    select max(mail.created_at) from private.email_outbox as mail
    where mail.member_id = member.id and mail.about = 'renewal' and mail.created_at > member.renewed_at
  ))
$$;

-- Returns the mail that is due to a member, or null. A reminder goes only to people for whom a first mail was written,
-- and once that is delivered or expired. One that expired unsent is due again after a week.
create function private.due_network_mail(member public.network_members) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  due text := case
    when member.state = 'asked' and member.reminded_at is null and member.asked_at < now() - interval '3 days'
      and member.asked_at > now() - private.retention_period('unconfirmed_members') then 'reminder'
    when member.state in ('confirmed', 'admitted') and member.renewal_asked_at is null
      and member.renewed_at < now() - private.retention_period('member_renewals') then 'renewal'
  end;
begin
  if due is null or not private.may_write(member, 'network') or private.has_waiting_mail(member.id) or exists (
    select from private.email_outbox as mail
    where mail.member_id = member.id and mail.about is not null and mail.created_at > now() - interval '7 days'
  ) or (due = 'reminder' and not exists (select from private.email_outbox as mail where mail.member_id = member.id)) then
    return null;
  end if;
  return due;
end;
$$;

-- At most a third of the hourly limit, which these mails share with those that visitors ask for. Random order, so that
-- failing mails cannot block the others forever. None while the clock is in doubt.
create function public.list_due_network_mails(per_hour integer default null)
returns table (member_id uuid, recipient text, mail text)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  if private.retention_waits() then
    return;
  end if;
  return query
    select member.id, member.email, private.due_network_mail(member)
    from public.network_members as member
    -- The first condition is cheap.
    where (member.state = 'asked' or member.renewed_at < now() - private.retention_period('member_renewals'))
      and private.due_network_mail(member) is not null
    order by random()
    limit greatest(0, private.reminders_per_hour(per_hour) - (
      select count(*) from private.email_outbox as written
      where written.about is not null and private.is_recent(written.created_at, '1 hour')
    ));
end;
$$;

comment on function public.list_due_network_mails is
  'Returns members to write to, at most a third of per_hour (null for the default) and twenty an hour: {member_id, recipient, mail}. mail: reminder (three days after '
  'asking, once, if unconfirmed) or renewal (24 months after the last yes). Queue each with queue_network_mail.';
revoke all on function public.list_due_network_mails from public, anon, authenticated, service_role;
grant execute on function public.list_due_network_mails to service_role;

create function public.queue_network_mail(member_id uuid, mail_kind text, mail jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  member public.network_members;
begin
  select * into member from public.network_members as stored where stored.id = queue_network_mail.member_id for update;
  -- When two workers run concurrently, the second finds that the mail is no longer due.
  if private.due_network_mail(member) is distinct from queue_network_mail.mail_kind or mail_kind is null then
    return;
  end if;
  perform private.count_hit('all:network', interval '1 hour');
  perform private.queue_network_link(member, mail, about => mail_kind);
end;
$$;

comment on function public.queue_network_mail is
  'Queues the mail {subject, body, closing} of a row from list_due_network_mails, with a new link. Does nothing if it is '
  'no longer due. Raises 22023, 23502 or 23514 for an invalid mail.';
revoke all on function public.queue_network_mail from public, anon, authenticated, service_role;
grant execute on function public.queue_network_mail to service_role;

-- Functions for the holder of a link. Any caller with the publishable key may call them, so unknown, expired, forged and
-- malformed tokens all get the same result: null.

-- Returns the member whom a token opens for this purpose, or null. See private.member_token.
create function private.find_linked_member(token text, purpose text) returns uuid
language plpgsql stable
set search_path = ''
as $$
declare
  parts bytea;
begin
  if token is null or token !~ '^[A-Za-z0-9_-]{64}$' then
    return null;
  end if;
  parts := decode(translate(token, '-_', '+/'), 'base64');
  return (
    select member.id
    from public.network_members as member
    where member.id = encode(substr(parts, 1, 16), 'hex')::uuid
      and exists (
        select from private.link_keys as key
        -- Digests are compared, so that the time of the comparison tells nothing about the code.
        where sha256(private.member_link_code(key.secret, member, purpose)) = sha256(substr(parts, 17))
          and (key.ended_at is null
            or (purpose = 'letter' and key.ended_at > now() - private.retention_period('ended_link_keys')))
      )
      and (purpose = 'letter' or member.page_link_at > now() - private.retention_period('page_links'))
      and (member.state <> 'asked' or member.asked_at > now() - private.retention_period('unconfirmed_members'))
  );
end;
$$;

-- Locks the member whom a token opens: of two concurrent calls, the second sees the first one's change. All its fields
-- are null when there is none.
create function private.lock_linked_member(token text, purpose text) returns public.network_members
language plpgsql
set search_path = ''
as $$
declare
  member public.network_members;
begin
  select * into member from public.network_members as stored
  where stored.id = (select private.find_linked_member(lock_linked_member.token, lock_linked_member.purpose)) for update;
  return member;
end;
$$;

-- Identifies a pending wish, with its proof of consent, so that a person confirms or discards only what they saw. Empty
-- for none.
create function private.pending_digest(member public.network_members) returns text
language sql immutable
set search_path = ''
as $$ select coalesce(private.digest(member.pending::text), '') $$;

create function public.find_membership(token text) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  return (
    select private.network_details(member) - array['consent_text_hash', 'consent_policy_version'] || jsonb_build_object(
      'state', member.state, 'email', member.email, 'asked_at', member.asked_at, 'confirmed_at', member.confirmed_at,
      'renewal_asked_at', private.asked_to_stay_at(member),
      'pending', member.pending - array['consent_text_hash', 'consent_policy_version'],
      'pending_digest', private.pending_digest(member),
      'link_ends_at', member.page_link_at + private.retention_period('page_links'),
      'is_restricted', member.frozen_at is not null, 'version', member.version, 'paused_at', member.paused_at,
      'pause_reason', member.pause_reason, 'unsubscribed_at', member.unsubscribed_at,
      'deleted_on', private.local_day(member.unsubscribed_at + private.retention_period('unsubscribed_members'))
    )
    from public.network_members as member
    where member.id = (select private.find_linked_member(find_membership.token, 'page'))
  );
end;
$$;

comment on function public.find_membership is
  'Returns the membership that this token opens, or null. pending: a later wish that waits for confirmation, or null; '
  'pending_digest identifies it, and is empty without one. paused_at: since when the mailbox refuses mail, and '
  'pause_reason its code. unsubscribed_at: when the member stopped all mail, and deleted_on the day on which the '
  'membership ends therefore. Changes nothing, because mail scanners follow links.';
revoke all on function public.find_membership from public, anon, authenticated, service_role;
grant execute on function public.find_membership to anon, authenticated;

-- Raises PT409 if a wish is pending that the page did not show. A second post of a form finds none pending.
create function private.require_shown(member public.network_members, shown text) returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  if member.pending is not null and shown is distinct from private.pending_digest(member) then
    raise exception 'another wish has arrived since the page was shown' using errcode = 'PT409';
  end if;
end;
$$;

-- Confirms an ask, a later wish, a renewal, and that mail may come again alike: each is a yes of the person who holds the
-- mailbox.
create function public.confirm_membership(token text, shown text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
  wish public.network_members := jsonb_populate_record(member, coalesce(member.pending, '{}'));
  is_first boolean := member.state = 'asked';
  resumes boolean := member.paused_at is not null or member.unsubscribed_at is not null;
  renews boolean := private.asked_to_stay_at(member) is not null;
begin
  perform private.require_shown(member, shown);
  -- Restricted data is only stored.
  if member.frozen_at is null
    and (is_first or resumes or member.pending is not null or renews) then
    if member.pending is not null then
      update public.network_members as stored
      set name = wish.name, company = wish.company, kind = wish.kind, fields = wish.fields, check_size = wish.check_size,
        place = wish.place, qualification = wish.qualification, consent_text_hash = wish.consent_text_hash,
        consent_policy_version = wish.consent_policy_version, pending = null, pending_at = null
      where stored.id = member.id;
    end if;
    if is_first then
      update public.network_members as stored
      set state = 'confirmed', confirmed_at = now(), renewed_at = now()
      where stored.id = member.id;
      delete from private.network_departures as departure
      where private.is_salted_digest_of(departure.email_hash, private.digest(private.subject_key(member.email)));
    end if;
    update public.network_members as stored
    set renewed_at = now(), renewal_asked_at = null, paused_at = null, pause_reason = null, unsubscribed_at = null
    where stored.id = member.id;
    perform private.record_member_event(member.id, 'member', done.action, null)
    from (values
      ('confirmed', is_first), ('resumed', resumes), ('changed', member.pending is not null),
      ('renewed', renews and not is_first)
    ) as done (action, applies) where done.applies;
    if is_first then
      perform private.count_network('confirmed');
    end if;
  end if;
  return public.find_membership(token);
end;
$$;

comment on function public.confirm_membership is
  'Confirms the membership of this token, the pending wish and a requested renewal, ends a pause of its mail, and '
  'returns it as find_membership does; null for an unknown token. Changes nothing the second time, or while restricted. '
  'Raises PT409 if a wish is pending and shown is not its pending_digest: it arrived after the page was shown.';
revoke all on function public.confirm_membership from public, anon, authenticated, service_role;
grant execute on function public.confirm_membership to anon, authenticated;

create function public.discard_membership_change(token text, shown text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
begin
  perform private.require_shown(member, shown);
  if member.pending is not null and member.frozen_at is null then
    update public.network_members as stored set pending = null, pending_at = null where stored.id = member.id;
    perform private.record_member_event(member.id, 'member', 'change-discarded', null);
  end if;
  return public.find_membership(token);
end;
$$;

comment on function public.discard_membership_change is
  'Discards the pending wish of this token''s membership, and returns it as find_membership does; null for an unknown '
  'token. Changes nothing without one, or while restricted. Raises PT409 as confirm_membership.';
revoke all on function public.discard_membership_change from public, anon, authenticated, service_role;
grant execute on function public.discard_membership_change to anon, authenticated;

create function public.end_page_links(token text) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
begin
  update public.network_members as stored set page_link_at = now() where stored.id = member.id;
  if found then
    perform private.record_member_event(member.id, 'member', 'links-ended', null);
  end if;
  return member.id is not null;
end;
$$;

comment on function public.end_page_links is
  'Ends all links to the page of this token''s member, this one too. Links in letters go on stopping mail. Returns false '
  'when the token opens none.';
revoke all on function public.end_page_links from public, anon, authenticated, service_role;
grant execute on function public.end_page_links to anon, authenticated;

-- A change after a renewal was requested is a yes as well.
create function public.change_membership(token text, details jsonb, seen_version integer) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
  wish public.network_members;
begin
  if member.id is null then
    return null;
  end if;
  if member.state = 'asked' or member.frozen_at is not null then
    raise exception 'this membership cannot be changed now' using errcode = '55000';
  end if;
  if seen_version is distinct from member.version then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
  begin
    -- Otherwise a number, an array or an object would be stored as a text, its JSON.
    if details is null or exists (
      select from jsonb_each(details)
      where key in ('name', 'company', 'kind', 'check_size', 'place', 'qualification')
        and jsonb_typeof(value) not in ('string', 'null')
    ) then
      raise exception 'a text is expected' using errcode = '22023';
    end if;
    select * into wish from jsonb_populate_record(member, (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(details)
      where key in ('name', 'company', 'kind', 'fields', 'check_size', 'place', 'qualification')
    ));
  exception when data_exception then
    raise exception 'a value has another type' using errcode = '23514';
  end;
  if wish <> member then
    update public.network_members as stored
    set name = wish.name, company = wish.company, kind = wish.kind, fields = wish.fields, check_size = wish.check_size,
      place = wish.place, qualification = wish.qualification
    where stored.id = member.id;
    perform private.record_member_event(member.id, 'member', 'changed', null);
  end if;
  if private.asked_to_stay_at(member) is not null then
    update public.network_members as stored
    set renewed_at = now(), renewal_asked_at = null, paused_at = null, pause_reason = null
    where stored.id = member.id;
    perform private.record_member_event(member.id, 'member', 'renewed', null);
  end if;
  return public.find_membership(token);
end;
$$;

comment on function public.change_membership is
  'Changes the membership of this token to {name, company, kind, fields, check_size, place, qualification}; an absent '
  'key keeps its value. Returns it as find_membership does, or null for an unknown token. Raises 55000 before '
  'confirmation and while restricted, PT409 when seen_version is not its version, 23514 or 23502 for an invalid value.';
revoke all on function public.change_membership from public, anon, authenticated, service_role;
grant execute on function public.change_membership to anon, authenticated;

-- Deletes a membership with its log, links and mails, and keeps a digest of the address. The caller allows erasing logs
-- (private.keep_log) and has locked the row.
create function private.remove_member(member public.network_members) returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from public.network_members as stored where stored.id = member.id;
  insert into private.network_departures (email_hash) values (private.digest(private.subject_key(member.email)));
  -- A wish that was never confirmed was no membership.
  if member.state <> 'asked' then
    perform private.count_network('left');
  end if;
end;
$$;

-- The person's own erasure (GDPR, article 17): it takes precedence over a restriction and over their open requests.
create function public.leave_network(token text) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
begin
  if member.id is null then
    return false;
  end if;
  perform set_config('private.erases_log', 'on', true);
  perform private.remove_member(member);
  perform set_config('private.erases_log', 'off', true);
  return true;
end;
$$;

comment on function public.leave_network is
  'Deletes the membership of this token, with its log, links and mails, and keeps a salted digest of the address. '
  'Returns false when the token opens none.';
revoke all on function public.leave_network from public, anon, authenticated, service_role;
grant execute on function public.leave_network to anon, authenticated;

-- For admins. Each function below raises 42501 for non-admins, and P0002 for an unknown or restricted member.

create function private.lock_member(member_id uuid) returns public.network_members
language plpgsql
set search_path = ''
as $$
declare
  member public.network_members;
begin
  select * into member from private.open_members as stored where stored.id = lock_member.member_id for update;
  if not found then
    raise exception 'there is no such member' using errcode = 'P0002';
  end if;
  return member;
end;
$$;

-- Members that match, for lists and letters; null matches all. A network has hundreds of members, so all are read.
create function private.filter_members(states text[], kind text, field text, search text default null)
returns setof public.network_members
language sql stable
set search_path = ''
as $$
  -- Splits the search once, not for each member.
  with needle as materialized (select private.find_search_words(search) as words)
  select member.* from private.open_members as member, needle
  where (states is null or member.state = any (states))
    and (filter_members.kind is null or member.kind = filter_members.kind)
    and (filter_members.field is null or filter_members.field = any (member.fields))
    and (needle.words is null or (
      select bool_and(strpos(folded.words, word) > 0)
      from unnest(needle.words) as word, (
        select private.fold_text(concat_ws(e'\n', member.name, member.company, member.email, member.place)) as words
      ) as folded
    ))
$$;

create function public.list_network_members(
  state text default null, kind text default null, field text default null, page integer default 1,
  page_size integer default 25, search text default null
) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  most constant integer := least(greatest(page_size, 1), 100);
  states constant text[] := case when state is not null then array[state] end;
begin
  perform private.require_admin();
  return jsonb_build_object(
    'members', (
      select coalesce(jsonb_agg(
        to_jsonb(listed) - array[
          'pending', 'pending_at', 'page_link_at', 'qualification', 'renewed_at', 'consent_text_hash',
          'consent_policy_version', 'reminded_at', 'renewal_asked_at', 'paused_at', 'pause_reason', 'frozen_at', 'version'
        ] || jsonb_build_object('undelivered_at', last_mail.gave_up_at, 'refusal', last_mail.last_error, 'link_waits', private.has_mail_in_line(listed.id)) order by coalesce(listed.confirmed_at, listed.asked_at) desc, listed.id
      ), '[]')
      from (
        select * from private.filter_members(states, kind, field, search) as member
        order by coalesce(member.confirmed_at, member.asked_at) desc, member.id
        offset (greatest(page, 1)::bigint - 1) * most limit most
      ) as listed
      left join lateral (
        select mail.gave_up_at, mail.last_error from private.email_outbox as mail
        where mail.member_id = listed.id and mail.gave_up_at is not null and not exists (
          select from private.email_outbox as later
          where later.member_id = listed.id and later.created_at > mail.created_at
        )
      ) as last_mail on true
    ),
    'total', (select count(*) from private.filter_members(states, kind, field, search)),
    'counts', (
      select jsonb_build_object(
        'asked', count(*) filter (where member.state = 'asked'),
        'confirmed', count(*) filter (where member.state = 'confirmed'),
        'admitted', count(*) filter (where member.state = 'admitted'),
        'declined', count(*) filter (where member.state = 'declined'),
        'left', (select count(*) from private.network_departures)
      )
      from private.filter_members(null, kind, field, search) as member
    )
  );
end;
$$;

comment on function public.list_network_members is
  'Returns a page of members, those confirmed last first. state, kind, field, search: null for all. search: words, each '
  'a part of name, company, email or place, regardless of accents. page: from 1. page_size: 100 at most. undelivered_at: '
  'when the newest mail was given up, and refusal why; or null. total: matching members; counts: those of each state. '
  'Raises 42501 for non-admins.';
revoke all on function public.list_network_members from public, anon, authenticated, service_role;
grant execute on function public.list_network_members to authenticated;

create function public.find_network_member(member_id uuid) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select to_jsonb(member) - 'frozen_at' || jsonb_build_object(
      'may_get_link', private.may_write(row(member.*)::public.network_members, 'link'),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', event.id, 'at', event.at, 'actor_kind', event.actor_kind,
          'actor', coalesce(private.name_person(event.actor), left(event.actor::text, 8)),
          'action', event.action, 'note', event.note
        ) order by event.id), '[]')
        from public.network_events as event where event.member_id = member.id
      ),
      'mails', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', mail.id, 'kind', mail.kind, 'subject', mail.subject, 'created_at', mail.created_at,
          'delivered_at', mail.delivered_at, 'gave_up_at', mail.gave_up_at, 'code', mail.last_error,
          'waits_in_line', mail.line is not null
        ) order by mail.created_at, mail.id), '[]')
        from private.email_outbox as mail where mail.member_id = member.id
      ),
      'messages', (
        select coalesce(jsonb_agg(jsonb_build_object('id', submission.id, 'created_at', submission.created_at)
          order by submission.created_at desc, submission.id), '[]')
        from private.open_submissions as submission
        where private.subject_key(submission.email) = private.subject_key(member.email)
      )
    )
    from private.open_members as member
    where member.id = find_network_member.member_id
  );
end;
$$;

comment on function public.find_network_member is
  'Returns all that is stored about a member, with their log, mails and messages from the same address; null for an '
  'unknown or restricted one. may_get_link: send_network_link may mail them. actor: the admin''s name and address, or '
  'the address alone. Raises 42501 for non-admins.';
revoke all on function public.find_network_member from public, anon, authenticated, service_role;
grant execute on function public.find_network_member to authenticated;

-- Admission is an admin's dated decision about a person whose address is confirmed. A note posted twice is one note.
create function public.review_network_member(member_id uuid, action text, note text, seen_version integer) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  member public.network_members;
  words text := nullif(btrim(coalesce(note, ''), e' \t\r\n'), '');
begin
  perform private.require_admin();
  member := private.lock_member(member_id);
  if member.state = 'asked' then
    raise exception 'this person has not confirmed the address' using errcode = '55000';
  end if;
  if review_network_member.action is null or review_network_member.action not in ('noted', 'admitted', 'declined') then
    raise exception 'there is no such review' using errcode = '22023';
  end if;
  if words is not null or review_network_member.action = 'noted' then
    words := private.require_words(note);
  end if;
  if review_network_member.action = 'noted' and exists (
    select from public.network_events as event
    where event.member_id = member.id and event.action = 'noted' and event.note = words
      and event.at > now() - interval '1 day'
  ) then
    return;
  end if;
  if seen_version is distinct from member.version then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
  if review_network_member.action <> 'noted' then
    update public.network_members as stored
    set state = review_network_member.action, decided_at = now()
    where stored.id = member.id;
  end if;
  perform private.record_member_event(member.id, 'admin', review_network_member.action, words);
end;
$$;

comment on function public.review_network_member is
  'Logs a review of a confirmed member. action: noted (with a note), admitted or declined (the note is optional). Raises '
  '42501 for non-admins, P0002 for an unknown or restricted member, 55000 for an unconfirmed one, 22023 for another '
  'action or a missing or too long note, PT409 when seen_version is not the member''s version.';
revoke all on function public.review_network_member from public, anon, authenticated, service_role;
grant execute on function public.review_network_member to authenticated;

-- For a member whose mail was lost, or was never sent because the message was held back.
create function public.send_network_link(member_id uuid, mail jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  member public.network_members;
begin
  perform private.require_admin();
  member := private.lock_member(member_id);
  if not private.may_write(member, 'link') then
    raise exception 'this member stopped all mail' using errcode = '55006';
  end if;
  if private.has_recent_link(member.id) then
    raise exception 'a link waits, or was sent less than ten minutes ago' using errcode = '55000';
  end if;
  update public.network_members as stored set asked_at = now() where stored.id = member.id and stored.state = 'asked';
  perform private.queue_network_link(member, mail);
  perform private.record_member_event(member.id, 'admin', 'link-sent', null);
end;
$$;

comment on function public.send_network_link is
  'Queues the mail {subject, body, closing} with a new link, which ends the earlier ones. The seven days of an '
  'unconfirmed member begin anew. A pause of mail goes on: the member ends it. Raises 42501 for non-admins, P0002 for an '
  'unknown or restricted member, 55006 for one who stopped all mail, 55000 within ten minutes of the last link or while '
  'one waits in the line, 22023 or 23514 for an invalid mail.';
revoke all on function public.send_network_link from public, anon, authenticated, service_role;
grant execute on function public.send_network_link to authenticated;

create function public.remove_network_member(member_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  member public.network_members := private.lock_member(member_id);
begin
  if private.is_asked_for(member.email) then
    raise exception 'this person has asked for their data' using errcode = '55006';
  end if;
  insert into public.admin_events (actor, action) values (actor, 'member-removed');
  perform set_config('private.erases_log', 'on', true);
  perform private.remove_member(member);
  perform set_config('private.erases_log', 'off', true);
end;
$$;

comment on function public.remove_network_member is
  'Removes a member as leave_network does, and logs it in admin_events. Raises 42501 for non-admins, P0002 for an '
  'unknown or restricted member, 55006 while the member has an open request for their data.';
revoke all on function public.remove_network_member from public, anon, authenticated, service_role;
grant execute on function public.remove_network_member to authenticated;

-- One JSON array, because PostgREST limits the rows of a set.
create function public.export_network_members(
  state text default null, kind text default null, field text default null, search text default null
) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into public.admin_events (actor, action) values (private.require_admin(), 'members-exported');
  return (
    select coalesce(jsonb_agg(
      to_jsonb(member) - 'frozen_at' order by coalesce(member.confirmed_at, member.asked_at) desc, member.id
    ), '[]')
    from private.filter_members(case when state is not null then array[state] end, kind, field, search) as member
    where private.may_write(member, 'link')
  );
end;
$$;

comment on function public.export_network_members is
  'Returns all members that match the filters of list_network_members, as an array of all that is stored about them, '
  'except those who stopped all mail. Logged in admin_events. Raises 42501 for non-admins.';
revoke all on function public.export_network_members from public, anon, authenticated, service_role;
grant execute on function public.export_network_members to authenticated;
