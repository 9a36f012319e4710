-- A tripped honeypot no longer swallows a data rights request: browsers fill in such fields, too, and the law's clock runs
-- from the day it came. quarantine_reason now says only why a request looks suspicious. Until it is confirmed, it stands
-- in the folder "quarantined" as well as in those of its state; its links go out within the limits of mail like any other's.
-- And a confirmation link works until the day by which the request must be answered, not for 72 hours.

-- The last day of a confirmation link; an admin who sends it again late leaves three days.
create function private.confirm_by(due_on date) returns date
language sql stable
as $$ select greatest(due_on, (now() at time zone 'UTC')::date + 3) $$;

create function private.confirmation_ends_at(due_on date) returns timestamptz
language sql stable
set search_path = ''
as $$ select (private.confirm_by(due_on) + 1)::timestamp at time zone 'UTC' $$;

revoke all on function private.confirm_by(date), private.confirmation_ends_at(date)
  from public, anon, authenticated, service_role;

-- Links that still work are given the longer life, too.
update private.data_rights_links as link
set expires_at = private.confirmation_ends_at(request.due_on)
from public.data_rights_requests as request
where request.id = link.request_id and link.purpose = 'confirm' and link.used_at is null and link.expires_at > now();

-- As before, and {{confirm_by}}.
create or replace function private.queue_request_mail(
  request public.data_rights_requests, kind text, recipient text, mail jsonb, forget_when_delivered boolean
) returns void
language plpgsql
set search_path = ''
as $$
declare
  subject text := mail ->> 'subject';
  body text := mail ->> 'body';
begin
  if coalesce(btrim(subject), '') = '' or coalesce(btrim(body), '') = ''
    or char_length(subject) > 200 or subject ~ '[\r\n]' or char_length(body) > 20000 then
    raise exception 'a mail needs a subject of one line and a body' using errcode = '22023';
  end if;
  insert into private.email_outbox (request_id, kind, recipient, subject, body, forget_when_delivered)
  select
    case when queue_request_mail.forget_when_delivered then null else request.id end,
    queue_request_mail.kind,
    queue_request_mail.recipient,
    filled.texts[1],
    filled.texts[2],
    queue_request_mail.forget_when_delivered
  from (
    select array_agg(
      replace(
        replace(
          replace(part, '{{reference}}', request.reference),
          '{{due_on}}', to_char(request.due_on, 'FMDD FMMonth YYYY')
        ),
        '{{confirm_by}}', to_char(private.confirm_by(request.due_on), 'FMDD FMMonth YYYY')
      ) order by place
    ) as texts
    from unnest(array[subject, body]) with ordinality as parts (part, place)
  ) as filled;
end;
$$;

-- As before, but for a suspicious request as for any other. Whoever sent the same words twice, once with the honeypot
-- filled in, has sent one request: its links went to the same address.
create or replace function public.receive_data_rights_request(
  request jsonb,
  confirm_token_hash text,
  status_token_hash text,
  quarantine_reason text,
  mails jsonb,
  client_codes jsonb default '{}',
  acknowledgements_per_hour integer default null
) returns table (reference text, is_new boolean)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  person text := private.subject_key(receive_data_rights_request.request ->> 'email');
  received public.data_rights_requests;
  withheld text;
  mail jsonb;
