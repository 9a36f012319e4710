-- Admin work on data rights requests: resolve, extend, resend and remind.

-- For admins. Each public function about a step raises 42501 for non-admins, P0002 for an unknown request, 55000 for a
-- step that is not possible now, 22023 for a missing text or a mail {subject, body} without text, 23514 for a malformed
-- digest, and PT409 when the caller saw another version.

-- The steps that an admin can take, one a line. from_states, types: of the requests that it is possible for; null for all
-- types. becomes: the new state, or null. logs: its entry in the log. mails: the kind of its mail to the requester, or
-- null. has_note: it needs a reason, note or message. is_plain: take_request_step takes it, because a note and a mail are
-- all that it needs; each other step has its own function. A complaint proves nothing about its author, so no data is
-- disclosed, changed, restricted or erased for it.
create function private.request_steps() returns table (
  step text, from_states text[], types text[], becomes text, logs text, mails text, has_note boolean, is_plain boolean
)
language sql immutable
as $$
  select steps.*
  from (values (
    '{open,in_progress}'::text[], '{access,rectification,erasure,portability,restrict,object,other}'::text[],
    '{unconfirmed,open,in_progress,completed,refused,withdrawn}'::text[]
  )) as of (worked_on, proven, any_state)
  cross join lateral (values
    ('startWork', '{open}'::text[], null::text[], 'in_progress', 'taken-up', null, false, true),
    ('note', any_state, null, null, 'noted', null, true, true),
    ('extend', worked_on, proven, null, 'extended', 'request-answer', true, true),
    ('package', '{open,in_progress,completed}', proven, null, 'exported', null, false, false),
    ('correct', worked_on, '{rectification,other}', null, 'corrected', null, true, false),
    ('handOver', worked_on, '{access,portability,other}', 'completed', 'completed', 'request-answer', true, true),
    ('complete', worked_on, proven, 'completed', 'completed', 'request-answer', true, true),
    ('outcome', worked_on, '{complaint}', 'completed', 'completed', 'request-answer', true, true),
    -- The firm need not act for a person it cannot identify (GDPR, article 12(2)).
    ('refuse', '{unconfirmed,open,in_progress}', proven, 'refused', 'refused', 'request-answer', true, true),
    ('resend', '{unconfirmed}', null, null, 'confirmation-resent', 'request-acknowledgement', false, false),
    ('acknowledge', worked_on, '{complaint}', null, 'acknowledgement-resent', 'request-acknowledgement', false, false),
    ('resendAnswer', '{unconfirmed,open,in_progress,completed,refused}', null, null, 'answer-resent', null, false, false),
    ('erase', worked_on, '{erasure,object,other}', null, null, 'request-answer', false, false),
    ('restrict', worked_on, '{restrict,object,rectification,other}', null, 'restricted', null, true, true),
    ('lift', any_state, proven, null, 'restriction-ending', 'request-answer', true, true),
    ('keepRestriction', any_state, proven, null, 'restriction-kept', 'request-answer', true, true)
  ) as steps
$$;

-- Returns the steps that are possible for a request now: the page offers these, and no other is taken. An extension
-- comes once, and before the due date: the requester must learn of it, and why, within the first month (GDPR, article
-- 12(3)), and mail takes time.
create function private.possible_steps(request public.data_rights_requests) returns text[]
language sql stable
set search_path = ''
as $$
  select array_agg(steps.step)
  from private.request_steps() as steps
  where request.state = any (steps.from_states)
    and (steps.types is null or request.request_type = any (steps.types))
    and case steps.step
      when 'extend' then request.extended_at is null and private.today() < request.due_on
      when 'restrict' then request.frozen_at is null
      when 'lift' then request.frozen_at is not null and request.restriction_ends_on is null
      when 'keepRestriction' then request.restriction_ends_on is not null
      else true
    end
$$;

-- Locks an address and the request until the transaction ends, and returns the request: of two concurrent admins, the
-- second sees the first one's change, and two requests of one person are never processed concurrently.
-- receive_data_rights_request takes the same lock.
create function private.lock_request(request_id uuid) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  perform pg_advisory_xact_lock(hashtextextended(private.subject_key(stored.email), 0))
  from public.data_rights_requests as stored where stored.id = lock_request.request_id;
  select * into request from public.data_rights_requests as stored where stored.id = lock_request.request_id for update;
  if not found then
    raise exception 'there is no such request' using errcode = 'P0002';
  end if;
  return request;
end;
$$;

