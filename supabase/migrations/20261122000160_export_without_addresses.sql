-- Anybody may type anybody's address into the contact form, so nothing proves that the internet address beside a message
-- is that of the person who asks for everything held about them. It is somebody else's data then: it stays here.
create or replace function public.export_subject_data(request_id uuid) returns jsonb
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

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122000160' $$;
