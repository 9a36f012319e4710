-- Everything that is held about the person who made a request, given out or restricted. People are known by their email
-- address alone, so each of these functions asks for a request that whoever has the address has confirmed. (The records
-- of consent hold none.)

-- Locks the request, after the turn for its address was taken: two requests of one person are never worked on at once,
-- and receive_data_rights_request waits for its turn, too.
create function private.lock_subject(request_id uuid, allowed_states text[]) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(private.subject_key(request.email), 0))
  from public.data_rights_requests as request
  where request.id = lock_subject.request_id;
  return private.lock_request(request_id, allowed_states);
end;
$$;

-- Refuses what a request of this type does not ask for: a slip here could not be undone.
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

-- A mail is the person's if it hangs on what is theirs, or goes to their address or answers to it.
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
$$;

-- Anybody may type anybody's address into the contact form, so nothing proves that the internet address beside a message
-- is that of the person who asks for everything held about them. It is somebody else's data then: it stays here.
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
      select coalesce(jsonb_agg(to_jsonb(submission) - 'ip_address' order by submission.created_at, submission.id), '[]')
      from public.contact_submissions as submission
      where private.subject_key(submission.email) = person
    ),
    'requests', (
      select coalesce(jsonb_agg(
        to_jsonb(own) || jsonb_build_object('events', (
          -- Which of the firm's people acted is their own affair.
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
    'mails', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', mail.kind, 'recipient', mail.recipient, 'reply_to', mail.reply_to, 'subject', mail.subject,
        -- A link that opens must not lie in a file that is passed on.
        'body', private.without_tokens(mail.body),
        'created_at', mail.created_at, 'delivered_at', mail.delivered_at
      ) order by mail.created_at, mail.kind, mail.id), '[]')
      from private.find_mails_of(person) as mail
    ),
    'earlier_erasures', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'reference', tombstone.reference, 'erased_at', tombstone.erased_at, 'counts', tombstone.counts
      ) order by tombstone.erased_at), '[]')
      from private.erasure_tombstones as tombstone
      where tombstone.email_hash = private.digest(person)
    )
  );
end;
$$;

comment on function public.export_subject_data(uuid) is
  'Everything held under the address of a confirmed request but the internet addresses of who sent it, as {exported_at, '
  'reference, email, submissions, requests: [{…, events}], mails, earlier_erasures}; says so in the log. Raises 42501 for '
  'others than admins, P0002 for an unknown request, 55000 for one that is unconfirmed, refused or withdrawn.';

-- Restriction (GDPR, article 18): what is held about a person is kept and otherwise left alone. It belongs to the
-- person, not to one request: everything held under the address now is frozen, in one transaction, and lifted together.
-- What the person sends later is not frozen: it is sent to be read. Frozen rows are out of lists, exports, direct reads
-- and mail, and neither an admin nor retention deletes them (article 18(2): storage only); an erasure, which the person
-- asks for, does. A frozen request goes on being answered, from a folder of its own: that duty is not restricted.
create function public.restrict_subject(request_id uuid, reason text) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
  submissions integer;
  requests integer;
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
  perform private.record_request_event(request.id, 'admin', 'restricted', private.require_words(reason));
  return jsonb_build_object('submissions', submissions, 'requests', requests);
end;
$$;

comment on function public.restrict_subject(uuid, text) is
  'Freezes everything held under the address of a confirmed request that asks for it; returns how many {submissions, '
  'requests}. Raises 42501 for others than admins, P0002 for an unknown request, 55000 for one in another state, of '
  'another type or frozen already, 22023 without a reason.';

-- With a mail, because the person must be told before it is lifted (article 18(3)).
create function public.lift_restriction(request_id uuid, reason text, mail jsonb) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
  submissions integer;
  requests integer;
begin
  perform private.require_admin();
  request := private.lock_subject(
    request_id, array['unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn']
  );
  if request.frozen_at is null then
    raise exception 'this person''s data is not restricted' using errcode = '55000';
  end if;
  update public.contact_submissions as submission
  set frozen_at = null
  where private.subject_key(submission.email) = private.subject_key(request.email) and submission.frozen_at is not null;
  get diagnostics submissions = row_count;
  update public.data_rights_requests as own
  set frozen_at = null
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is not null;
  get diagnostics requests = row_count;
  perform private.record_request_event(request.id, 'admin', 'restriction-lifted', private.require_words(reason));
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return jsonb_build_object('submissions', submissions, 'requests', requests);
end;
$$;

comment on function public.lift_restriction(uuid, text, jsonb) is
  'Takes back restrict_subject through any frozen request of that person, with a mail {subject, body}. Same errors.';

revoke all on function
  private.lock_subject(uuid, text[]), private.require_type(public.data_rights_requests, text[]),
  private.find_mails_of(text), public.export_subject_data(uuid),
  public.restrict_subject(uuid, text), public.lift_restriction(uuid, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function
  public.export_subject_data(uuid), public.restrict_subject(uuid, text), public.lift_restriction(uuid, text, jsonb)
  to authenticated;