-- Locks a request for a step, which must be possible for it. The locked version must be the one that the caller saw.
create function private.begin_step(request_id uuid, step text) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests := private.lock_request(request_id);
begin
  perform private.require_seen(request.version);
  if not coalesce(step = any (private.possible_steps(request)), false) then
    raise exception 'the step % is not possible for this request', step using errcode = '55000';
  end if;
  return request;
end;
$$;

-- Does what the step's line says: changes the state, logs it with the note, and queues the mail.
create function private.finish_step(request public.data_rights_requests, step text, note text, mail jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  taken record;
begin
  select * into taken from private.request_steps() as steps where steps.step = finish_step.step;
  if taken.has_note then
    note := private.require_words(note);
  end if;
  if taken.becomes is not null then
    update public.data_rights_requests as stored
    set state = taken.becomes, closed_at = case when taken.becomes <> 'in_progress' then now() end,
      undelivered_at = case when taken.becomes = 'in_progress' then stored.undelivered_at end
    where stored.id = request.id;
  end if;
  perform private.record_request_event(request.id, 'admin', taken.logs, note);
  if taken.mails is not null then
    perform private.queue_request_mail(request, taken.mails, request.email, mail, false);
  end if;
end;
$$;

-- Returns a reason or note, trimmed.
create function private.require_words(words text) returns text
language plpgsql immutable
set search_path = ''
as $$
begin
  if coalesce(btrim(words, e' \t\r\n'), '') = '' or char_length(words) > 2000 then
    raise exception 'a reason or note of 1 to 2,000 characters is needed' using errcode = '22023';
  end if;
  return btrim(words, e' \t\r\n');
end;
$$;

create function public.take_request_step(request_id uuid, step text, note text default null, mail jsonb default null)
returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  if step is null or step not in (select steps.step from private.request_steps() as steps where steps.is_plain) then
    raise exception 'another function takes this step' using errcode = '22023';
  end if;
  request := private.begin_step(request_id, step);
  -- A form posted twice is one note.
  if step = 'note' and exists (
    select from public.data_rights_events as event
    where event.request_id = request.id and event.action = 'noted' and private.is_recent(event.at, '1 day')
      and event.note = private.require_words(take_request_step.note)
  ) then
    return;
  elsif step = 'extend' then
    update public.data_rights_requests as stored
    set extended_at = now(), extension_reason = private.require_words(note),
      due_on = private.data_rights_extended_to(private.local_day(stored.received_at))
    where stored.id = request.id
    returning * into request;
  elsif step = 'handOver' then
    insert into private.data_packages (request_id, content)
    values (request.id, public.export_subject_data(request.id))
    -- The mail about an earlier one was not delivered.
    on conflict on constraint data_packages_pkey do update set content = excluded.content, available_until = default;
    perform private.record_request_event(request.id, 'admin', 'handed-over', null);
  elsif step = 'restrict' then
    perform private.freeze_records(private.subject_key(request.email), now(), 'admin');
  elsif step in ('lift', 'keepRestriction') then
    -- The person must be informed before a restriction is lifted (GDPR, article 18(3)). The mail names the day on which
    -- retention lifts it: late enough for a mail that a server deferred for five days to arrive first.
    request.restriction_ends_on := case when step = 'lift' then private.today() + 7 end;
    update public.data_rights_requests as own
    set restriction_ends_on = request.restriction_ends_on
    where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is not null;
  end if;
  perform private.finish_step(request, step, note, mail);
end;
$$;

comment on function public.take_request_step is
  'Takes a plain step of private.request_steps. handOver lets the person download everything held about them, as '
  'export_subject_data returns it now. restrict freezes all data held under the address. lift announces the end of that, '
  'whose day fills in {{restriction_ends_on}} in the mail, and keepRestriction calls it off. Raises 22023 for another step.';
revoke all on function public.take_request_step from public, anon, authenticated, service_role;
grant execute on function public.take_request_step to authenticated;

-- Replaces the links, for a requester whose mail was lost or withheld, whose link expired, or whose browser filled in the
-- honeypot. The mark of suspicion stays until the request is confirmed.
create function public.resend_request_links(
  request_id uuid, step text, status_token_hash text, mail jsonb, confirm_token_hash text default null
) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests := private.begin_step(request_id, step);
begin
  if step not in ('resend', 'acknowledge') then
    raise exception 'this step sends no links' using errcode = '22023';
  end if;
  delete from private.email_outbox as waiting where waiting.request_id = request.id and waiting.line is not null;
  perform private.replace_links(request, status_token_hash, confirm_token_hash);
  perform private.finish_step(request, step, null, mail);
end;
$$;

comment on function public.resend_request_links is
  'Sends the confirmation of an unconfirmed request (step resend) or the acknowledgement of a complaint (acknowledge) '
  'again, with new links given the SHA-256 of their tokens. Raises 22023 for another step.';
revoke all on function public.resend_request_links from public, anon, authenticated, service_role;
grant execute on function public.resend_request_links to authenticated;

-- A request that this mail had closed is closed again. Data that was handed over stays for another seven days.
create function public.resend_answer(request_id uuid, mail_id uuid, address text default null) returns boolean
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  request public.data_rights_requests;
  mail private.email_outbox;
  sent_to text := nullif(btrim(address), '');
  outcome text;
  sent_at timestamptz[];
begin
  perform private.lock_request(request_id);
  select * into mail from private.email_outbox as queued
  where queued.id = mail_id and queued.request_id = resend_answer.request_id and queued.kind = 'request-answer' for update;
  if mail.id is null then
    raise exception 'there is no such mail' using errcode = 'P0002';
  end if;
  if not private.is_resendable(mail) then
    return false;
  end if;
  request := private.begin_step(request_id, 'resendAnswer');
  select array_agg(sent.created_at) into sent_at from private.requeue(mail, coalesce(sent_to, mail.recipient)) as sent;
  if sent_to <> mail.recipient then
    update public.data_rights_requests as stored set mail_to = sent_to where stored.id = request.id;
    update private.email_outbox as queued set recipient = sent_to
    where queued.request_id = request.id and queued.recipient is not null and queued.delivered_at is null;
    perform private.record_request_event(request.id, 'admin', 'address-corrected', null);
  end if;
  perform private.finish_step(request, 'resendAnswer', null, null);
  if mail.gave_up_at is null then
    return true;
  end if;

  -- The mail of a step is queued in the step's transaction.
  select case event.action when 'refused' then 'refused' else 'completed' end into outcome
  from public.data_rights_events as event
  where event.request_id = request.id and event.at = any (sent_at) and event.action in ('completed', 'refused');
  if exists (
    select from public.data_rights_events as event
    where event.request_id = request.id and event.at = any (sent_at) and event.action = 'handed-over'
  ) then
    update private.data_packages as package set available_until = default where package.request_id = request.id;
    if not found then
      raise exception 'the data is no longer kept for download' using errcode = '55000';
    end if;
  end if;
  update public.data_rights_requests as stored
  set state = coalesce(outcome, stored.state), closed_at = case when outcome is not null then now() end, undelivered_at = null
  where stored.id = request.id;
  return true;
end;
$$;

comment on function public.resend_answer is
  'Sends a reply to a request again that was not delivered, and the others that its mailbox did not get, with an address '
  'to the corrected one, where later mail about the request goes, too. Closes the request again if one had closed it. Returns false and does nothing for a mail '
  'that was delivered or is about to be sent. Raises P0002 for an unknown mail, 55000 for a withdrawn request, or one '
  'whose data is no longer kept for download, 23514 for an invalid address.';
revoke all on function public.resend_answer from public, anon, authenticated, service_role;
grant execute on function public.resend_answer to authenticated;

-- The firm is notified when a request is confirmed, and again 7 and 2 days before it is due. A requester who has not
-- confirmed gets a second mail with new links 20 days after the first; one who requests their data gets the link to it.
-- The due mail follows from the request's state, so a missed run loses nothing: each run of deliver-outbox lists the
-- due mails, writes them and queues them here.

-- Returns the reminder that is due for a request now, or null.
create function private.due_reminder(request public.data_rights_requests) returns text
language sql stable
set search_path = ''
as $$
  select case
    when exists (
      select 1 from private.data_packages as package
      where package.request_id = request.id and package.link_wanted_at is not null and package.available_until > now()
    ) then 'package-link'
    when request.closed_at is not null then null
    when request.state = 'unconfirmed' then case
      -- Leaves five days for mail limits and mail servers before day 25.
      when request.last_reminder is null and request.received_at <= now() - interval '20 days'
        and coalesce(request.last_reminder_at <= now() - interval '6 hours', true)
        then 'unconfirmed'
    end
    when coalesce(request.last_reminder, 'unconfirmed') = 'unconfirmed' then 'confirmed'
    -- After an extension the firm is reminded of the new due date.
    when timing.days_left <= 2 and (timing.reminder <> 'due-in-2-days') then 'due-in-2-days'
    when timing.days_left between 3 and 7 and timing.reminder = 'confirmed' then 'due-in-7-days'
  end
  from (
    select request.due_on - private.today() as days_left,
      case when request.extended_at > request.last_reminder_at then 'confirmed' else request.last_reminder end as reminder
  ) as timing
$$;

-- Random order, at most twenty per call, so that twenty failing mails cannot block the others forever.
create function public.list_due_reminders()
returns table (request_id uuid, reminder text, request_type text, recipient text)
language sql stable security definer
set search_path = ''
as $$
  select request.id, due.reminder, request.request_type,
    case when due.reminder in ('unconfirmed', 'package-link') then request.email end
  from public.data_rights_requests as request
  cross join lateral private.due_reminder(request) as due (reminder)
  -- The first conditions are cheap: thousands of invented requests may be unconfirmed.
  where (
    request.id in (select package.request_id from private.data_packages as package where package.link_wanted_at is not null)
    or request.closed_at is null and (
      request.state <> 'unconfirmed' or request.last_reminder is null and request.received_at <= now() - interval '20 days'
    )
  ) and due.reminder is not null
  order by random()
  limit 20
$$;

comment on function public.list_due_reminders is
  'Returns the reminders that are due now, at most twenty: {request_id, reminder, request_type, recipient}. '
  'unconfirmed and package-link go to the requester, at recipient; confirmed, due-in-7-days and due-in-2-days go to '
  'the firm. Queue each with queue_reminder.';
revoke all on function public.list_due_reminders from public, anon, authenticated, service_role;
grant execute on function public.list_due_reminders to service_role;

create function public.queue_reminder(
  request_id uuid,
  reminder text,
  mail jsonb,
  confirm_token_hash text default null,
  status_token_hash text default null,
  acknowledgements_per_hour integer default null,
  package_token_hash text default null
) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
  turn private.mail_turn;
begin
  -- When two workers run concurrently, the second finds that the reminder is no longer due.
  select * into request from public.data_rights_requests as stored
  where stored.id = queue_reminder.request_id for update;
  if not found or private.due_reminder(request) is distinct from queue_reminder.reminder then
    return false;
  end if;

  if reminder = 'package-link' then
    delete from private.data_rights_links as link where link.request_id = request.id and link.purpose = 'package';
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    select package_token_hash, request.id, 'package', package.available_until
    from private.data_packages as package where package.request_id = request.id;
    update private.data_packages as package set link_wanted_at = null where package.request_id = request.id;
    perform private.record_request_event(request.id, 'system', 'package-link-sent', null);
    perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false);
    return true;
  end if;

  if reminder = 'unconfirmed' then
    turn := private.decide_mail(
      'request-acknowledgement', request.email,
      -- No visitor caused this mail, so it takes its turn like a network's first.
      jsonb_build_object('client', translate(rtrim(encode(sha256(uuid_send(request.id)), 'base64'), '='), '+/', '-_')),
      acknowledgements_per_hour
    );
    if turn.withheld_by is not null or turn.is_full then
      update public.data_rights_requests as stored set last_reminder_at = now() where stored.id = request.id;
      return false;
    end if;
    perform private.replace_links(request, status_token_hash, confirm_token_hash);
    perform private.record_request_event(request.id, 'system', 'confirmation-resent', null);
    perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false, turn);
  else
    perform private.queue_request_mail(request, 'request-firm', null, mail, false);
  end if;

  update public.data_rights_requests as stored
  set last_reminder = queue_reminder.reminder, last_reminder_at = now()
  where stored.id = request.id;
  return true;
