-- A request is valid by whatever way it comes (GDPR, article 12): an admin enters what came by letter, phone or email, and
-- its clock runs from the day it came. Whoever was identified otherwise need not confirm by mail.
create function public.enter_request(
  request jsonb,
  channel text,
  received_on date,
  is_identified boolean,
  confirm_token_hash text,
  status_token_hash text,
  mail jsonb
) returns uuid
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  today date := (now() at time zone 'UTC')::date;
  entered public.data_rights_requests;
begin
  perform private.require_admin();
  if channel is null or channel not in ('letter', 'phone', 'email') or is_identified is null then
    raise exception 'a channel is needed, and whether the person was identified' using errcode = '22023';
  end if;
  if received_on is null or received_on > today or received_on < today - 90 then
    raise exception 'a request came within the last 90 days' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(private.subject_key(enter_request.request ->> 'email'), 0));

  loop
    insert into public.data_rights_requests (
      reference, request_type, name, email, description, received_at, due_on, state, confirmed_at, last_reminder,
      last_reminder_at
    )
    values (
      private.new_request_reference(),
      enter_request.request ->> 'request_type',
      enter_request.request ->> 'name',
      enter_request.request ->> 'email',
      enter_request.request ->> 'description',
      enter_request.received_on::timestamp at time zone 'UTC',
      private.data_rights_due_on(enter_request.received_on),
      case when is_identified then 'open' else 'unconfirmed' end,
      case when is_identified then now() end,
      -- The firm need not be told of what it has just done.
      case when is_identified then 'confirmed' end,
      case when is_identified then now() end
    )
    on conflict (reference) do nothing
    returning * into entered;
    exit when found;
  end loop;
  perform private.record_request_event(entered.id, 'admin', 'entered', channel);
  insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
  values (status_token_hash, entered.id, 'status', null);
  if not is_identified then
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    values (confirm_token_hash, entered.id, 'confirm', private.confirmation_ends_at(entered.due_on));
  end if;
  perform private.queue_request_mail(entered, 'request-acknowledgement', entered.email, mail, false);
  return entered.id;
end;
$$;

comment on function public.enter_request(jsonb, text, date, boolean, text, text, jsonb) is
  'Stores a request {request_type, name, email, description} that came by letter, phone or email on received_on, and queues '
  'the mail {subject, body} to its person; open if they were identified, else to be confirmed. Returns its id. Raises 42501 '
  'for others than admins, 22023 for another channel or day, 23514 or 23502 for a text that is too long or missing.';

revoke all on function public.enter_request(jsonb, text, date, boolean, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.enter_request(jsonb, text, date, boolean, text, text, jsonb) to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122140500' $$;
