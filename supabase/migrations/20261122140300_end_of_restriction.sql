-- Whoever had the use of their data restricted is told before that ends (GDPR, article 18(3)): an admin announces it, the
-- mail names the day, and on that day retention lifts it. Until then it can be called off.

alter table public.data_rights_requests
  -- On all frozen requests of a person at once: the restriction is the person's.
  add column restriction_ends_on date,
  add constraint data_rights_requests_restriction_check check (restriction_ends_on is null or frozen_at is not null);

-- So that a mail which a server postponed for five days still comes before.
create function private.restriction_notice() returns integer
language sql immutable
as $$ select 7 $$;

-- A frozen request, locked, with the turn of its address taken.
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

-- As before, with {{restriction_ends_on}}.
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
          replace(
            replace(part, '{{reference}}', request.reference),
            '{{due_on}}', to_char(request.due_on, 'FMDD FMMonth YYYY')
          ),
          '{{confirm_by}}', to_char(private.confirm_by(request.due_on), 'FMDD FMMonth YYYY')
        ),
        '{{restriction_ends_on}}', coalesce(to_char(request.restriction_ends_on, 'FMDD FMMonth YYYY'), '')
      ) order by place
    ) as texts
    from unnest(array[subject, body]) with ordinality as parts (part, place)
  ) as filled;
end;
$$;

-- No longer lifts it, but announces that.
create or replace function public.lift_restriction(request_id uuid, reason text, mail jsonb) returns jsonb
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
  request.restriction_ends_on := (now() at time zone 'UTC')::date + private.restriction_notice();
  update public.data_rights_requests as own
  set restriction_ends_on = request.restriction_ends_on
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is not null;
  perform private.record_request_event(request.id, 'admin', 'restriction-ending', private.require_words(reason));
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return jsonb_build_object('ends_on', request.restriction_ends_on);
end;
$$;

comment on function public.lift_restriction(uuid, text, jsonb) is
  'Announces through any frozen request of a person that the restriction ends, and returns {ends_on}, which fills '
  '{{restriction_ends_on}} in the mail {subject, body}; keep_retention lifts it on that day. Raises 42501 for others than '
  'admins, P0002 for an unknown request, 55000 where nothing is restricted or the end is announced already, 22023 without '
  'a reason.';

-- For a person who objects.
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
  'Takes back lift_restriction before its day, with a mail {subject, body}. Errors as there.';

-- As before, but a new restriction ends the announcement that an earlier one ends.
create or replace function public.restrict_subject(request_id uuid, reason text) returns jsonb
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
  update public.data_rights_requests as own
  set restriction_ends_on = null
  where private.subject_key(own.email) = private.subject_key(request.email);
  perform private.record_request_event(request.id, 'admin', 'restricted', private.require_words(reason));
  return jsonb_build_object('submissions', submissions, 'requests', requests);
end;
$$;

-- Lifts what was announced for today or before, for keep_retention.
create function private.lift_ended_restrictions() returns void
language plpgsql
set search_path = ''
as $$
declare
  person text;
  request public.data_rights_requests;
begin
  for person in
    select distinct private.subject_key(own.email) from public.data_rights_requests as own
    where own.restriction_ends_on <= (now() at time zone 'UTC')::date
    order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended(person, 0));
    -- Asked again: it may have been called off before the turn came.
    select * into request from public.data_rights_requests as own
    where private.subject_key(own.email) = person and own.restriction_ends_on <= (now() at time zone 'UTC')::date
    order by own.received_at, own.id
    limit 1;
    continue when not found;
    update public.contact_submissions as submission
    set frozen_at = null
    where private.subject_key(submission.email) = person and submission.frozen_at is not null;
    update public.data_rights_requests as own
    set frozen_at = null, restriction_ends_on = null
    where private.subject_key(own.email) = person and own.frozen_at is not null;
    perform private.record_request_event(request.id, 'system', 'restriction-lifted', null);
  end loop;
end;
$$;

revoke all on function
  private.restriction_notice(), private.lock_restricted(uuid),
  private.lift_ended_restrictions(), public.keep_restriction(uuid, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.keep_restriction(uuid, text, jsonb) to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122140300' $$;
