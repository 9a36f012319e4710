-- All data about one person: access, rectification and restriction.

-- These functions disclose, correct or restrict all data held about a requester. The email address alone identifies a
-- person, so each function takes a request that the holder of the address has confirmed. (Consent records hold no
-- address.)

-- A mail belongs to a person if it references one of their rows, or if the address is its recipient or Reply-To.
create function private.find_mails_of(person text) returns setof private.email_outbox
language sql stable
set search_path = ''
as $$
  select mail.*
  from private.email_outbox as mail
  where private.subject_key(mail.recipient) = person
    or private.subject_key(mail.reply_to) = person
    or coalesce(mail.submission_id, mail.request_id, mail.member_id) in (
      select owner.id from private.personal_records as owner where private.subject_key(owner.email) = person
    )
$$;

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
  request public.data_rights_requests := private.begin_step(request_id, 'package');
  person text := private.subject_key(request.email);
begin
  perform private.finish_step(request, 'package', null, null);
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

comment on function public.export_subject_data is
  'Returns all data held under the address of a confirmed request, except for senders'' IP addresses. letters: those '
  'that the member got. Logs the export. Errors as take_request_step.';
revoke all on function public.export_subject_data from public, anon, authenticated, service_role;
grant execute on function public.export_subject_data to authenticated;

-- Restriction (GDPR, article 18): data about a person is stored, but not otherwise used. It applies to the person, not
-- to one request: all data currently held under the address is frozen in one transaction and released together. Later
-- messages are not frozen, because they are sent to be read. Frozen rows are excluded from lists, exports, direct reads
-- and mail, and neither an admin nor retention deletes them (article 18(2): storage only); an erasure, which the person
-- requests, does. Work on a frozen request continues, from a folder of its own, because that duty is not restricted.
--
-- A new restriction cancels an announced end of an earlier one. The views private.open_submissions, open_requests and
-- open_members leave frozen rows out.

-- Freezes all records held under an address now, or releases them with a null time.
create function private.freeze_records(person text, since timestamptz, actor_kind text) returns void
language plpgsql
set search_path = ''
as $$
declare
  member_id uuid;
begin
  update public.contact_submissions as submission set frozen_at = since
  where private.subject_key(submission.email) = person and (submission.frozen_at is null) = (since is not null);
  update public.data_rights_requests as own
  set frozen_at = case when since is not null then coalesce(own.frozen_at, since) end, restriction_ends_on = null
  where private.subject_key(own.email) = person and (since is not null or own.frozen_at is not null);
  update public.network_members as member set frozen_at = since
  where private.subject_key(member.email) = person and (member.frozen_at is null) = (since is not null)
  returning member.id into member_id;
  if found then
    perform private.record_member_event(
      member_id, actor_kind, case when since is null then 'restriction-lifted' else 'restricted' end, null
    );
  end if;
end;
$$;

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

-- Returns true for a mail that is part of requested data.
create function private.is_asked_for(mail private.email_outbox) returns boolean
language sql stable
set search_path = ''
as $$
  select private.is_asked_for(mail.recipient) or private.is_asked_for(mail.reply_to) or exists (
    select from private.personal_records as owner
    where owner.id = coalesce(mail.submission_id, mail.request_id, mail.member_id) and private.is_asked_for(owner.email)
  )
$$;

-- Rectification (GDPR, article 16) changes stored data: an admin corrects a field of a message for its sender. The log
-- keeps a salted digest of the old text, not the text, because it was wrong and the person wanted it removed. The
-- address cannot be changed: it identifies the person and was proven when the request was confirmed.
create function public.correct_record(request_id uuid, record_id uuid, field text, value text, seen_version integer default null)
returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests := private.begin_step(request_id, 'correct');
  member_id uuid := (select member.id from public.network_members as member where member.id = record_id);
  target regclass := case when member_id is null then 'public.contact_submissions' else 'public.network_members' end;
  stored jsonb;
begin
  if value is null or field is null or field <> all (case
    when member_id is null then array['name', 'company', 'stage', 'goal', 'message'] else array['name', 'company', 'place']
  end) then
    raise exception 'there is no such field, or no text' using errcode = '22023';
  end if;
  execute format(
    'select to_jsonb(stored) from %s as stored where stored.id = $1 and private.subject_key(stored.email) = $2 for update',
    target
  ) into stored using record_id, private.subject_key(request.email);
  if stored is null then
    raise exception 'this person has no such message or membership' using errcode = 'P0002';
  end if;
  if stored ->> field = value then
    return;
  end if;
  if seen_version <> (stored ->> 'version')::integer then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
  execute format('update %s set %I = $1 where id = $2', target, field) using value, record_id;
  if member_id is null then
    -- The firm's mail quoted the old text. It was delivered, so the stored copy can go.
    delete from private.email_outbox as mail
    where mail.submission_id = record_id and mail.kind = 'firm' and mail.delivered_at is not null
      and not private.is_asked_for(stored ->> 'email');
    insert into public.admin_events (actor, action, submission_id) values (auth.uid(), 'submission-corrected', record_id);
  else
    perform private.record_member_event(member_id, 'admin', 'corrected', field);
  end if;
  perform private.finish_step(request, 'correct', format(
    '%s of %s. Salted SHA-256 of the old text: %s', field,
    case when member_id is null then 'message ' || record_id else 'the membership' end,
    private.salted_digest(private.digest(coalesce(stored ->> field, '')))
  ), null);
end;
$$;

comment on function public.correct_record is
  'Replaces the name, company, stage, goal or message of a message, or the name, company or place of the membership, '
  'of the person who made this confirmed request for rectification (or other request), restricted or not, and logs a '
  'digest of the old text. Errors as take_request_step, with P0002 for another person''s record, 22023 for another '
  'field, 23514 for a text that is too long or empty, and PT409 when seen_version is not the record''s version.';
revoke all on function public.correct_record from public, anon, authenticated, service_role;
grant execute on function public.correct_record to authenticated;

-- For keep_retention: lifts restrictions whose end was announced for today or earlier. A failure for one person does
-- not keep others restricted. Returns how many could not be lifted.
create function private.lift_ended_restrictions() returns integer
language plpgsql
set search_path = ''
as $$
declare
  person text;
  request public.data_rights_requests;
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
      perform private.freeze_records(person, null, 'system');
      perform private.record_request_event(request.id, 'system', 'restriction-lifted', null);
    exception when others then
      refused := refused + 1;
      raise warning 'retention: a restriction cannot be lifted: %', sqlstate;
    end;
  end loop;
  return refused;
end;
$$;
