-- What an admin does with a request. Each of the public functions here raises 42501 for others than admins, P0002 for an
-- unknown request, 55000 for a request that is in another state, 22023 for missing words or a mail {subject, body}
-- without them, 23514 for a digest that is none.

-- The request, locked until the transaction ends, so that of two admins at once the second finds what the first did.
create function private.lock_request(request_id uuid, allowed_states text[]) returns public.data_rights_requests
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  select * into request from public.data_rights_requests as kept where kept.id = lock_request.request_id for update;
  if not found then
    raise exception 'there is no such request' using errcode = 'P0002';
  end if;
  if request.state <> all (allowed_states) then
    raise exception 'a request that is % cannot do this', request.state using errcode = '55000';
  end if;
  return request;
end;
$$;

-- A reason or a note, trimmed.
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

create function public.take_up_request(request_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.lock_request(request_id, array['open']);
  update public.data_rights_requests as request set state = 'in_progress' where request.id = take_up_request.request_id;
  perform private.record_request_event(request_id, 'admin', 'taken-up', null);
end;
$$;

comment on function public.take_up_request(uuid) is 'open becomes in_progress.';

create function public.record_request_note(request_id uuid, note text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.lock_request(
    request_id, array['unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn']
  );
  perform private.record_request_event(request_id, 'admin', 'noted', private.require_words(note));
end;
$$;

comment on function public.record_request_note(uuid, text) is 'Adds a note to the log, in any state.';

-- Once, and before the due date: the requester must learn of it, and why, within the first month (GDPR, article 12(3)),
-- and mail may take its time.
create function public.extend_request(request_id uuid, reason text, mail jsonb) returns date
language plpgsql security definer
set search_path = ''
as $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_request(request_id, array['open', 'in_progress']);
  if request.extended_at is not null then
    raise exception 'a request is extended once' using errcode = '55000';
  end if;
  if (now() at time zone 'UTC')::date >= request.due_on then
    raise exception 'a request is extended before it is due' using errcode = '55000';
  end if;
  update public.data_rights_requests as kept
  set extended_at = now(),
    extension_reason = private.require_words(reason),
    due_on = private.data_rights_extended_to((kept.received_at at time zone 'UTC')::date)
  where kept.id = request.id
  returning * into request;
  perform private.record_request_event(request.id, 'admin', 'extended', request.extension_reason);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return request.due_on;
end;
$$;

comment on function public.extend_request(uuid, text, jsonb) is
  'Moves the due date once, and returns the new one, which fills {{due_on}} in the mail.';

-- Ends a request with a mail to the requester.
create function private.close_request(request_id uuid, allowed_states text[], outcome text, note text, mail jsonb)
returns void
language plpgsql
set search_path = ''
as $$
declare
  request public.data_rights_requests := private.lock_request(request_id, allowed_states);
begin
  update public.data_rights_requests as kept set state = outcome, closed_at = now() where kept.id = request.id;
  perform private.record_request_event(request.id, 'admin', outcome, note);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
end;
$$;

create function public.complete_request(request_id uuid, note text, mail jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.close_request(
    request_id, array['open', 'in_progress'], 'completed',
    case when btrim(note) <> '' then private.require_words(note) end, mail
  );
end;
$$;

comment on function public.complete_request(uuid, text, jsonb) is 'open or in_progress becomes completed; note may be null.';

-- An unconfirmed request may be refused, too: whoever cannot be identified need not be answered (GDPR, article 12(2)).
create function public.refuse_request(request_id uuid, reason text, mail jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.close_request(
    request_id, array['unconfirmed', 'open', 'in_progress'], 'refused', private.require_words(reason), mail
  );
end;
$$;

comment on function public.refuse_request(uuid, text, jsonb) is 'unconfirmed, open or in_progress becomes refused.';

-- New links in the place of the old ones, for somebody whose mail was lost, whose link ran out, or whose browser filled
-- in the honeypot. Takes the request out of quarantine.
create function public.resend_confirmation(
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
  update public.data_rights_requests as kept set quarantine_reason = null where kept.id = request.id;
  delete from private.data_rights_links as link where link.request_id = request.id;
  insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
  values
    (confirm_token_hash, request.id, 'confirm', now() + private.confirmation_lifetime()),
    (status_token_hash, request.id, 'status', null);
  perform private.record_request_event(request.id, 'admin', 'confirmation-resent', null);
  perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false);
end;
$$;

comment on function public.resend_confirmation(uuid, text, text, jsonb) is
  'Sends an unconfirmed request''s confirmation again, with new links given by the SHA-256 of their tokens.';

revoke all on function
  private.lock_request(uuid, text[]), private.require_words(text),
  private.close_request(uuid, text[], text, text, jsonb),
  public.take_up_request(uuid), public.record_request_note(uuid, text), public.extend_request(uuid, text, jsonb),
  public.complete_request(uuid, text, jsonb), public.refuse_request(uuid, text, jsonb),
  public.resend_confirmation(uuid, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function
  public.take_up_request(uuid), public.record_request_note(uuid, text), public.extend_request(uuid, text, jsonb),
  public.complete_request(uuid, text, jsonb), public.refuse_request(uuid, text, jsonb),
  public.resend_confirmation(uuid, text, text, jsonb)
  to authenticated;
