-- All data about one person: access, rectification and restriction.

-- These functions disclose, correct or restrict all data held about a requester. The email address alone identifies a
-- person, so each function takes a request that the holder of the address has confirmed. (Consent records hold no
-- address.)

-- Takes the lock on the address, then locks the request: two requests of one person are never processed concurrently,
-- and receive_data_rights_request takes the same lock. Rejects complaints.
create function private.lock_subject(request_id uuid, allowed_states text[]) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform pg_advisory_xact_lock(hashtextextended(private.subject_key(stored.email), 0))
  from public.data_rights_requests as stored
  where stored.id = lock_subject.request_id;
  request := private.lock_request(request_id, allowed_states);
  if request.request_type = 'complaint' then
    raise exception 'a complaint proves nothing about who wrote it' using errcode = '55000';
  end if;
  return request;
end;
$$;
revoke all on function private.lock_subject(uuid, text[]) from public, anon, authenticated, service_role;

-- Rejects an action that does not fit the type of the request: a mistake here could not be undone.
create function private.require_type(request public.data_rights_requests, allowed_types text[]) returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  if request.request_type <> all (allowed_types) then
    raise exception 'a request of type % does not ask for this', request.request_type using errcode = '55000';
  end if;
end;
$$;
revoke all on function private.require_type(public.data_rights_requests, text[]) from public, anon, authenticated, service_role;

-- A mail belongs to a person if it references one of their rows, or if the address is its recipient or Reply-To.
create function private.find_mails_of(person text) returns setof private.email_outbox
language sql stable
set search_path = ''
as $$
  select mail.*
  from private.email_outbox as mail
  where private.subject_key(mail.recipient) = person
    or private.subject_key(mail.reply_to) = person
    or mail.submission_id in (
      select submission.id from public.contact_submissions as submission
      where private.subject_key(submission.email) = person
    )
    or mail.request_id in (
      select request.id from public.data_rights_requests as request
      where private.subject_key(request.email) = person
    )
    or mail.member_id in (
      select member.id from public.network_members as member where private.subject_key(member.email) = person
    )
$$;
revoke all on function private.find_mails_of(text) from public, anon, authenticated, service_role;

-- Visitors can enter other people's addresses in the contact form, so the IP address stored with a message may belong
-- to a third party. The export therefore omits it.
--
-- Replies and their drafts are data about the person who wrote the message, so they are exported, counted and searched
-- with it. The names of the admins who wrote them are not disclosed.
create function public.export_subject_data(request_id uuid) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
  person text;
begin
  perform private.require_admin();
  request := private.lock_subject(request_id, array['open', 'in_progress', 'completed']);
  person := private.subject_key(request.email);
  perform private.record_request_event(request.id, 'admin', 'exported', null);
  return jsonb_build_object(
    'exported_at', now(),
    'reference', request.reference,
    'email', request.email,
    'submissions', (
      select coalesce(jsonb_agg(
        to_jsonb(submission) - 'ip_address' || jsonb_build_object(
          'replies', (
            select coalesce(jsonb_agg(
              jsonb_build_object('written_at', reply.written_at, 'body', reply.body) order by reply.written_at, reply.id
            ), '[]')
            from private.message_replies as reply where reply.submission_id = submission.id
          ),
          'reply_draft', (
            select jsonb_build_object('saved_at', draft.saved_at, 'body', draft.body)
            from private.reply_drafts as draft where draft.submission_id = submission.id
          )
        ) order by submission.created_at, submission.id
      ), '[]')
      from public.contact_submissions as submission
      where private.subject_key(submission.email) = person
    ),
    'requests', (
      select coalesce(jsonb_agg(
        to_jsonb(own) || jsonb_build_object('events', (
          -- The names of the admins who acted are not disclosed.
          select coalesce(jsonb_agg(
            jsonb_build_object('at', event.at, 'by', event.actor_kind, 'action', event.action, 'note', event.note)
            order by event.id
          ), '[]')
          from public.data_rights_events as event where event.request_id = own.id
        )) order by own.received_at, own.id
      ), '[]')
      from public.data_rights_requests as own
      where private.subject_key(own.email) = person
    ),
    'membership', (
      select to_jsonb(member) || jsonb_build_object('events', (
        select coalesce(jsonb_agg(
          jsonb_build_object('at', event.at, 'by', event.actor_kind, 'action', event.action, 'note', event.note)
          order by event.id
        ), '[]')
        from public.network_events as event where event.member_id = member.id
      ), 'letters', (
        -- Those that the member got or may have got. They name no other member.
        select coalesce(jsonb_agg(
          jsonb_build_object('subject', letter.subject, 'body', letter.body, 'sent_at', letter.sent_at)
          order by letter.sent_at, letter.id
        ), '[]')
        from private.letter_recipients as recipient
        join public.network_letters as letter on letter.id = recipient.letter_id
        where recipient.member_id = member.id
          and (recipient.delivered_at is not null or recipient.failure = 'perhaps')
      ))
      from public.network_members as member where private.subject_key(member.email) = person
    ),
    'mails', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', mail.kind, 'recipient', mail.recipient, 'reply_to', mail.reply_to, 'subject', mail.subject,
        -- The exported file may be passed on, so it must contain no working link.
        'body', private.without_tokens(mail.body) || coalesce(mail.closing, ''),
        'created_at', mail.created_at, 'delivered_at', mail.delivered_at, 'gave_up_at', mail.gave_up_at
      ) order by mail.created_at, mail.kind, mail.id), '[]')
      from private.find_mails_of(person) as mail
    ),
    'earlier_erasures', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'reference', tombstone.reference, 'erased_at', tombstone.erased_at, 'counts', tombstone.counts
      ) order by tombstone.erased_at), '[]')
      from private.erasure_tombstones as tombstone
      where private.is_salted_digest_of(tombstone.email_hash, private.digest(person))
    )
  );