end;
$$;

comment on function public.queue_reminder is
  'Queues a mail {subject, body} from list_due_reminders. Returns false if it is no longer due, or if a limit '
  'withholds it for six hours. Links are given by the SHA-256 of their tokens: unconfirmed replaces all links of the '
  'request, package-link only its own.';
revoke all on function public.queue_reminder from public, anon, authenticated, service_role;
grant execute on function public.queue_reminder to service_role;

-- The reminder to confirm counts from its delivery, and the link in it lasts for some days from then. One that expired
-- unsent is due again; one that the mailbox refused was sent.
create function private.settle_reminder(mail private.email_outbox) returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.data_rights_requests as request
  set last_reminder_at = now(), last_reminder = case when mail.delivered_at is not null then request.last_reminder end
  where request.id = mail.request_id and request.state = 'unconfirmed' and request.last_reminder = 'unconfirmed'
    and mail.created_at >= request.last_reminder_at
    and (mail.delivered_at is not null or (mail.gave_up_at is not null and mail.last_error like 'expired-%'));
  update private.data_rights_links as link
  set expires_at = greatest(link.expires_at, private.confirmation_ends_at(request.due_on))
  from public.data_rights_requests as request
  where request.id = mail.request_id and request.state = 'unconfirmed' and mail.delivered_at is not null
    and link.request_id = request.id and link.purpose = 'confirm';
end;
$$;