begin
  -- Requests for one address take turns, so that what is compared below is true however many come at once.
  perform pg_advisory_xact_lock(hashtextextended(person, 0));

  -- A double click or a reload. It can keep nobody's own request out: whoever sent the first, its links went to the
  -- same address, and it says the same in every word.
  select * into received
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = person
    and earlier.request_type = receive_data_rights_request.request ->> 'request_type'
    and earlier.name = receive_data_rights_request.request ->> 'name'
    and earlier.description = receive_data_rights_request.request ->> 'description'
    and earlier.state = 'unconfirmed'
    and earlier.received_at > now() - interval '10 minutes'
  limit 1;
  if found then
    return query select received.reference, false;
    return;
  end if;

  loop
    insert into public.data_rights_requests
      (reference, request_type, name, email, description, due_on, quarantine_reason)
    values (
      private.new_request_reference(),
      receive_data_rights_request.request ->> 'request_type',
      receive_data_rights_request.request ->> 'name',
      receive_data_rights_request.request ->> 'email',
      receive_data_rights_request.request ->> 'description',
      private.data_rights_due_on((now() at time zone 'UTC')::date),
      receive_data_rights_request.quarantine_reason
    )
    on conflict (reference) do nothing
    returning * into received;
    exit when found;
  end loop;
  perform private.record_request_event(received.id, 'requester', 'received', null);

  withheld := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
  if withheld is null then
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    values
      (confirm_token_hash, received.id, 'confirm', private.confirmation_ends_at(received.due_on)),
      (status_token_hash, received.id, 'status', null);
  else
    -- Nobody is sent its links either. An admin may send some (resend_confirmation).
    perform private.record_request_event(received.id, 'system', 'confirmation-withheld', null);
  end if;
  for mail in select jsonb_array_elements(mails) loop
    continue when mail ->> 'kind' = 'request-acknowledgement' and withheld is not null;
    perform private.queue_request_mail(
      received, mail ->> 'kind', mail ->> 'recipient',
      mail || jsonb_build_object('body', (mail ->> 'body') || coalesce(mail -> 'if_withheld' ->> withheld, '')), false
    );
  end loop;

  return query select received.reference, true;
end;
$$;

comment on function public.receive_data_rights_request(jsonb, text, text, text, jsonb, jsonb, integer) is
  'Stores a request, its links by the SHA-256 of their tokens, and queues its mails. quarantine_reason: null, or why it '
  'looks suspicious. request: {request_type, name, email, description}; mails: [{kind, recipient, subject, body, '
  'if_withheld}] with {{reference}}, {{due_on}} and {{confirm_by}} to be filled; if_withheld and client_codes as for '
  'receive_contact_submission. The very same request within ten minutes is one. Raises 23514 or 23502 for a text that is '
  'too long or missing, 22023 for a mail without subject or body.';

-- As before, but the mark of suspicion ends: whoever confirms has the address.
create or replace function public.confirm_data_rights_request(token text)
returns table (reference text, request_type text, received_at timestamptz, due_on date)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  request public.data_rights_requests;
begin
  -- Of several at once the first takes the row; the others wait here, and then find it confirmed.
  select * into request
  from public.data_rights_requests
  where id = (select private.find_linked_request(confirm_data_rights_request.token, 'confirm')) and state = 'unconfirmed'
  for update;
  if not found then
    return;
  end if;
  update private.data_rights_links set used_at = now() where request_id = request.id and purpose = 'confirm';
  update public.data_rights_requests set state = 'open', confirmed_at = now(), quarantine_reason = null where id = request.id;
  perform private.record_request_event(request.id, 'requester', 'confirmed', null);
  return query select request.reference, request.request_type, request.received_at, request.due_on;
end;
$$;

-- As before, but the mark of suspicion stays until the request is confirmed.
create or replace function public.resend_confirmation(
  request_id uuid, confirm_token_hash text, status_token_hash text, mail jsonb
) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_request(request_id, array['unconfirmed']);
  delete from private.data_rights_links as link where link.request_id = request.id;
  insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
  values
    (confirm_token_hash, request.id, 'confirm', private.confirmation_ends_at(request.due_on)),
    (status_token_hash, request.id, 'status', null);
  perform private.record_request_event(request.id, 'admin', 'confirmation-resent', null);
  perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false);
end;
$$;

drop function private.confirmation_lifetime();

-- As before, but what is marked is in the folders of its state, too.
create or replace function private.is_in_folder(request public.data_rights_requests, folder text) returns boolean
language sql immutable
as $$
  select (request.frozen_at is not null) = (folder = 'restricted') and case
    when folder in ('all', 'restricted') then true
    when folder = 'quarantined' then request.quarantine_reason is not null
    when folder = 'active' then request.closed_at is null
    when folder = 'closed' then request.closed_at is not null
    else request.state = folder
  end
$$;

comment on function public.list_requests(text, text, text) is
  'A page of 25 requests as {rows, previous, next}; rows hold is_overdue, too. folder: active (not closed), unconfirmed, '
  'open, in_progress, closed, completed, refused, withdrawn, quarantined (marked as suspicious), all, or restricted, whose '
  'requests are in no other. search: a part of reference, name, email or description. Errors as list_submissions.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122140000' $$;
