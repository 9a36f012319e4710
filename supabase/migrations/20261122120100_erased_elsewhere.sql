-- Where else the admin has erased the person, by hand, or told others to (GDPR, articles 17 and 19): part of the proof.
alter table private.erasure_tombstones
  add column elsewhere text[] not null default '{}'
    check (elsewhere <@ array['mailbox', 'exports', 'advisers', 'google']);

-- What is different: the parameter elsewhere.
drop function public.erase_subject(uuid, jsonb);
create function public.erase_subject(request_id uuid, mail jsonb, elsewhere text[] default '{}') returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  actor uuid := private.require_admin();
  request public.data_rights_requests := private.lock_subject(request_id, array['open', 'in_progress']);
  person text := private.subject_key(request.email);
  counts jsonb := private.count_subject(person);
begin
  perform private.require_type(request, array['erasure', 'object', 'other']);
  perform set_config('private.erases_log', 'on', true);
  delete from private.email_outbox as queued where queued.id in (select own.id from private.find_mails_of(person) as own);
  -- Receipts and search words go with the messages, links and events with the requests.
  delete from public.contact_submissions as submission where private.subject_key(submission.email) = person;
  delete from public.data_rights_requests as own where private.subject_key(own.email) = person;
  perform set_config('private.erases_log', 'off', true);

  insert into private.erasure_tombstones (reference, email_hash, counts, erased_by, elsewhere)
  values (request.reference, private.digest(person), counts, actor, erase_subject.elsewhere);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, true);
  return counts;
end;
$$;

comment on function public.erase_subject(uuid, jsonb, text[]) is
  'Deletes everything held under the address of a confirmed request for erasure (or an objection or other request), that '
  'request included; leaves a tombstone and one last mail {subject, body}, which is forgotten once it is delivered. '
  'elsewhere: what the admin has seen to by hand, of mailbox, exports, advisers, google; the tombstone keeps it. '
  'Returns the counts. Raises 42501 for others than admins, P0002 for an unknown request, 55000 for one in another state '
  'or of another type, 22023 for a mail without words, 23514 for another place; then nothing is deleted.';

-- What is different: the column elsewhere.
drop function public.list_erasures();
create function public.list_erasures()
returns table (reference text, erased_at timestamptz, erased_by uuid, email_hash text, counts jsonb, elsewhere text[])
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select tombstone.reference, tombstone.erased_at, tombstone.erased_by, tombstone.email_hash, tombstone.counts,
      tombstone.elsewhere
    from private.erasure_tombstones as tombstone
    order by tombstone.erased_at desc, tombstone.id
    limit 100;
end;
$$;

comment on function public.list_erasures() is 'The last hundred erasures, newest first. Raises 42501 for others than admins.';

revoke all on function public.erase_subject(uuid, jsonb, text[]), public.list_erasures()
  from public, anon, authenticated, service_role;
grant execute on function public.erase_subject(uuid, jsonb, text[]), public.list_erasures() to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122120100' $$;