end;
$$;

comment on function public.export_subject_data(uuid) is
  'Returns all data held under the address of a confirmed request, except for senders'' IP addresses, as {exported_at, '
  'reference, email, submissions: [{…, replies, reply_draft}], requests: [{…, events}], membership: {…, events, letters}, '
  'mails, earlier_erasures}. letters: those that the member got, [{subject, body, sent_at}]. Logs the export. Raises 42501 for non-admins, P0002 for an unknown request, 55000 for an unconfirmed, refused or '
  'withdrawn one.';
revoke all on function public.export_subject_data(uuid) from public, anon, authenticated, service_role;
grant execute on function public.export_subject_data(uuid) to authenticated;

-- Restriction (GDPR, article 18): data about a person is stored, but not otherwise used. It applies to the person, not
-- to one request: all data currently held under the address is frozen in one transaction and released together. Later
-- messages are not frozen, because they are sent to be read. Frozen rows are excluded from lists, exports, direct reads
-- and mail, and neither an admin nor retention deletes them (article 18(2): storage only); an erasure, which the person
-- requests, does. Work on a frozen request continues, from a folder of its own, because that duty is not restricted.
--
-- A new restriction cancels an announced end of an earlier one.
create function public.restrict_subject(request_id uuid, reason text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
  submissions integer;
  requests integer;
  member_id uuid;
begin
  perform private.require_admin();
  request := private.lock_subject(request_id, array['open', 'in_progress']);
  perform private.require_type(request, array['restrict', 'object', 'rectification', 'other']);
  if request.frozen_at is not null then
    raise exception 'this person''s data is restricted already' using errcode = '55000';
  end if;
  update public.contact_submissions as submission
  set frozen_at = now()
  where private.subject_key(submission.email) = private.subject_key(request.email) and submission.frozen_at is null;
  get diagnostics submissions = row_count;
  update public.data_rights_requests as own
  set frozen_at = now()
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is null;
  get diagnostics requests = row_count;
  update public.network_members as member
  set frozen_at = now()
  where private.subject_key(member.email) = private.subject_key(request.email) and member.frozen_at is null
  returning member.id into member_id;
  if found then
    perform private.record_member_event(member_id, 'admin', 'restricted', null);
  end if;
  update public.data_rights_requests as own
  set restriction_ends_on = null
  where private.subject_key(own.email) = private.subject_key(request.email);
  perform private.record_request_event(request.id, 'admin', 'restricted', private.require_words(reason));
  return jsonb_build_object('submissions', submissions, 'requests', requests);
end;
$$;

comment on function public.restrict_subject(uuid, text) is
  'Freezes all data held under the address of a confirmed request that calls for it. Returns the counts {submissions, '
  'requests}. Raises 42501 for non-admins, P0002 for an unknown request, 55000 for one in another state, of another '
  'type or already frozen, 22023 without a reason.';
revoke all on function public.restrict_subject(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.restrict_subject(uuid, text) to authenticated;

-- Announces the end of a restriction: the person must be informed before it is lifted (GDPR, article 18(3)). The mail
-- names the day on which retention lifts it. Until then it can be called off.
create function public.lift_restriction(request_id uuid, reason text, mail jsonb) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_restricted(request_id);
  if request.restriction_ends_on is not null then
    raise exception 'that the restriction ends is announced already' using errcode = '55000';
  end if;
  request.restriction_ends_on := private.today() + private.restriction_notice();
  update public.data_rights_requests as own
  set restriction_ends_on = request.restriction_ends_on
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is not null;
  perform private.record_request_event(request.id, 'admin', 'restriction-ending', private.require_words(reason));
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return jsonb_build_object('ends_on', request.restriction_ends_on);
end;
$$;

comment on function public.lift_restriction(uuid, text, jsonb) is
  'Announces, given any frozen request of a person, that the restriction ends. Returns {ends_on}, which fills in '
  '{{restriction_ends_on}} in the mail {subject, body}; keep_retention lifts it on that day. Raises 42501 for '
  'non-admins, P0002 for an unknown request, 55000 when the data is not restricted or the end is already announced, '
  '22023 without a reason.';
revoke all on function public.lift_restriction(uuid, text, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.lift_restriction(uuid, text, jsonb) to authenticated;

-- Data that a person has requested to see, to transfer or to have preserved is not deleted, by an admin or by
-- retention, until the request is resolved. (In the United Kingdom, destroying requested data is an offense: Data
-- Protection Act 2018, section 173.) The person's own erasure takes precedence.
create function private.is_asked_for(email text) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select 1 from public.data_rights_requests as request
    where lower(btrim(request.email)) = private.subject_key(is_asked_for.email)
      and request.state in ('open', 'in_progress')
      and request.request_type in ('access', 'portability', 'restrict')
  )
$$;
revoke all on function private.is_asked_for(text) from public, anon, authenticated, service_role;

-- Returns true for a mail that is part of requested data.
create function private.is_asked_for(mail private.email_outbox) returns boolean
language sql stable
set search_path = ''
as $$
  select private.is_asked_for(mail.recipient) or private.is_asked_for(mail.reply_to)
    or exists (
      select 1 from public.contact_submissions as submission
      where submission.id = mail.submission_id and private.is_asked_for(submission.email)
    )
    or exists (
      select 1 from public.data_rights_requests as request
      where request.id = mail.request_id and private.is_asked_for(request.email)
    )
    or exists (
      select 1 from public.network_members as member
      where member.id = mail.member_id and private.is_asked_for(member.email)
    )
$$;
revoke all on function private.is_asked_for(private.email_outbox) from public, anon, authenticated, service_role;

-- Locks an unresolved request for rectification (or other request), along with its address.
create function private.lock_rectification(request_id uuid) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests := private.lock_subject(request_id, array['open', 'in_progress']);
begin
  perform private.require_type(request, array['rectification', 'other']);
  return request;
end;
$$;
revoke all on function private.lock_rectification(uuid) from public, anon, authenticated, service_role;

-- Includes restricted messages: the correction is what the person requests.
create function public.list_correctable_messages(request_id uuid) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_rectification(request_id);
  return (
    select coalesce(jsonb_agg(
      to_jsonb(submission) - array['email', 'ip_address', 'quarantine_reason', 'state', 'frozen_at']
      order by submission.created_at desc, submission.id
    ), '[]')
    from public.contact_submissions as submission
    where private.subject_key(submission.email) = private.subject_key(request.email)
  );
end;
$$;

comment on function public.list_correctable_messages(uuid) is
  'Returns the messages of the person who made this request, newest first, with their correctable fields. Errors as '
  'correct_submission.';
revoke all on function public.list_correctable_messages(uuid) from public, anon, authenticated, service_role;
grant execute on function public.list_correctable_messages(uuid) to authenticated;

-- Rectification (GDPR, article 16) changes stored data: an admin corrects a field of a message for its sender. The log
-- keeps a salted digest of the old text, not the text, because it was wrong and the person wanted it removed. The
-- address cannot be changed: it identifies the person and was proven when the request was confirmed.
create function public.correct_submission(
  request_id uuid, submission_id uuid, field text, value text, seen_version integer default null
) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  request public.data_rights_requests := private.lock_rectification(request_id);
  submission public.contact_submissions;
  old_value text;
begin
  if field is null or field not in ('name', 'company', 'stage', 'goal', 'message') or value is null then
    raise exception 'there is no such field, or no text' using errcode = '22023';
  end if;
  select * into submission from public.contact_submissions as stored
  where stored.id = correct_submission.submission_id
    and private.subject_key(stored.email) = private.subject_key(request.email)
  for update;
  if not found then
    raise exception 'this person has no such message' using errcode = 'P0002';
  end if;
  old_value := to_jsonb(submission) ->> field;
  if old_value = value then
    return;
  end if;
  if seen_version <> submission.version then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
  execute format('update public.contact_submissions set %I = $1 where id = $2', field) using value, submission.id;
  -- The firm's mail quoted the old text. It was delivered, so the stored copy can go.
  delete from private.email_outbox as mail
  where mail.submission_id = submission.id and mail.kind = 'firm' and mail.delivered_at is not null
    and not private.is_asked_for(submission.email);
  perform private.record_request_event(request.id, 'admin', 'corrected', format(
    '%s of message %s. Salted SHA-256 of the old text: %s', field, submission.id, private.salted_digest(private.digest(old_value))
  ));
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-corrected', submission.id);
end;
$$;

comment on function public.correct_submission(uuid, uuid, text, text, integer) is
  'Replaces the name, company, stage, goal or message of a message sent by the person who made this confirmed request '
  'for rectification (or other request), and logs a digest of the old text. Raises 42501 for non-admins, P0002 for an '
  'unknown request or another person''s message, 55000 for a request in another state or of another type, 22023 for '
  'another field, 23514 for a text that is too long or empty, PT409 when seen_version is not the message''s version.';
revoke all on function public.correct_submission(uuid, uuid, text, text, integer) from public, anon, authenticated, service_role;
grant execute on function public.correct_submission(uuid, uuid, text, text, integer) to authenticated;

-- Days between the announcement and the end. Long enough for a mail that a server deferred for five days to arrive
-- first.
create function private.restriction_notice() returns integer
language sql immutable
as $$ select 7 $$;
revoke all on function private.restriction_notice() from public, anon, authenticated, service_role;

-- Locks a frozen request, along with its address.
create function private.lock_restricted(request_id uuid) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests := private.lock_subject(
    request_id, array['unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn']
  );
begin
  if request.frozen_at is null then
    raise exception 'this person''s data is not restricted' using errcode = '55000';
  end if;
  return request;
end;
$$;
revoke all on function private.lock_restricted(uuid) from public, anon, authenticated, service_role;

-- Used when the person objects to the announced end.
create function public.keep_restriction(request_id uuid, reason text, mail jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_restricted(request_id);
  if request.restriction_ends_on is null then
    raise exception 'no end of the restriction is announced' using errcode = '55000';
  end if;
  update public.data_rights_requests as own
  set restriction_ends_on = null
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is not null;
  perform private.record_request_event(request.id, 'admin', 'restriction-kept', private.require_words(reason));
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
end;
$$;

comment on function public.keep_restriction(uuid, text, jsonb) is
  'Calls off lift_restriction before its day, with a mail {subject, body}. Errors as lift_restriction.';
revoke all on function public.keep_restriction(uuid, text, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.keep_restriction(uuid, text, jsonb) to authenticated;

-- For keep_retention: lifts restrictions whose end was announced for today or earlier. A failure for one person does
-- not keep others restricted. Returns how many could not be lifted.
create function private.lift_ended_restrictions() returns integer
language plpgsql
set search_path = ''
as $$
declare
  person text;
  request public.data_rights_requests;
  member_id uuid;
  refused integer := 0;
begin
  for person in
    select distinct private.subject_key(own.email) from public.data_rights_requests as own
    where own.restriction_ends_on <= private.today()
    order by 1
  loop
    begin
      perform pg_advisory_xact_lock(hashtextextended(person, 0));
      -- Check again under the lock: it may have been called off in the meantime.
      select * into request from public.data_rights_requests as own
      where private.subject_key(own.email) = person and own.restriction_ends_on <= private.today()
      order by own.received_at, own.id
      limit 1;
      continue when not found;
      update public.contact_submissions as submission
      set frozen_at = null
      where private.subject_key(submission.email) = person and submission.frozen_at is not null;
      update public.network_members as member
      set frozen_at = null
      where private.subject_key(member.email) = person and member.frozen_at is not null
      returning member.id into member_id;
      if found then
        perform private.record_member_event(member_id, 'system', 'restriction-lifted', null);
      end if;
      update public.data_rights_requests as own
      set frozen_at = null, restriction_ends_on = null
      where private.subject_key(own.email) = person and own.frozen_at is not null;
      perform private.record_request_event(request.id, 'system', 'restriction-lifted', null);
    exception when others then
      refused := refused + 1;
      raise warning 'retention: a restriction cannot be lifted: %', sqlstate;
    end;
  end loop;
  return refused;
end;
$$;
revoke all on function private.lift_ended_restrictions() from public, anon, authenticated, service_role;
