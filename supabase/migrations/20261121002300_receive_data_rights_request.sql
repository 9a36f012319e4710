-- Queues one mail of a request and fills in what only the database knows: {{reference}} and {{due_on}}, the day in
-- words ("21 December 2026"). No mail quotes what a visitor typed, so no visitor can bring a placeholder.
create function private.queue_request_mail(
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
        replace(part, '{{reference}}', request.reference),
        '{{due_on}}', to_char(request.due_on, 'FMDD FMMonth YYYY')
      ) order by place
    ) as texts
    from unnest(array[subject, body]) with ordinality as parts (part, place)
  ) as filled;
end;
$$;

revoke all on function private.queue_request_mail(public.data_rights_requests, text, text, jsonb, boolean)
  from public, anon, authenticated, service_role;

-- Opens a request: row, links, log and mail, all or nothing. Whether the address is known makes no difference.
create function public.receive_data_rights_request(
  request jsonb,
  confirm_token_hash text,
  status_token_hash text,
  quarantine_reason text,
  mails jsonb
) returns table (reference text, is_new boolean)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  person text := private.subject_key(receive_data_rights_request.request ->> 'email');
  received public.data_rights_requests;
  mail jsonb;
begin
  -- Requests for one address take turns, so that what is counted and compared below is true however many come at once.
  perform pg_advisory_xact_lock(hashtextextended(person, 0));

  -- A double click or a reload. It can keep nobody's own request out: whoever sent the first, its links went to the
  -- same address, and it says the same in every word.
  select * into received
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = person
    and earlier.request_type = receive_data_rights_request.request ->> 'request_type'
    and earlier.name = receive_data_rights_request.request ->> 'name'
    and earlier.description = receive_data_rights_request.request ->> 'description'
    and earlier.quarantine_reason is not distinct from receive_data_rights_request.quarantine_reason
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

  -- What is quarantined sends no mail, so nobody could have its links.
  if receive_data_rights_request.quarantine_reason is null then
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    values
      (confirm_token_hash, received.id, 'confirm', now() + private.confirmation_lifetime()),
      (status_token_hash, received.id, 'status', null);
    for mail in select jsonb_array_elements(mails) loop
      -- Anybody may type anybody's address: nobody gets more than three acknowledgements a day.
      continue when mail ->> 'kind' = 'request-acknowledgement' and (
        select count(*) >= 3
        from private.email_outbox as earlier
        where earlier.kind = 'request-acknowledgement'
          and lower(earlier.recipient) = lower(mail ->> 'recipient')
          and earlier.created_at > now() - interval '24 hours'
      );
      perform private.queue_request_mail(received, mail ->> 'kind', mail ->> 'recipient', mail, false);
    end loop;
  end if;

  return query select received.reference, true;
end;
$$;

comment on function public.receive_data_rights_request(jsonb, text, text, text, jsonb) is
  'Stores a request, its links by the SHA-256 of their tokens, and queues its mails unless it is quarantined. '
  'request: {request_type, name, email, description}; mails: [{kind, recipient, subject, body}] with {{reference}} and '
  '{{due_on}} to be filled. The very same request within ten minutes is one. Raises 23514 or 23502 for a text that is '
  'too long or missing, 22023 for a mail without subject or body.';

-- How long a confirmation link works.
create function private.confirmation_lifetime() returns interval
language sql immutable
set search_path = ''
as $$ select interval '72 hours' $$;

revoke all on function private.confirmation_lifetime() from public, anon, authenticated, service_role;
revoke all on function public.receive_data_rights_request(jsonb, text, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.receive_data_rights_request(jsonb, text, text, text, jsonb) to service_role;
