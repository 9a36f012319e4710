-- A digest of an address or of a name is found in a table of such digests. Those that stay, in tombstones and in the log of corrections,
-- are salted: 32 digits of salt, then the SHA-256 of the salt and the plain SHA-256 in hexadecimal, as the list of erasures has them beside
-- the backups.
create function private.salted_digest(digest text) returns text
language sql volatile
set search_path = ''
as $$
  select made.salt || private.digest(made.salt || salted_digest.digest)
  from (select replace(gen_random_uuid()::text, '-', '') as salt) as made
$$;

create function private.is_salted_digest_of(salted text, digest text) returns boolean
language sql immutable
set search_path = ''
as $$ select substr(salted, 33) = private.digest(left(salted, 32) || is_salted_digest_of.digest) $$;

alter table private.erasure_tombstones drop constraint erasure_tombstones_email_hash_check;
drop index private.erasure_tombstones_subject;
update private.erasure_tombstones set email_hash = private.salted_digest(email_hash);
alter table private.erasure_tombstones
  add constraint erasure_tombstones_email_hash_check check (email_hash ~ '^[0-9a-f]{96}$');

-- However a tombstone is written: by erase_subject, or by a restore that erases again what an older release had erased.
create function private.salt_tombstone() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if new.email_hash ~ '^[0-9a-f]{64}$' then
    new.email_hash := private.salted_digest(new.email_hash);
  end if;
  return new;
end;
$$;
create trigger salt_tombstone before insert on private.erasure_tombstones
  for each row execute function private.salt_tombstone();

revoke all on function private.salted_digest(text), private.is_salted_digest_of(text, text), private.salt_tombstone()
  from public, anon, authenticated, service_role;

-- The log is only ever added to; its digests of texts that were corrected are salted once.
alter table public.data_rights_events disable trigger keep_log;
update public.data_rights_events
set note = regexp_replace(note, 'SHA-256 of the old text: [0-9a-f]{64}$', 'Salted SHA-256 of the old text: ' || private.salted_digest(right(note, 64)))
where action = 'corrected' and note ~ ' SHA-256 of the old text: [0-9a-f]{64}$' and note !~ 'Salted SHA-256';
alter table public.data_rights_events enable trigger keep_log;

-- As before, with a salted digest.
create or replace function public.correct_submission(
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
  select * into submission from public.contact_submissions as kept
  where kept.id = correct_submission.submission_id
    and private.subject_key(kept.email) = private.subject_key(request.email)
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
  -- The firm's mail quoted the old text. It has left; the copy here need not stay.
  delete from private.email_outbox as mail
  where mail.submission_id = submission.id and mail.kind = 'firm' and mail.delivered_at is not null
    and not private.is_asked_for(submission.email);
  perform private.record_request_event(request.id, 'admin', 'corrected', format(
    '%s of message %s. Salted SHA-256 of the old text: %s', field, submission.id, private.salted_digest(private.digest(old_value))
  ));
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-corrected', submission.id);
end;
$$;

-- As before, with salted digests in tombstones.
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
      where private.is_salted_digest_of(tombstone.email_hash, private.digest(person))
    )
  );
end;
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126183900' $$;
