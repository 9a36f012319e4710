-- The present schema, written by pg_dump: `npm run schema`. The comments that say why, and the triggers on auth tables, are in
-- supabase/migrations.

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA private;

CREATE SCHEMA public;

COMMENT ON SCHEMA public IS 'standard public schema';

CREATE TYPE private.placed_row AS (
	place bigint,
	id uuid,
	data jsonb
);

CREATE FUNCTION private.acknowledgement_code(code text, kind text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$
  select case
    when kind = 'acknowledgement' then code
    else translate(rtrim(encode(sha256(convert_to(kind || code, 'UTF8')), 'base64'), '='), '+/', '-_')
  end
$$;

CREATE FUNCTION private.acknowledgement_limits() RETURNS TABLE(per_mailbox_and_day integer, per_client_and_day integer, per_network_and_day integer, per_hour integer)
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$ values (3, 5, 20, 60) $$;

CREATE FUNCTION private.add_to_counts(counts jsonb, kind text, done integer, refused integer) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$
  select counts
    || jsonb_build_object(kind, coalesce((counts ->> kind)::integer, 0) + done)
    || case
      when refused = 0 then '{}'
      else jsonb_build_object(kind || '_refused', coalesce((counts ->> (kind || '_refused'))::integer, 0) + refused)
    end
$$;

CREATE FUNCTION private.apply_to_due(action text, target regclass, is_due text, OUT done integer, OUT refused integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $_$
declare
  place tid;
  more integer;
begin
  done := 0;
  refused := 0;
  begin
    execute format('%s where %s', action, is_due);
    get diagnostics done = row_count;
    return;
  exception when others then
    done := 0;
  end;
  for place in execute format('select due.ctid from %s as due where %s', target, is_due) loop
    begin
      execute format('%s where due.ctid = $1 and (%s)', action, is_due) using place;
      get diagnostics more = row_count;
      done := done + more;
    exception when others then
      refused := refused + 1;
      raise warning 'retention: a row of % is refused with %', target, sqlstate;
    end;
  end loop;
end;
$_$;

CREATE FUNCTION private.ask_to_join(submission jsonb, membership jsonb, is_held boolean, is_again boolean, client_codes jsonb, per_hour integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  wish public.network_members;
  member public.network_members;
  is_new boolean;
  is_sent boolean := false;
begin
  if coalesce(jsonb_typeof(membership), 'null') = 'null' then
    return;
  end if;
  wish.email := btrim(submission ->> 'email');
  wish.fields := array(select jsonb_array_elements_text(coalesce(nullif(membership -> 'fields', 'null'), '[]')));
  if not is_held and not is_again then
    is_sent := private.withhold_acknowledgement(
      jsonb_build_array(jsonb_build_object('kind', 'network', 'recipient', wish.email)), client_codes, per_hour
    ) is null;
  end if;
  loop
    -- The checks come before the conflict, so that a known address hides no invalid value.
    insert into public.network_members
      (email, name, company, kind, fields, check_size, place, qualification, consent_text_hash, consent_policy_version)
    values (
      wish.email, submission ->> 'name', submission ->> 'company', membership ->> 'kind', wish.fields,
      membership ->> 'check_size', membership ->> 'place', membership ->> 'qualification',
      membership ->> 'consent_text_hash', membership ->> 'consent_policy_version'
    )
    on conflict do nothing
    returning * into member;
    is_new := found;
    exit when is_new;
    select * into member from public.network_members as stored
    where private.subject_key(stored.email) = private.subject_key(wish.email)
    for update;
    exit when found;
    -- The member left in the meantime.
  end loop;

  if not is_new then
    wish := jsonb_populate_record(wish, submission - array['id', 'email'] || membership - array['id', 'fields']);
    if coalesce(member.pending, private.network_details(member)) <> private.network_details(wish) then
      update public.network_members as stored
      set pending = private.network_details(wish), pending_at = now()
      where stored.id = member.id;
    elsif private.has_recent_link(member.id) then
      return;
    end if;
  end if;

  is_sent := is_sent and private.may_mail_again(member);
  if is_sent then
    perform private.queue_network_link(member, membership -> 'mail');
  end if;
  -- At most one entry a day beside the mails, which are limited, so that strangers cannot fill a member's log.
  if is_new or is_sent or not exists (
    select from public.network_events as event
    where event.member_id = member.id and event.action = 'asked-again' and event.at > now() - interval '1 day'
  ) then
    perform private.record_member_event(member.id, 'member', case when is_new then 'asked' else 'asked-again' end, null);
  end if;
  if is_new and not is_held then
    perform private.count_network('asked');
  end if;
end;
$$;

CREATE FUNCTION private.change_link_key() RETURNS void
    LANGUAGE sql
    SET search_path TO ''
    AS $$ update private.link_keys set ended_at = now() where ended_at is null $$;

COMMENT ON FUNCTION private.change_link_key() IS 'Ends all links to members'' pages at once. Links in letters go on stopping mail for 60 days, and later letters have new ones. For operators, after a leak of the database or a backup.';

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.contact_submissions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    company text NOT NULL,
    stage text NOT NULL,
    goal text NOT NULL,
    message text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ip_address text,
    quarantine_reason text,
    state text DEFAULT 'new'::text NOT NULL,
    frozen_at timestamp with time zone,
    consented_at timestamp with time zone,
    consent_policy_version text,
    consent_text_hash text,
    answer_due_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone,
    answer_notice text,
    waiting_since timestamp with time zone DEFAULT now() NOT NULL,
    marked_by_link_at timestamp with time zone,
    undelivered_at timestamp with time zone,
    version integer DEFAULT 0 NOT NULL,
    CONSTRAINT contact_submissions_answer_notice_check CHECK ((answer_notice = ANY (ARRAY['undelivered'::text, 'due-soon'::text, 'late'::text]))),
    CONSTRAINT contact_submissions_company_check CHECK (((char_length(company) >= 1) AND (char_length(company) <= 200))),
    CONSTRAINT contact_submissions_consent_policy_version_check CHECK ((consent_policy_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'::text)),
    CONSTRAINT contact_submissions_consent_text_hash_check CHECK ((consent_text_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT contact_submissions_email_check CHECK (((char_length(email) >= 1) AND (char_length(email) <= 255))),
    CONSTRAINT contact_submissions_goal_check CHECK (((char_length(goal) >= 1) AND (char_length(goal) <= 200))),
    CONSTRAINT contact_submissions_ip_address_check CHECK ((char_length(ip_address) <= 45)),
    CONSTRAINT contact_submissions_message_check CHECK (((char_length(message) >= 1) AND (char_length(message) <= 5000))),
    CONSTRAINT contact_submissions_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT contact_submissions_quarantine_reason_check CHECK ((quarantine_reason ~ '^[a-z-]{1,40}$'::text)),
    CONSTRAINT contact_submissions_stage_check CHECK (((char_length(stage) >= 1) AND (char_length(stage) <= 100))),
    CONSTRAINT contact_submissions_state_check CHECK ((state = ANY (ARRAY['new'::text, 'in_progress'::text, 'done'::text, 'spam'::text])))
);

CREATE FUNCTION private.changeable_state(submission public.contact_submissions) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select jsonb_build_object(
    'state', submission.state, 'quarantine_reason', submission.quarantine_reason,
    'answered_at', submission.answered_at, 'answer_notice', submission.answer_notice,
    'waiting_since', submission.waiting_since, 'marked_by_link_at', submission.marked_by_link_at
  )
$$;

CREATE FUNCTION private.check_email_address() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  -- The column rejects null. Surrounding spaces are not part of the address (private.subject_key).
  if coalesce(private.is_email_address(btrim(new.email)), true) or current_setting('site.copies_rows', true) = 'on' then
    return new;
  end if;
  raise exception 'mail cannot reach this address' using errcode = '23514';
end;
$$;

CREATE FUNCTION private.close_request(request_id uuid, allowed_states text[], outcome text, note text, mail jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests := private.lock_request(request_id, allowed_states);
begin
  update public.data_rights_requests as stored set state = outcome, closed_at = now(), undelivered_at = null
  where stored.id = request.id;
  perform private.record_request_event(request.id, 'admin', outcome, note);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
end;
$$;

CREATE FUNCTION private.confirm_by(due_on date) RETURNS date
    LANGUAGE sql STABLE
    AS $$ select greatest(due_on, private.today() + 3) $$;

CREATE FUNCTION private.confirmation_ends_at(due_on date) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$ select private.start_of_day(private.confirm_by(due_on) + 1) $$;

CREATE FUNCTION private.count_hit(code text, period interval) RETURNS integer
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  insert into private.rate_limits as existing (key, hits, resets_at)
  values (code, 1, now() + period)
  on conflict (key) do update set
    hits = case when existing.resets_at <= now() then 1 else least(existing.hits + 1, 1000000) end,
    resets_at = case when existing.resets_at <= now() then excluded.resets_at else existing.resets_at end
  returning existing.hits
$$;

CREATE FUNCTION private.count_mentions(person text) RETURNS bigint
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select (
    select count(*)
    from private.submission_search as search
    join public.contact_submissions as submission on submission.id = search.submission_id
    where strpos(search.words, person) > 0 and private.subject_key(submission.email) <> person
  ) + (
    select count(*)
    from (
      select reply.submission_id, reply.body from private.message_replies as reply
      union all
      select draft.submission_id, draft.body from private.reply_drafts as draft
    ) as written
    join public.contact_submissions as submission on submission.id = written.submission_id
    where strpos(lower(written.body), person) > 0 and private.subject_key(submission.email) <> person
  ) + (
    select count(*)
    from public.data_rights_requests as request
    where private.subject_key(request.email) <> person and (
      strpos(lower(request.name || e'\n' || request.description), person) > 0
      or exists (
        select 1 from public.data_rights_events as event
        where event.request_id = request.id and strpos(lower(event.note), person) > 0
      )
    )
  )
$$;

CREATE FUNCTION private.count_network(name text) RETURNS void
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  insert into private.day_counts as existing (day, kind, name, number)
  values (private.today(), 'network', count_network.name, 1)
  on conflict (day, kind, name) do update set number = existing.number + 1
$$;

CREATE FUNCTION private.count_overdue_requests() RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $$
begin
  return (
    select count(*) from public.data_rights_requests as request
    where request.closed_at is null and request.state in ('open', 'in_progress')
      and request.due_on < private.today()
  );
end;
$$;

COMMENT ON FUNCTION private.count_overdue_requests() IS 'Returns the number of open requests past their due date.';

CREATE FUNCTION private.count_second_factor_attempt(person uuid, session uuid) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  -- Without the lock, two concurrent calls would both count as the fifth attempt.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('second-factor ' || person::text, 0));
  delete from private.second_factor_attempts where attempted_at < now() - interval '15 minutes';
  if (select count(*) from private.second_factor_attempts where user_id = person and session_id = session) >= 5 then
    return false;
  end if;
  insert into private.second_factor_attempts (user_id, session_id) values (person, session);
  return true;
end;
$$;

COMMENT ON FUNCTION private.count_second_factor_attempt(person uuid, session uuid) IS 'Counts an attempt. Returns false when the person has used up five attempts in 15 minutes in this session.';

CREATE FUNCTION private.count_subject(person text) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  with submissions as (
    select id from public.contact_submissions as submission where private.subject_key(submission.email) = person
  ), requests as (
    select id from public.data_rights_requests as request where private.subject_key(request.email) = person
  )
  select jsonb_build_object(
    'submissions', (select count(*) from submissions),
    'replies', (
      select count(*) from private.message_replies as reply where reply.submission_id in (select id from submissions)
    ) + (
      select count(*) from private.reply_drafts as draft where draft.submission_id in (select id from submissions)
    ),
    'receipts', (
      select count(*) from private.contact_receipts as receipt where receipt.submission_id in (select id from submissions)
    ),
    'requests', (select count(*) from requests),
    'links', (select count(*) from private.data_rights_links as link where link.request_id in (select id from requests)),
    'events', (
      select count(*) from public.data_rights_events as event where event.request_id in (select id from requests)
    ),
    'memberships', (
      select count(*) from public.network_members as member where private.subject_key(member.email) = person
    ),
    'mails', (select count(*) from private.find_mails_of(person))
  )
$$;

CREATE FUNCTION private.count_submissions() RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $$
declare
  -- Each count scans its own range of the index contact_submissions_counts, which avoids comparing neighboring rows as
  -- group by does.
  new_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state = 'new');
  in_progress_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state = 'in_progress');
  done_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state = 'done');
  spam_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state = 'spam');
  quarantined_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is not null);
  -- Few rows: those of the last day or two.
  in_time_count constant bigint := (select count(*) from public.contact_submissions
    where frozen_at is null and quarantine_reason is null and state in ('new', 'in_progress') and answer_due_at >= now());
begin
  return jsonb_build_object(
    'waiting', new_count + in_progress_count,
    'all', new_count + in_progress_count + done_count,
    'new', new_count,
    'in_progress', in_progress_count,
    'done', done_count,
    'spam', spam_count,
    'quarantined', quarantined_count,
    'late', new_count + in_progress_count - in_time_count
  );
end;
$$;

CREATE FUNCTION private.count_version() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;

CREATE FUNCTION private.data_rights_due_on(received_on date) RETURNS date
    LANGUAGE sql IMMUTABLE
    AS $$ select least(received_on + 30, (received_on + interval '1 month')::date) $$;

CREATE FUNCTION private.data_rights_extended_to(received_on date) RETURNS date
    LANGUAGE sql IMMUTABLE
    AS $$ select least(received_on + 90, (received_on + interval '3 months')::date) $$;

CREATE FUNCTION private.day_in_words(day date) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$ select to_char(day::timestamp, 'FMMonth FMDD, YYYY') $$;

CREATE FUNCTION private.describe_digest() RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $$
declare
  since timestamptz := coalesce((select max(digest.made_at) from private.digests as digest), now() - interval '1 day');
  content jsonb;
begin
  select jsonb_build_object(
    'waiting', (select count(*) from public.contact_submissions as submission
      where submission.frozen_at is null and submission.quarantine_reason is null and submission.state in ('new', 'in_progress')),
    'late', (select count(*) from public.contact_submissions as submission
      where submission.frozen_at is null and submission.quarantine_reason is null and submission.state in ('new', 'in_progress')
        and submission.answer_due_at <= now()),
    'held_back', (select count(*) from public.contact_submissions as submission
      where submission.frozen_at is null and submission.quarantine_reason is not null and submission.created_at > since),
    -- Includes requests of people whose data is restricted, because the duty to respond is not.
    'requests', (select coalesce(jsonb_agg(jsonb_build_object(
        'reference', request.reference, 'request_type', request.request_type, 'due_on', request.due_on
      ) order by request.due_on, request.received_at), '[]')
      from public.data_rights_requests as request where request.state in ('open', 'in_progress')),
    'stuck_mails', (select count(*) from private.email_outbox as mail
      where mail.delivered_at is null and mail.gave_up_at is null and mail.created_at < now() - interval '10 minutes'
        and not private.is_held(mail)),
    'undelivered', (select coalesce(jsonb_agg(jsonb_build_object(
        'kind', mail.kind,
        'reference', coalesce(left(mail.submission_id::text, 8), (
          select request.reference from public.data_rights_requests as request where request.id = mail.request_id
        ))
      ) order by mail.gave_up_at, mail.id), '[]') from private.find_undelivered() as mail),
    -- Members whose address is confirmed, and whom no admin has admitted or declined.
    'network_confirmed', (select count(*) from public.network_members as member
      where member.frozen_at is null and member.state = 'confirmed'),
    'troubles', private.list_troubles()
  ) into content;
  return case
    when content ->> 'waiting' <> '0' or content -> 'requests' <> '[]' or content ->> 'held_back' <> '0'
      or content ->> 'stuck_mails' <> '0' or content -> 'undelivered' <> '[]' or content ->> 'network_confirmed' <> '0'
      or content -> 'troubles' <> '[]'
      then content
  end;
end;
$$;

CREATE FUNCTION private.digest(secret text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$ select encode(sha256(convert_to(secret, 'UTF8')), 'hex') $$;

CREATE FUNCTION private.drop_letters() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  with dropped as (
    delete from private.email_outbox as mail
    where mail.member_id = new.id and mail.delivered_at is null and mail.gave_up_at is null and (
      mail.kind = 'letter'
      or (mail.kind = 'network' and new.unsubscribed_at is not null and old.unsubscribed_at is null)
    )
    returning mail.id
  )
  delete from private.letter_recipients as recipient
  where recipient.member_id = new.id
    and (recipient.queued_at is null or recipient.mail_id in (select dropped.id from dropped));
  return null;
end;
$$;

CREATE FUNCTION private.due_answer_notice(submission public.contact_submissions) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select case
    when submission.frozen_at is not null or submission.quarantine_reason is not null
      or submission.state not in ('new', 'in_progress') then null
    when submission.undelivered_at is not null and submission.answer_notice is null then 'undelivered'
    -- A due-soon notice that was missed until the deadline becomes a late notice.
    when submission.answer_due_at <= now() then case when submission.answer_notice is distinct from 'late' then 'late' end
    when submission.answer_due_at <= now() + interval '6 hours' and submission.answer_notice is null then 'due-soon'
  end
$$;

CREATE FUNCTION private.is_choice(chosen text[], choices text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$
  select chosen <@ choices and coalesce(array_ndims(chosen), 1) = 1
    and cardinality(chosen) = (select count(distinct choice) from unnest(chosen) as choice)
$$;

COMMENT ON FUNCTION private.is_choice(chosen text[], choices text[]) IS 'Returns true when each element is one of the choices, none occurs twice, and the array has at most one dimension.';

CREATE FUNCTION private.is_line(words text, most integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$
  select char_length(words) <= most
    -- No control character, no line separator.
    and words !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]'
    -- No format character (Unicode's "Cf") but the joiners: no direction mark, soft hyphen, zero-width space or tag.
    and words !~ ('[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u202a-\u202e'
      '\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]')
    -- No joiner at the start, or after ASCII, a Latin letter or another joiner. Elsewhere it is part of spelling, as in
    -- Persian, Malayalam and emoji.
    and words !~ '(^|[\u0020-\u007e\u00c0-\u02b8\u1e00-\u1eff\u200c\u200d])[\u200c\u200d]'
    -- A character other than spaces, the Braille blank, and those that are ignored by default, as Hangul fillers are.
    and words ~ ('[^\u0020\u00a0\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u202f'
      '\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]')
$$;

CREATE TABLE public.network_members (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    company text NOT NULL,
    kind text,
    fields text[] DEFAULT '{}'::text[] NOT NULL,
    check_size text,
    place text,
    qualification text,
    state text DEFAULT 'asked'::text NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone,
    renewed_at timestamp with time zone,
    decided_at timestamp with time zone,
    pending jsonb,
    pending_at timestamp with time zone,
    consent_text_hash text NOT NULL,
    consent_policy_version text NOT NULL,
    reminded_at timestamp with time zone,
    renewal_asked_at timestamp with time zone,
    paused_at timestamp with time zone,
    pause_reason text,
    unsubscribed_at timestamp with time zone,
    frozen_at timestamp with time zone,
    page_link_at timestamp with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    CONSTRAINT network_members_check_size_check CHECK ((check_size = ANY (ARRAY['under-25k'::text, '25k-100k'::text, '100k-500k'::text, '500k-2m'::text, 'over-2m'::text]))),
    CONSTRAINT network_members_company_check CHECK (private.is_line(company, 200)),
    CONSTRAINT network_members_confirmed_check CHECK ((((confirmed_at IS NULL) = (state = 'asked'::text)) AND ((renewed_at IS NULL) = (state = 'asked'::text)))),
    CONSTRAINT network_members_consent_policy_version_check CHECK ((consent_policy_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'::text)),
    CONSTRAINT network_members_consent_text_hash_check CHECK ((consent_text_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT network_members_decided_check CHECK (((decided_at IS NULL) = (state = ANY (ARRAY['asked'::text, 'confirmed'::text])))),
    CONSTRAINT network_members_email_check CHECK (((char_length(email) >= 1) AND (char_length(email) <= 255))),
    CONSTRAINT network_members_fields_check CHECK (private.is_choice(fields, ARRAY['platforms'::text, 'ai'::text, 'care-delivery'::text, 'behavioral-health'::text, 'devices'::text, 'wellness'::text, 'infrastructure'::text])),
    CONSTRAINT network_members_kind_check CHECK ((kind = ANY (ARRAY['angel'::text, 'credentialed'::text, 'family-office'::text, 'fund'::text, 'lender'::text, 'corporate'::text]))),
    CONSTRAINT network_members_name_check CHECK (private.is_line(name, 100)),
    CONSTRAINT network_members_pause_reason_check CHECK ((pause_reason ~ '^[a-z0-9_-]{1,40}$'::text)),
    CONSTRAINT network_members_paused_check CHECK (((pause_reason IS NULL) OR (paused_at IS NOT NULL))),
    CONSTRAINT network_members_pending_check CHECK (((pending IS NULL) = (pending_at IS NULL))),
    CONSTRAINT network_members_place_check CHECK (private.is_line(place, 100)),
    CONSTRAINT network_members_qualification_check CHECK ((qualification = ANY (ARRAY['income'::text, 'net-worth'::text, 'license'::text, 'entity'::text, 'no'::text]))),
    CONSTRAINT network_members_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'confirmed'::text, 'admitted'::text, 'declined'::text])))
);

CREATE FUNCTION private.due_network_mail(member public.network_members) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $$
begin
  return case
    when member.frozen_at is not null or member.paused_at is not null or member.unsubscribed_at is not null then null
    when member.state = 'asked' and member.reminded_at is null and member.asked_at < now() - interval '3 days'
      and member.asked_at > now() - private.retention_period('unconfirmed_members')
      and exists (select from private.email_outbox as mail where mail.member_id = member.id) then 'reminder'
    when member.state in ('confirmed', 'admitted') and member.renewal_asked_at is null
      and member.renewed_at < now() - private.retention_period('member_renewals') then 'renewal'
  end;
end;
$$;

CREATE FUNCTION private.is_email_address(address text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $_$
  select address ~* ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
      || '@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$')
    and address !~ '@.*[^.]{64}' and address ~ '^[[:ascii:]]*$'
$_$;

COMMENT ON FUNCTION private.is_email_address(address text) IS 'Checks the syntax alone, as the forms do: a dot in the domain, no doubled dot or dot at an edge, no IP address, an international domain in its ASCII form. Null for null.';

CREATE TABLE public.data_rights_requests (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    reference text NOT NULL,
    request_type text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    description text NOT NULL,
    state text DEFAULT 'unconfirmed'::text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    due_on date NOT NULL,
    extended_at timestamp with time zone,
    extension_reason text,
    confirmed_at timestamp with time zone,
    closed_at timestamp with time zone,
    frozen_at timestamp with time zone,
    quarantine_reason text,
    last_reminder text,
    last_reminder_at timestamp with time zone,
    restriction_ends_on date,
    undelivered_at timestamp with time zone,
    mail_to text,
    version integer DEFAULT 0 NOT NULL,
    CONSTRAINT data_rights_requests_check CHECK (((extended_at IS NULL) = (extension_reason IS NULL))),
    CONSTRAINT data_rights_requests_check1 CHECK (((closed_at IS NULL) = (state = ANY (ARRAY['unconfirmed'::text, 'open'::text, 'in_progress'::text])))),
    CONSTRAINT data_rights_requests_check2 CHECK (((state <> 'unconfirmed'::text) OR (confirmed_at IS NULL))),
    CONSTRAINT data_rights_requests_check3 CHECK (((state <> ALL (ARRAY['open'::text, 'in_progress'::text, 'completed'::text])) OR (confirmed_at IS NOT NULL) OR (request_type = 'complaint'::text))),
    CONSTRAINT data_rights_requests_complaint_check CHECK (((request_type <> 'complaint'::text) OR ((state <> ALL (ARRAY['unconfirmed'::text, 'refused'::text])) AND (confirmed_at IS NULL) AND (extended_at IS NULL)))),
    CONSTRAINT data_rights_requests_description_check CHECK (((char_length(description) >= 1) AND (char_length(description) <= 5000))),
    CONSTRAINT data_rights_requests_email_check CHECK (((char_length(email) >= 1) AND (char_length(email) <= 255))),
    CONSTRAINT data_rights_requests_extension_reason_check CHECK (((char_length(extension_reason) >= 1) AND (char_length(extension_reason) <= 2000))),
    CONSTRAINT data_rights_requests_last_reminder_check CHECK ((last_reminder = ANY (ARRAY['unconfirmed'::text, 'confirmed'::text, 'due-in-7-days'::text, 'due-in-2-days'::text]))),
    CONSTRAINT data_rights_requests_mail_to_check CHECK ((private.is_email_address(mail_to) AND (char_length(mail_to) <= 255))),
    CONSTRAINT data_rights_requests_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT data_rights_requests_quarantine_reason_check CHECK ((quarantine_reason ~ '^[a-z-]{1,40}$'::text)),
    CONSTRAINT data_rights_requests_reference_check CHECK ((reference ~ '^DR-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$'::text)),
    CONSTRAINT data_rights_requests_request_type_check CHECK ((request_type = ANY (ARRAY['access'::text, 'rectification'::text, 'erasure'::text, 'portability'::text, 'restrict'::text, 'object'::text, 'other'::text, 'complaint'::text]))),
    CONSTRAINT data_rights_requests_restriction_check CHECK (((restriction_ends_on IS NULL) OR (frozen_at IS NOT NULL))),
    CONSTRAINT data_rights_requests_state_check CHECK ((state = ANY (ARRAY['unconfirmed'::text, 'open'::text, 'in_progress'::text, 'completed'::text, 'refused'::text, 'withdrawn'::text])))
);

CREATE FUNCTION private.due_reminder(request public.data_rights_requests) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select case
    when exists (
      select 1 from private.data_packages as package
      where package.request_id = request.id and package.link_wanted_at is not null and package.available_until > now()
    ) then 'package-link'
    when request.closed_at is not null then null
    when request.state = 'unconfirmed' then case
      -- Leaves five days for mail limits and mail servers before day 25.
      when request.last_reminder is null and request.received_at <= now() - interval '20 days'
        and coalesce(request.last_reminder_at <= now() - interval '6 hours', true)
        then 'unconfirmed'
    end
    when coalesce(request.last_reminder, 'unconfirmed') = 'unconfirmed' then 'confirmed'
    -- After an extension the firm is reminded of the new due date.
    when timing.days_left <= 2 and (timing.reminder <> 'due-in-2-days') then 'due-in-2-days'
    when timing.days_left between 3 and 7 and timing.reminder = 'confirmed' then 'due-in-7-days'
  end
  from (
    select request.due_on - private.today() as days_left,
      case when request.extended_at > request.last_reminder_at then 'confirmed' else request.last_reminder end as reminder
  ) as timing
$$;

CREATE TABLE private.troubles (
    cause text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    mailed_at timestamp with time zone,
    mail_id uuid,
    CONSTRAINT troubles_cause_check CHECK ((cause = ANY (ARRAY['backup-failed'::text, 'backup-late'::text, 'copy-failed'::text, 'copy-late'::text, 'backup-unverified'::text, 'disk-low'::text, 'limits-refused'::text, 'database-behind'::text, 'thread-ended'::text, 'process-ended'::text, 'process-stuck'::text, 'retention-waits'::text, 'retention-late'::text, 'mail-waits'::text])))
);

CREATE FUNCTION private.due_trouble_mail(trouble private.troubles) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select case
    when exists (
      select from private.email_outbox as mail where mail.id = trouble.mail_id and mail.delivered_at is null
    ) then null
    -- The end of what was mailed. The mail about it is later than the end.
    when trouble.mailed_at >= trouble.since and trouble.mailed_at < trouble.ended_at
      and private.trouble_source(trouble.cause) <> 'event' then 'ended'
    when trouble.mailed_at between now() - interval '1 day' and now() then null
    when private.is_brief(trouble) then null
    when trouble.cause = 'mail-waits' and trouble.ended_at is null and not exists (
      select from private.email_outbox as mail where mail.delivered_at > greatest(trouble.since, now() - interval '1 hour')
    ) then null
    when trouble.ended_at is null then 'lasts'
    when trouble.mailed_at >= trouble.since then null
    when private.trouble_source(trouble.cause) = 'event' then 'happened'
    when trouble.cause = 'mail-waits' then 'ended'
  end
$$;

CREATE FUNCTION private.end_every_session(person uuid) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  ended_count integer;
begin
  delete from auth.sessions as session where session.user_id = person;
  get diagnostics ended_count = row_count;
  return ended_count;
end;
$$;

CREATE FUNCTION private.end_sent_invitations() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  -- An invitation that is being accepted either completes before this, or finds no link.
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  with ended as (
    delete from private.account_links as link
    where link.invited_by = old.user_id and link.purpose = 'invitation'
    returning link.email, link.expires_at
  )
  insert into public.admin_events (actor, action, person)
  select auth.uid(), 'invitation-withdrawn', ended.email from ended where ended.expires_at > now() order by ended.email;
  return null;
end;
$$;

CREATE FUNCTION private.filter_members(state text, kind text, field text) RETURNS SETOF public.network_members
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select member.* from public.network_members as member
  where member.frozen_at is null
    and (filter_members.state is null or member.state = filter_members.state)
    and (filter_members.kind is null or member.kind = filter_members.kind)
    and (filter_members.field is null or filter_members.field = any (member.fields))
$$;

CREATE FUNCTION private.find_linked_member(token text, purpose text) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $_$
declare
  parts bytea;
begin
  if token is null or token !~ '^[A-Za-z0-9_-]{64}$' then
    return null;
  end if;
  parts := decode(translate(token, '-_', '+/'), 'base64');
  return (
    select member.id
    from public.network_members as member
    where member.id = encode(substr(parts, 1, 16), 'hex')::uuid
      and exists (
        select from private.link_keys as key
        -- Digests are compared, so that the time of the comparison tells nothing about the code.
        where sha256(private.member_link_code(key.secret, member, purpose)) = sha256(substr(parts, 17))
          and (key.ended_at is null
            or (purpose = 'letter' and key.ended_at > now() - private.retention_period('ended_link_keys')))
      )
      and (purpose = 'letter' or member.page_link_at > now() - private.retention_period('page_links'))
      and (member.state <> 'asked' or member.asked_at > now() - private.retention_period('unconfirmed_members'))
  );
end;
$_$;

CREATE FUNCTION private.find_linked_request(token text, purpose text) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $_$
begin
  -- At least 32 random bytes in base64url. Skip the digest for anything else.
  if token is null or token !~ '^[A-Za-z0-9_-]{43,128}$' then
    return null;
  end if;
  return (
    select link.request_id
    from private.data_rights_links as link
    join public.data_rights_requests as request on request.id = link.request_id
    where link.token_hash = private.digest(find_linked_request.token)
      and link.purpose = find_linked_request.purpose
      and link.used_at is null
      and (link.expires_at is null or link.expires_at > now())
      and (request.closed_at is null or request.closed_at > now() - private.retention_period('status_links'))
  );
end;
$_$;

CREATE FUNCTION private.find_linked_submission(token text) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $_$
begin
  -- At least 32 random bytes in base64url. Skip the digest for anything else.
  if token is null or token !~ '^[A-Za-z0-9_-]{43,128}$' then
    return null;
  end if;
  return (
    select submission.id
    from private.answer_links as link
    join public.contact_submissions as submission on submission.id = link.submission_id
    where link.token_hash = private.digest(find_linked_submission.token)
      and submission.frozen_at is null and submission.quarantine_reason is null and submission.state <> 'spam'
      and (submission.answered_at is null
        or submission.answered_at > now() - private.retention_period('answered_links'))
  );
end;
$_$;

CREATE TABLE private.email_outbox (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    submission_id uuid,
    kind text NOT NULL,
    recipient text,
    reply_to text,
    sender_name text,
    subject text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    leased_until timestamp with time zone,
    delivered_at timestamp with time zone,
    gave_up_at timestamp with time zone,
    last_error text,
    request_id uuid,
    forget_when_delivered boolean DEFAULT false NOT NULL,
    account_link_id uuid,
    thread uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    member_id uuid,
    link_to text,
    closing text,
    CONSTRAINT email_outbox_kind_check CHECK ((kind = ANY (ARRAY['firm'::text, 'digest'::text, 'acknowledgement'::text, 'reply'::text, 'request-firm'::text, 'request-acknowledgement'::text, 'request-answer'::text, 'account'::text, 'account-link'::text, 'network'::text, 'letter'::text, 'letter-trial'::text, 'trouble'::text]))),
    CONSTRAINT email_outbox_last_error_check CHECK ((last_error ~ '^[a-z0-9_-]{1,40}$'::text)),
    CONSTRAINT email_outbox_link_check CHECK (((link_to IS NULL) OR ((member_id IS NOT NULL) AND (closing IS NOT NULL)))),
    CONSTRAINT email_outbox_link_to_check CHECK ((link_to = ANY (ARRAY['page'::text, 'letter'::text]))),
    CONSTRAINT email_outbox_owner_check CHECK ((num_nonnulls(submission_id, request_id, account_link_id, member_id) =
CASE
    WHEN forget_when_delivered THEN 0
    ELSE 1
END)),
    CONSTRAINT email_outbox_recipient_check CHECK (((recipient IS NOT NULL) OR (kind = ANY (ARRAY['firm'::text, 'digest'::text, 'trouble'::text, 'request-firm'::text]))))
);

CREATE FUNCTION private.find_mails_of(person text) RETURNS SETOF private.email_outbox
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
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
    or mail.member_id in (
      select member.id from public.network_members as member where private.subject_key(member.email) = person
    )
$$;

CREATE FUNCTION private.find_member_id(email text) RETURNS uuid
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select member.id from public.network_members as member
  where lower(btrim(member.email)) = lower(btrim(find_member_id.email)) and member.frozen_at is null
$$;

CREATE FUNCTION private.find_own_troubles() RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $_$
  select array_remove(array[
    case when private.retention_waits() then 'retention-waits' end,
    case when not private.retention_waits() and now() - interval '2 days' > coalesce(
      (
        select max(run.ran_at) from private.retention_runs as run
        where not jsonb_path_exists(run.counts, '$.keyvalue() ? (@.key like_regex "_refused$")')
      ),
      (select min(role.granted_at) from public.user_roles as role)
    ) then 'retention-late' end,
    case when exists (
      select from private.email_outbox as mail
      where mail.delivered_at is null and mail.gave_up_at is null and mail.created_at < now() - interval '1 hour'
        and mail.kind <> 'letter' and not private.is_held(mail)
    ) then 'mail-waits' end
  ], null)
$_$;

CREATE FUNCTION private.find_refusal(owner_id uuid) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select mail.last_error from private.email_outbox as mail
  where (mail.submission_id = owner_id or mail.request_id = owner_id) and mail.kind in ('reply', 'request-answer')
    and mail.gave_up_at is not null
  order by mail.gave_up_at desc limit 1
$$;

CREATE FUNCTION private.find_undelivered() RETURNS SETOF private.email_outbox
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select mail.*
  from private.email_outbox as mail
  where mail.delivered_at is null and mail.gave_up_at is not null and (
    exists (
      select from public.contact_submissions as submission
      where submission.id = mail.submission_id and submission.state in ('new', 'in_progress')
        and submission.quarantine_reason is null and submission.frozen_at is null
        and not private.is_replaced(mail)
    ) or exists (
      select from public.data_rights_requests as request
      where request.id = mail.request_id and request.closed_at is null and not private.is_replaced(mail)
    ) or exists (
      select from private.account_links as link
      where link.id = mail.account_link_id
        and link.expires_at > now() - case when link.purpose = 'invitation' then interval '0' else interval '1 day' end
    )
  )
$$;

CREATE FUNCTION private.forget_trusted_factor() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  delete from private.trusted_factors as trusted where trusted.factor_id = old.id;
  return null;
end;
$$;

CREATE FUNCTION private.give_admin_role(person uuid, actor uuid, action text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  update auth.users as account set raw_app_meta_data = account.raw_app_meta_data - 'admin_revoked'
  where account.id = person and account.raw_app_meta_data ? 'admin_revoked';
  insert into public.user_roles (user_id, role) values (person, 'admin') on conflict (user_id, role) do nothing;
  insert into public.admin_events (actor, action, person)
  select give_admin_role.actor, give_admin_role.action, lower(account.email) from auth.users as account
  where account.id = give_admin_role.person;
end;
$$;

CREATE FUNCTION private.has_factor_permit(session uuid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select exists (
    select from private.factor_permits as permit where permit.session_id = session and permit.expires_at > now()
  )
$$;

CREATE FUNCTION private.has_recent_link(member_id uuid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select exists (
    select from private.email_outbox as mail
    where mail.member_id = has_recent_link.member_id and mail.kind = 'network'
      and mail.created_at > now() - interval '10 minutes'
  )
$$;

CREATE FUNCTION private.index_submission() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  insert into private.submission_search as search (submission_id, created_at, words)
  values (
    new.id,
    new.created_at,
    -- Search terms hold no line break, so this separator keeps a term from matching across two fields.
    normalize(lower(concat_ws(e'\n', new.name, new.email, new.company, new.stage, new.goal, new.message)), nfc)
  )
  on conflict (submission_id) do update set created_at = excluded.created_at, words = excluded.words;
  return null;
end;
$$;

CREATE FUNCTION private.is_asked_for(email text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select exists (
    select 1 from public.data_rights_requests as request
    where lower(btrim(request.email)) = private.subject_key(is_asked_for.email)
      and request.state in ('open', 'in_progress')
      and request.request_type in ('access', 'portability', 'restrict')
  )
$$;

CREATE FUNCTION private.is_asked_for(mail private.email_outbox) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select private.is_asked_for(mail.recipient) or private.is_asked_for(mail.reply_to)
    or exists (
      select 1 from public.contact_submissions as submission
      where submission.id = mail.submission_id and private.is_asked_for(submission.email)
    )
    or exists (
      select 1 from public.data_rights_requests as request
      where request.id = mail.request_id and private.is_asked_for(request.email)
    )
    or exists (
      select 1 from public.network_members as member
      where member.id = mail.member_id and private.is_asked_for(member.email)
    )
$$;

CREATE FUNCTION private.is_brief(trouble private.troubles) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select private.trouble_source(trouble.cause) = 'database'
    and coalesce(trouble.ended_at, now()) < trouble.since + interval '10 minutes'
$$;

CREATE FUNCTION private.is_chosen(member public.network_members, to_states text[], to_kind text, to_field text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$
  select private.is_writable(member) and member.state = any (to_states)
    and (to_kind is null or member.kind = to_kind) and (to_field is null or to_field = any (member.fields))
$$;

CREATE FUNCTION private.is_frozen(mail private.email_outbox) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select exists (
    select 1 from public.contact_submissions as submission
    where submission.id = mail.submission_id and submission.frozen_at is not null
  ) or exists (
    select 1 from public.data_rights_requests as request
    where request.id = mail.request_id and request.frozen_at is not null
  ) or exists (
    select 1 from public.network_members as member
    where member.id = mail.member_id and member.frozen_at is not null
  )
$$;

CREATE FUNCTION private.is_held(mail private.email_outbox) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select mail.kind not in ('request-answer', 'request-firm') and private.is_frozen(mail)
    and not exists (select 1 from private.data_packages as package where package.request_id = mail.request_id)
$$;

CREATE FUNCTION private.is_in_folder(request public.data_rights_requests, folder text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select (request.frozen_at is not null) = (folder = 'restricted') and case
    when folder in ('all', 'restricted') then true
    when folder = 'quarantined' then request.quarantine_reason is not null
    when folder = 'active' then request.closed_at is null
    when folder = 'closed' then request.closed_at is not null
    else request.state = folder
  end
$$;

CREATE FUNCTION private.is_jump_since(seen_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$ select now() not between seen_at - interval '1 hour' and seen_at + interval '14 days' $$;

CREATE FUNCTION private.is_replaced(mail private.email_outbox) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select exists (
    select from private.email_outbox as later
    where (later.submission_id = mail.submission_id or later.request_id = mail.request_id) and later.kind = mail.kind
      and later.delivered_at is not null and later.created_at > mail.created_at
  )
$$;

CREATE FUNCTION private.is_resendable(mail private.email_outbox) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$ select mail.delivered_at is null and (mail.gave_up_at is not null or mail.last_error is not null) $$;

CREATE FUNCTION private.is_salted_digest_of(salted text, digest text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$ select substr(salted, 33) = private.digest(left(salted, 32) || is_salted_digest_of.digest) $$;

CREATE FUNCTION private.is_writable(member public.network_members) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$
  select member.state in ('confirmed', 'admitted') and member.frozen_at is null and member.paused_at is null
    and member.unsubscribed_at is null
$$;

CREATE FUNCTION private.keep_consent_history() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  if tg_op = 'DELETE' and current_setting('private.erases_consent', true) = 'on' then
    return old;
  end if;
  raise exception 'the history of consent is only ever added to' using errcode = '42501';
end;
$$;

CREATE FUNCTION private.keep_consent_retention(counts jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  ended text[];
  result record;
begin
  -- Select these first: once a decision is deleted, its record no longer shows the withdrawal.
  select coalesce(array_agg(consent.session_id), '{}') into ended
  from public.user_consents as consent
  where not (consent.analytics_consent or consent.marketing_consent)
    and (
      (
        consent.updated_at < now() - private.retention_period('withdrawn_consents')
        and exists (
          select 1 from private.consent_history as earlier
          where earlier.session_id = consent.session_id and (earlier.analytics_consent or earlier.marketing_consent)
        )
      ) or (
        consent.updated_at < now() - private.retention_period('signal_records')
        and not exists (
          select 1 from private.consent_history as chosen
          where chosen.session_id = consent.session_id and chosen.source <> 'signal'
        )
      )
    );
  perform set_config('private.erases_consent', 'on', true);
  result := private.apply_to_due(
    'delete from public.user_consents as due', 'public.user_consents',
    format('due.updated_at < now() - private.retention_period(''consents'') or due.session_id = any (%L::text[])', ended)
  );
  counts := private.add_to_counts(counts, 'consents', result.done, result.refused);
  -- Keep the decisions of a record that could not be deleted, or the next run would not find it.
  select coalesce(array_agg(deleted.session_id), '{}') into ended
  from unnest(ended) as deleted (session_id)
  where not exists (select from public.user_consents as consent where consent.session_id = deleted.session_id);
  result := private.apply_to_due(
    'delete from private.consent_history as due', 'private.consent_history',
    format('due.decided_at < now() - private.retention_period(''consents'') or due.session_id = any (%L::text[])', ended)
  );
  perform set_config('private.erases_consent', 'off', true);
  return private.add_to_counts(counts, 'consent_decisions', result.done, result.refused);
end;
$$;

CREATE FUNCTION private.keep_log() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  if tg_op = 'DELETE' and current_setting('private.erases_log', true) = 'on' then
    return old;
  end if;
  raise exception '% is only ever added to', tg_table_name using errcode = '42501';
end;
$$;

CREATE FUNCTION private.keyed_digest(key bytea, content text) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$ select sha256(key || sha256(key || convert_to(content, 'UTF8'))) $$;

CREATE TABLE public.network_letters (
    id uuid NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    to_states text[] NOT NULL,
    to_kind text,
    to_field text,
    saved_by uuid NOT NULL,
    saved_at timestamp with time zone DEFAULT now() NOT NULL,
    tried_hash text,
    sent_at timestamp with time zone,
    sent_by uuid,
    stopped_at timestamp with time zone,
    to_count integer,
    version integer DEFAULT 1 NOT NULL,
    CONSTRAINT network_letters_body_check CHECK ((char_length(body) <= 20000)),
    CONSTRAINT network_letters_sent_check CHECK ((num_nonnulls(sent_at, sent_by, to_count) = ANY (ARRAY[0, 3]))),
    CONSTRAINT network_letters_stopped_check CHECK (((stopped_at IS NULL) OR (sent_at IS NOT NULL))),
    CONSTRAINT network_letters_subject_check CHECK (((subject = ''::text) OR private.is_line(subject, 200))),
    CONSTRAINT network_letters_to_states_check CHECK (private.is_choice(to_states, ARRAY['confirmed'::text, 'admitted'::text])),
    CONSTRAINT network_letters_tried_hash_check CHECK ((tried_hash ~ '^[0-9a-f]{64}$'::text))
);

CREATE FUNCTION private.letter_digest(letter public.network_letters) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$ select private.digest(concat_ws(e'\n', auth.uid(), letter.subject, letter.body)) $$;

CREATE FUNCTION private.letter_progress(letter public.network_letters) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select jsonb_build_object(
    'queued', progress.queued, 'delivered', progress.delivered, 'waiting', progress.waiting,
    'given_up', progress.given_up,
    'state', case
      when letter.sent_at is null then 'draft'
      when letter.stopped_at is not null then 'stopped'
      when progress.waiting > 0 then 'sending'
      else 'sent'
    end
  )
  from (
    select count(mail.id) as queued, count(recipient.delivered_at) as delivered,
      count(*) filter (where recipient.queued_at is null or mail.id is not null) as waiting,
      count(*) filter (
        where recipient.queued_at is not null and recipient.delivered_at is null and mail.id is null
      ) as given_up
    from private.letter_recipients as recipient
    left join private.email_outbox as mail
      on mail.id = recipient.mail_id and mail.delivered_at is null and mail.gave_up_at is null
    where recipient.letter_id = letter.id
  ) as progress
$$;

CREATE FUNCTION private.lift_ended_restrictions() RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  person text;
  request public.data_rights_requests;
  member_id uuid;
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
      update public.contact_submissions as submission
      set frozen_at = null
      where private.subject_key(submission.email) = person and submission.frozen_at is not null;
      update public.network_members as member
      set frozen_at = null
      where private.subject_key(member.email) = person and member.frozen_at is not null
      returning member.id into member_id;
      if found then
        perform private.record_member_event(member_id, 'system', 'restriction-lifted', null);
      end if;
      update public.data_rights_requests as own
      set frozen_at = null, restriction_ends_on = null
      where private.subject_key(own.email) = person and own.frozen_at is not null;
      perform private.record_request_event(request.id, 'system', 'restriction-lifted', null);
    exception when others then
      refused := refused + 1;
      raise warning 'retention: a restriction cannot be lifted: %', sqlstate;
    end;
  end loop;
  return refused;
end;
$$;

CREATE FUNCTION private.link_key() RETURNS bytea
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  found_secret bytea;
begin
  loop
    select key.secret into found_secret from private.link_keys as key where key.ended_at is null;
    if found then
      return found_secret;
    end if;
    insert into private.link_keys default values on conflict do nothing;
  end loop;
end;
$$;

CREATE FUNCTION private.list_events_of(account_id uuid, address text) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', event.id, 'at', event.at, 'action', event.action, 'person', event.person,
    'people_count', event.people_count,
    'by', coalesce(private.name_person(event.actor), left(event.actor::text, 8))
  ) order by event.id desc), '[]')
  from (
    select * from (
      (
        select * from public.admin_events as as_actor
        where as_actor.actor = account_id order by as_actor.id desc limit 30
      )
      union
      (
        select * from public.admin_events as as_subject
        where as_subject.person = address order by as_subject.id desc limit 30
      )
    ) as both_sides
    order by id desc limit 30
  ) as event
$$;

CREATE FUNCTION private.list_troubles() RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select coalesce(jsonb_agg(
    jsonb_build_object('cause', trouble.cause, 'since', trouble.since) order by trouble.since, trouble.cause
  ), '[]')
  from private.troubles as trouble
  where not private.is_brief(trouble) and case
    when private.trouble_source(trouble.cause) = 'event' then trouble.since > now() - interval '1 day'
    else trouble.ended_at is null
  end
$$;

CREATE FUNCTION private.local_day(at timestamp with time zone) RETURNS date
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$ select (at at time zone private.time_zone())::date $$;

COMMENT ON FUNCTION private.local_day(at timestamp with time zone) IS 'Returns the calendar day at the firm at that instant.';

CREATE FUNCTION private.lock_answerable(submission_id uuid) RETURNS public.contact_submissions
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  submission public.contact_submissions := private.lock_submission(lock_answerable.submission_id);
begin
  if submission.quarantine_reason is not null or submission.state = 'spam' then
    raise exception 'what is spam or held back is moved to New before it is answered' using errcode = '55000';
  end if;
  return submission;
end;
$$;

CREATE FUNCTION private.lock_letter(letter_id uuid) RETURNS public.network_letters
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  letter public.network_letters;
begin
  select * into letter from public.network_letters as stored where stored.id = lock_letter.letter_id for update;
  if not found then
    raise exception 'there is no such letter' using errcode = 'P0002';
  end if;
  return letter;
end;
$$;

CREATE FUNCTION private.lock_letter_draft(letter_id uuid, seen_version integer) RETURNS public.network_letters
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  letter public.network_letters := private.lock_letter(lock_letter_draft.letter_id);
begin
  if letter.sent_at is not null then
    raise exception 'this letter was sent' using errcode = '55000';
  end if;
  if seen_version is distinct from letter.version then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
  return letter;
end;
$$;

CREATE FUNCTION private.lock_letters(attempts jsonb) RETURNS void
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  select from public.network_letters as letter
  where letter.id in (
    select recipient.letter_id from jsonb_to_recordset(lock_letters.attempts) as attempt (mail_id uuid)
    join private.letter_recipients as recipient on recipient.mail_id = attempt.mail_id
  ) order by letter.id for share
$$;

CREATE FUNCTION private.lock_linked_member(token text, purpose text) RETURNS public.network_members
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  member public.network_members;
begin
  select * into member from public.network_members as stored
  where stored.id = (select private.find_linked_member(lock_linked_member.token, lock_linked_member.purpose)) for update;
  return member;
end;
$$;

CREATE FUNCTION private.lock_member(member_id uuid) RETURNS public.network_members
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  member public.network_members;
begin
  select * into member from public.network_members as stored
  where stored.id = lock_member.member_id and stored.frozen_at is null for update;
  if not found then
    raise exception 'there is no such member' using errcode = 'P0002';
  end if;
  return member;
end;
$$;

CREATE FUNCTION private.lock_rectification(request_id uuid) RETURNS public.data_rights_requests
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests := private.lock_subject(request_id, array['open', 'in_progress']);
begin
  perform private.require_type(request, array['rectification', 'other']);
  return request;
end;
$$;

CREATE FUNCTION private.lock_request(request_id uuid, allowed_states text[]) RETURNS public.data_rights_requests
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
begin
  select * into request from public.data_rights_requests as stored where stored.id = lock_request.request_id for update;
  if not found then
    raise exception 'there is no such request' using errcode = 'P0002';
  end if;
  perform private.require_seen(request.version);
  if request.state <> all (allowed_states) then
    raise exception 'a request that is % cannot do this', request.state using errcode = '55000';
  end if;
  return request;
end;
$$;

CREATE FUNCTION private.lock_restricted(request_id uuid) RETURNS public.data_rights_requests
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
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

CREATE FUNCTION private.lock_subject(request_id uuid, allowed_states text[]) RETURNS public.data_rights_requests
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
begin
  perform pg_advisory_xact_lock(hashtextextended(private.subject_key(stored.email), 0))
  from public.data_rights_requests as stored
  where stored.id = lock_subject.request_id;
  request := private.lock_request(request_id, allowed_states);
  if request.request_type = 'complaint' then
    raise exception 'a complaint proves nothing about who wrote it' using errcode = '55000';
  end if;
  return request;
end;
$$;

CREATE FUNCTION private.lock_submission(submission_id uuid) RETURNS public.contact_submissions
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  submission public.contact_submissions;
begin
  select * into submission from public.contact_submissions as stored
  where stored.id = lock_submission.submission_id for update;
  if not found then
    raise exception 'there is no such message' using errcode = 'P0002';
  end if;
  if submission.frozen_at is not null then
    raise exception 'the use of this message is restricted' using errcode = '55000';
  end if;
  perform private.require_seen(submission.version);
  return submission;
end;
$$;

CREATE FUNCTION private.log_letter(action text, people_count integer DEFAULT NULL::integer) RETURNS void
    LANGUAGE sql
    SET search_path TO ''
    AS $$ insert into public.admin_events (actor, action, people_count) values (auth.uid(), action, people_count) $$;

CREATE FUNCTION private.mailbox_code(purpose text, email text) RETURNS text
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  select translate(rtrim(encode(
    private.keyed_digest(private.link_key(), concat_ws(' ', 'mailbox', purpose, private.mailbox_key(email))), 'base64'
  ), '='), '+/', '-_')
$$;

CREATE FUNCTION private.mailbox_key(email text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $_$
  select case
    when parts.domain in ('gmail.com', 'googlemail.com') then replace(parts.name, '.', '') || '@gmail.com'
    else parts.name || '@' || parts.domain
  end
  from (
    select regexp_replace(split.name, '^([^+]+)\+.*$', '\1') as name, split.domain
    from (
      select regexp_replace(private.subject_key(email), '@[^@]*$', '') as name,
        substring(private.subject_key(email) from '[^@]*$') as domain
    ) as split
  ) as parts
$_$;

COMMENT ON FUNCTION private.mailbox_key(email text) IS 'Returns the mailbox that an address delivers to: in lower case, without +tag, and for Gmail without dots and as gmail.com.';

CREATE TABLE private.account_links (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    token_hash text NOT NULL,
    purpose text NOT NULL,
    email text NOT NULL,
    user_id uuid,
    invited_by uuid,
    made_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone,
    CONSTRAINT account_links_email_check CHECK (((email = lower(email)) AND (email ~ '^[^[:space:]@]+@[^[:space:]@]+$'::text) AND (char_length(email) <= 255))),
    CONSTRAINT account_links_owner_check CHECK (((purpose = 'new-password'::text) = (user_id IS NOT NULL))),
    CONSTRAINT account_links_purpose_check CHECK ((purpose = ANY (ARRAY['invitation'::text, 'new-password'::text]))),
    CONSTRAINT account_links_token_hash_check CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text))
);

CREATE FUNCTION private.make_invitation(address text, actor uuid, token_hash text) RETURNS private.account_links
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  invitation private.account_links;
begin
  if exists (
    select from public.user_roles as user_role join auth.users as account on account.id = user_role.user_id
    where user_role.role = 'admin' and lower(account.email) = address
  ) then
    raise exception 'this person is an admin already' using errcode = '42710';
  end if;
  delete from private.account_links as link
  where (link.purpose = 'invitation' and link.email = address) or link.expires_at < now() - interval '1 day';
  insert into private.account_links (token_hash, purpose, email, invited_by, expires_at)
  values (make_invitation.token_hash, 'invitation', address, actor, now() + interval '72 hours')
  returning * into invitation;
  insert into public.admin_events (actor, action, person) values (actor, 'admin-invited', address);
  return invitation;
end;
$$;

CREATE FUNCTION private.make_new_password_link(account_id uuid, token_hash text) RETURNS private.account_links
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  delete from private.account_links as link where link.expires_at < now() - interval '1 day';
  insert into private.account_links (token_hash, purpose, email, user_id, expires_at)
  select make_new_password_link.token_hash, 'new-password', lower(account.email), account.id, now() + interval '30 minutes'
  from auth.users as account where account.id = account_id
  returning *;
$$;

CREATE FUNCTION private.make_setup_code(email text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  person uuid := (select account.id from auth.users as account where lower(account.email) = lower(btrim(make_setup_code.email)));
  -- 120 of the 122 random bits of a UUID.
  code text := substr(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 1, 30);
begin
  if person is null then
    raise exception 'there is no such account' using errcode = 'P0002';
  end if;
  delete from private.setup_codes as old where old.expires_at <= now();
  insert into private.setup_codes (user_id, digest, expires_at)
  values (person, encode(sha256(convert_to(code, 'UTF8')), 'hex'), now() + interval '72 hours')
  on conflict (user_id) do update set digest = excluded.digest, expires_at = excluded.expires_at;
  insert into public.admin_events (action, person) values ('setup-code-made', lower(btrim(make_setup_code.email)));
  return regexp_replace(code, '(.{5})(?=.)', '\1-', 'g');
end;
$$;

COMMENT ON FUNCTION private.make_setup_code(email text) IS 'Returns a new setup code of 30 hexadecimal digits for the account with this address. It replaces an earlier one and works once within 72 hours. Raises P0002 for an unknown address.';

CREATE FUNCTION private.may_mail_again(member public.network_members) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  is_away boolean := member.unsubscribed_at is not null or member.paused_at is not null or exists (
    select from private.network_departures as departure
    where departure.left_at > now() - private.retention_period('away_mails')
      and private.is_salted_digest_of(departure.email_hash, private.digest(private.subject_key(member.email)))
  );
begin
  return member.frozen_at is null
    and (not is_away or private.count_hit(
      private.mailbox_code('away', member.email), private.retention_period('away_mails')
    ) = 1);
end;
$$;

CREATE FUNCTION private.member_link_code(key bytea, member public.network_members, purpose text) RETURNS bytea
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select private.keyed_digest(key, concat_ws(
    ' ', 'link', purpose, member.id,
    case when purpose = 'page' then (extract(epoch from member.page_link_at) * 1000000)::bigint end
  ))
$$;

CREATE FUNCTION private.member_token(member public.network_members, purpose text) RETURNS text
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  select translate(
    encode(uuid_send(member.id) || private.member_link_code(private.link_key(), member, purpose), 'base64'), '+/', '-_'
  )
$$;

CREATE FUNCTION private.name_person(person uuid) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select case when own.name <> '' then format('%s (%s)', own.name, lower(account.email)) else lower(account.email) end
  from auth.users as account left join private.admin_names as own on own.user_id = account.id
  where account.id = person
$$;

CREATE FUNCTION private.name_row(shown private.placed_row) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$ select case when shown.id is not null then jsonb_build_object('id', shown.id, 'name', shown.data -> 'name') end $$;

CREATE FUNCTION private.network_details(member public.network_members) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$
  select jsonb_build_object(
    'name', member.name, 'company', member.company, 'kind', member.kind, 'fields', member.fields,
    'check_size', member.check_size, 'place', member.place, 'qualification', member.qualification,
    'consent_text_hash', member.consent_text_hash, 'consent_policy_version', member.consent_policy_version
  )
$$;

CREATE FUNCTION private.new_request_reference() RETURNS text
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  select 'DR-' || string_agg(
    substr('23456789ABCDEFGHJKMNPQRSTVWXYZ', get_byte(bytes, place) % 30 + 1, 1) || case place when 3 then '-' else '' end,
    '' order by place
  )
  -- The first eight bytes of the digest, because not all bytes of a UUID are random.
  from (select sha256(uuid_send(gen_random_uuid())) as bytes) as random, generate_series(0, 7) as place
$$;

CREATE FUNCTION private.note_account_event(person uuid, kind text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  -- Deleting an account also deletes its factors; then there is no owner to notify.
  insert into private.account_events (user_id, kind, is_mail_due)
  select account.id, note_account_event.kind, true from auth.users as account where account.id = person;
  insert into public.admin_events (actor, action, person)
  select account.id, note_account_event.kind, lower(account.email) from auth.users as account where account.id = person;
end;
$$;

CREATE FUNCTION private.note_factor() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  if tg_op = 'UPDATE' then
    perform private.note_account_event(new.user_id, 'factor-on');
  elsif coalesce(current_setting('private.uses_recovery_code', true), '') <> 'on' then
    perform private.note_account_event(old.user_id, 'factor-off');
  end if;
  return null;
end;
$$;

CREATE FUNCTION private.note_new_password() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  insert into private.account_events (user_id, kind, is_mail_due) values (new.id, 'password-changed', true);
  if current_setting('private.sets_password', true) = 'operator' then
    insert into public.admin_events (action, person) values ('password-set', lower(new.email));
  end if;
  return null;
end;
$$;

CREATE FUNCTION private.note_wrong_code(person uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  perform pg_advisory_xact_lock(hashtextextended('second-factor ' || person::text, 0));
  delete from private.wrong_codes where entered_at < now() - interval '15 minutes';
  insert into private.wrong_codes (user_id) values (person);
  -- At most one mail an hour.
  if (select count(*) from private.wrong_codes where user_id = person) >= 5 and not exists (
    select from private.account_events as event
    where event.user_id = person and event.kind = 'wrong-codes' and event.at > now() - interval '1 hour'
  ) then
    perform private.note_account_event(person, 'wrong-codes');
  end if;
end;
$$;

CREATE FUNCTION private.outbox_status() RETURNS TABLE(waiting bigint, given_up bigint, oldest_waiting timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $$
begin
  return query
    select
      count(*) filter (where mail.gave_up_at is null),
      (select count(*) from private.find_undelivered()),
      min(mail.created_at) filter (where mail.gave_up_at is null)
    from private.email_outbox as mail
    where mail.delivered_at is null and not private.is_held(mail);
end;
$$;

CREATE FUNCTION private.own_signature() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$ select coalesce((select own.signature from private.admin_names as own where own.user_id = auth.uid()), '') $$;

CREATE FUNCTION private.pause_member(member_id uuid, code text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  update public.network_members as member
  set paused_at = now(), pause_reason = code
  where member.id = pause_member.member_id and member.paused_at is null;
  if found then
    perform private.record_member_event(member_id, 'system', 'paused', null);
  end if;
end;
$$;

CREATE FUNCTION private.pending_digest(member public.network_members) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$ select coalesce(private.digest(member.pending::text), '') $$;

CREATE FUNCTION private.people_version() RETURNS bigint
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$ select coalesce(max(event.id), 0) from public.admin_events as event where event.person is not null $$;

CREATE FUNCTION private.permit_factor(person uuid, session uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  delete from private.factor_permits as permit where permit.expires_at <= now();
  insert into private.factor_permits (session_id, user_id, expires_at)
  select own.id, own.user_id, now() + interval '15 minutes'
  from auth.sessions as own where own.id = session and own.user_id = person
  on conflict (session_id) do update set expires_at = excluded.expires_at, is_session_new = false;
end;
$$;

CREATE FUNCTION private.queue_link_mail(link private.account_links, mail jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  subject text := mail ->> 'subject';
  body text := mail ->> 'body';
begin
  perform private.require_mail(mail);
  insert into private.email_outbox (account_link_id, kind, recipient, subject, body)
  values (link.id, 'account-link', link.email, subject, body);
end;
$$;

CREATE FUNCTION private.queue_network_link(member public.network_members, mail jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  perform private.require_mail(mail);
  update public.network_members as stored set page_link_at = now() where stored.id = member.id;
  insert into private.email_outbox (member_id, kind, recipient, subject, body, link_to, closing)
  values (
    member.id, 'network', member.email, queue_network_link.mail ->> 'subject', queue_network_link.mail ->> 'body', 'page',
    queue_network_link.mail ->> 'closing'
  );
end;
$$;

CREATE FUNCTION private.queue_request_mail(request public.data_rights_requests, kind text, recipient text, mail jsonb, forget_when_delivered boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  subject text := mail ->> 'subject';
  body text := mail ->> 'body';
begin
  perform private.require_mail(mail);
  insert into private.email_outbox (request_id, kind, recipient, subject, body, forget_when_delivered)
  select
    case when queue_request_mail.forget_when_delivered then null else request.id end,
    queue_request_mail.kind,
    case when queue_request_mail.recipient is not null then coalesce(request.mail_to, queue_request_mail.recipient) end,
    filled.texts[1],
    filled.texts[2],
    queue_request_mail.forget_when_delivered
  from (
    select array_agg(
      replace(
        replace(
          replace(
            replace(replace(part, '{{id}}', request.id::text), '{{reference}}', request.reference),
            '{{due_on}}', private.day_in_words(request.due_on)
          ),
          '{{confirm_by}}', private.day_in_words(private.confirm_by(request.due_on))
        ),
        '{{restriction_ends_on}}', coalesce(private.day_in_words(request.restriction_ends_on), '')
      ) order by place
    ) as texts
    from unnest(array[subject, body]) with ordinality as parts (part, place)
  ) as filled;
end;
$$;

CREATE FUNCTION private.read_letters_of(member_id uuid) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select coalesce(jsonb_agg(
    jsonb_build_object('subject', letter.subject, 'body', letter.body, 'sent_at', letter.sent_at)
    order by letter.sent_at, letter.id
  ), '[]')
  from private.letter_recipients as recipient
  join public.network_letters as letter on letter.id = recipient.letter_id
  where recipient.member_id = read_letters_of.member_id and recipient.delivered_at is not null
$$;

CREATE FUNCTION private.record_member_event(member_id uuid, actor_kind text, action text, note text) RETURNS void
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  insert into public.network_events (member_id, actor_kind, actor, action, note)
  values (member_id, actor_kind, case when actor_kind = 'admin' then auth.uid() end, action, note)
$$;

CREATE FUNCTION private.record_request_event(request_id uuid, actor_kind text, action text, note text) RETURNS void
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  insert into public.data_rights_events (request_id, actor_kind, actor, action, note)
  values (request_id, actor_kind, case when actor_kind = 'admin' then auth.uid() end, action, note)
$$;

CREATE FUNCTION private.refuse_untrusted_factor() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  if exists (select from private.second_factor_rule)
    and not exists (
      select from private.factor_permits as permit where permit.user_id = new.user_id and permit.expires_at > now()
    )
    and not exists (select from private.trusted_factors as trusted where trusted.user_id = new.user_id) then
    raise exception 'a setup code is needed first' using errcode = '42501';
  end if;
  return new;
end;
$$;

CREATE FUNCTION private.remove_ended_members(OUT done integer, OUT refused integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  member public.network_members;
begin
  done := 0;
  refused := 0;
  for member in
    select * from public.network_members as stored
    where stored.frozen_at is null
      and (
        stored.unsubscribed_at < now() - private.retention_period('unsubscribed_members')
        or (stored.state in ('confirmed', 'admitted') and least(
          stored.renewal_asked_at,
          case when stored.paused_at is not null then stored.renewed_at + private.retention_period('member_renewals') end
        ) < now() - private.retention_period('silent_members'))
      )
      and not private.is_asked_for(stored.email)
    order by stored.id for update skip locked
  loop
    begin
      perform private.remove_member(member);
      done := done + 1;
    exception when others then
      refused := refused + 1;
      raise warning 'retention: a member cannot be removed: %', sqlstate;
    end;
  end loop;
end;
$$;

CREATE FUNCTION private.remove_member(member public.network_members) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  delete from public.network_members as stored where stored.id = member.id;
  insert into private.network_departures (email_hash) values (private.digest(private.subject_key(member.email)));
  -- A wish that was never confirmed was no membership.
  if member.state <> 'asked' then
    perform private.count_network('left');
  end if;
end;
$$;

CREATE FUNCTION private.remove_second_factor(person uuid, kept_session uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  delete from auth.mfa_factors where user_id = person;
  delete from auth.sessions where user_id = person and id is distinct from kept_session;
  update auth.sessions set aal = 'aal1' where user_id = person;
end;
$$;

COMMENT ON FUNCTION private.remove_second_factor(person uuid, kept_session uuid) IS 'kept_session: the session that requests the removal; null ends all of the person''s sessions.';

CREATE FUNCTION private.reopen_request(mail private.email_outbox) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  update public.data_rights_requests as request
  set undelivered_at = now(), closed_at = null,
    state = case
      when request.closed_at is null then request.state
      when request.confirmed_at is null and request.request_type <> 'complaint' then 'unconfirmed'
      else 'in_progress'
    end
  where request.id = mail.request_id and request.state <> 'withdrawn' and not private.is_replaced(mail);
  if found then
    perform private.record_request_event(mail.request_id, 'system', 'undelivered', null);
  end if;
end;
$$;

CREATE FUNCTION private.request_place(request public.data_rights_requests, as_of timestamp with time zone) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
  select case
    when request.closed_at is null or request.closed_at > as_of then
      (request.due_on - date '2000-01-01')::bigint
      - case when request.undelivered_at <= as_of then 1000000 else 0 end
      -- A complaint needs no confirmation.
      + case when request.request_type <> 'complaint' and coalesce(request.confirmed_at > as_of, true) then 100000000 else 0 end
    else 10000000000000000 - (extract(epoch from request.closed_at) * 1000000)::bigint
  end
$$;

CREATE FUNCTION private.requeue(mail private.email_outbox, recipient text) RETURNS void
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  update private.email_outbox as queued
  set recipient = requeue.recipient, gave_up_at = null, last_error = null, attempts = 0, next_attempt_at = now()
  where queued.id = mail.id
$$;

CREATE FUNCTION private.require_admin() RETURNS uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  if not public.is_admin() then
    raise exception 'only admins may do this' using errcode = '42501';
  end if;
  return auth.uid();
end;
$$;

COMMENT ON FUNCTION private.require_admin() IS 'Returns the caller''s id. Raises 42501 unless the caller is an admin.';

CREATE FUNCTION private.require_admin_alone() RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  actor := private.require_admin();
  perform private.require_seen(private.people_version());
  return actor;
end;
$$;

COMMENT ON FUNCTION private.require_admin_alone() IS 'As require_admin, and blocks other changes to the list of admins until the transaction ends. Raises PT409 when the caller saw another version of the list.';

CREATE FUNCTION private.require_mail(mail jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO ''
    AS $$
declare
  subject text := coalesce(mail ->> 'subject', '');
  body text := coalesce(mail ->> 'body', '');
begin
  if btrim(subject) = '' or char_length(subject) > 200 or subject ~ '[\r\n]'
    or btrim(body) = '' or char_length(body) + char_length(coalesce(mail ->> 'closing', '')) > 25000 then
    raise exception 'a mail needs a subject of one line and a body' using errcode = '22023';
  end if;
end;
$$;

CREATE FUNCTION private.require_seen(version bigint) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $$
begin
  if not private.saw(version) then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
end;
$$;

COMMENT ON FUNCTION private.require_seen(version bigint) IS 'Raises PT409 when the caller saw another version.';

CREATE FUNCTION private.require_shown(member public.network_members, shown text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO ''
    AS $$
begin
  if member.pending is not null and shown is distinct from private.pending_digest(member) then
    raise exception 'another wish has arrived since the page was shown' using errcode = 'PT409';
  end if;
end;
$$;

CREATE FUNCTION private.require_type(request public.data_rights_requests, allowed_types text[]) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO ''
    AS $$
begin
  if request.request_type <> all (allowed_types) then
    raise exception 'a request of type % does not ask for this', request.request_type using errcode = '55000';
  end if;
end;
$$;

CREATE FUNCTION private.require_words(words text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO ''
    AS $$
begin
  if coalesce(btrim(words, e' \t\r\n'), '') = '' or char_length(words) > 2000 then
    raise exception 'a reason or note of 1 to 2,000 characters is needed' using errcode = '22023';
  end if;
  return btrim(words, e' \t\r\n');
end;
$$;

CREATE FUNCTION private.reset_second_factor(person uuid) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  sessions integer := (select count(*) from auth.sessions as session where session.user_id = person);
begin
  perform private.remove_second_factor(person, null);
  delete from private.recovery_codes as code where code.user_id = person;
  delete from private.setup_codes as code where code.user_id = person;
  delete from private.factor_permits as permit where permit.user_id = person;
  insert into public.admin_events (action, person)
  select 'second-factor-reset', lower(account.email) from auth.users as account where account.id = person;
  return sessions;
end;
$$;

COMMENT ON FUNCTION private.reset_second_factor(person uuid) IS 'Removes a person''s second factor, recovery codes and setup code, ends all their sessions, and returns how many sessions there were.';

CREATE FUNCTION private.restriction_notice() RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$ select 7 $$;

CREATE FUNCTION private.retention_period(kind text) RETURNS interval
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$ select periods.period from private.retention_periods() as periods where periods.kind = retention_period.kind $$;

CREATE FUNCTION private.retention_periods() RETURNS TABLE(kind text, period interval)
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$
  values
    -- REQUIREMENTS 10.
    ('contact_submissions', interval '2 years'),
    ('consents', interval '2 years'),
    -- Withdrawn consent ends sooner, but not immediately: until then the record prevents a delayed copy of the earlier
    -- consent from taking effect, and the withdrawal can be proven on request.
    ('withdrawn_consents', interval '30 days'),
    -- The record of a browser signal. The visitor never sees its id, so cannot request it. It only proves that the site
    -- honors signals.
    ('signal_records', interval '30 days'),
    -- Abuse is investigated within days.
    ('sender_addresses', interval '30 days'),
    -- After closing: legal claims can be made for that long.
    ('closed_requests', interval '3 years'),
    -- After the request was closed.
    ('status_links', interval '90 days'),
    -- After the due date. Until then an admin may still help a requester whose mail was lost.
    ('unconfirmed_requests', interval '30 days'),
    -- A wish to join the network that was never confirmed, and a member's later wish.
    ('unconfirmed_members', interval '7 days'),
    -- After the link to a member's page was made.
    ('page_links', interval '30 days'),
    -- After a member who is away asked for a link: until then they get no second one.
    ('away_mails', interval '30 days'),
    -- After the key of the links in letters was changed.
    ('ended_link_keys', interval '60 days'),
    -- After the message was answered: a link that marks it as answered.
    ('answered_links', interval '30 days'),
    -- After the last yes a member is asked again, and is removed without a response.
    ('member_renewals', interval '24 months'),
    ('silent_members', interval '60 days'),
    -- After the decision: the firm can say why it declined.
    ('declined_members', interval '24 months'),
    -- After the member stopped all mail. Until then they can take it back.
    ('unsubscribed_members', interval '7 days'),
    -- After delivery, or after it was given up.
    ('mails', interval '30 days'),
    -- Longer than any absence without checking the account.
    ('account_events', interval '30 days'),
    ('receipts', interval '1 day'),
    -- Allows month-by-month comparison with the year before. They identify no visitor.
    ('day_counts', interval '13 months'),
    -- Proof of compliance: erasures, the log of admin actions, and the runs below. It identifies no visitor.
    ('records', interval '3 years')
$$;

CREATE FUNCTION private.retention_waits() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select coalesce(bool_or(
    private.is_jump_since(clock.seen_at) or coalesce(clock.doubted_since > now() - interval '23 hours', false)
  ), false)
  from private.retention_clock as clock
$$;

COMMENT ON FUNCTION private.retention_waits() IS 'Returns true when the clock has jumped since the last retention run, or did so less than a day before it: data must not be deleted by age.';

CREATE FUNCTION private.salt_tombstone() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $_$
begin
  if new.email_hash ~ '^[0-9a-f]{64}$' then
    new.email_hash := private.salted_digest(new.email_hash);
  end if;
  return new;
end;
$_$;

CREATE FUNCTION private.salted_digest(digest text) RETURNS text
    LANGUAGE sql
    SET search_path TO ''
    AS $$
  select generated.salt || private.digest(generated.salt || salted_digest.digest)
  from (select replace(gen_random_uuid()::text, '-', '') as salt) as generated
$$;

CREATE FUNCTION private.saw(version bigint) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select coalesce(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-seen-version' = version::text, true)
$$;

COMMENT ON FUNCTION private.saw(version bigint) IS 'Returns true when the header x-seen-version equals this version, or is absent.';

CREATE FUNCTION private.scan_part_of_folder(folder text, needle text, part integer, after timestamp with time zone, after_id uuid, forward boolean, most integer, as_of timestamp with time zone) RETURNS SETOF public.contact_submissions
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $_$
declare
  -- Sort by the table that is read first. A search reads submission_search first, except for late messages, which are
  -- few.
  by_words constant boolean := needle is not null and part = 0;
  at_column constant text := case when by_words then 'search.created_at' else 'submission.created_at' end;
  id_column constant text := case when by_words then 'search.submission_id' else 'submission.id' end;
  direction constant text := case when forward then 'desc' else 'asc' end;
  in_folder constant text := 'submission.frozen_at is null and ' || case folder
    when 'all' then 'submission.quarantine_reason is null and submission.state <> ''spam'''
    when 'waiting' then 'submission.quarantine_reason is null and submission.state in (''new'', ''in_progress'')'
    else '(case when submission.quarantine_reason is null then submission.state else ''quarantined'' end) = $1'
  end;
  was_waiting constant text := 'submission.waiting_since <= $6 and (submission.state in (''new'', ''in_progress'') '
    || 'or (submission.state = ''done'' and coalesce(submission.answered_at, ''-infinity'') > $6))';
  was_late constant text := 'submission.quarantine_reason is null and submission.answer_due_at < $6 and ' || was_waiting;
  -- Few messages wait, and an index finds them. Only pages after the first can contain messages answered since as_of.
  late_of_all constant text := '(select * from public.contact_submissions as own where own.frozen_at is null '
    || 'and own.quarantine_reason is null and own.state in (''new'', ''in_progress'')'
    || case when as_of < now() then ' union all select * from public.contact_submissions as own where own.frozen_at is null '
      || 'and own.quarantine_reason is null and own.state = ''done'' and own.answered_at > $6' else '' end
    || ')';
  was_undelivered constant text := 'coalesce(submission.undelivered_at <= $6, false)';
  source constant text := case when part = 1 and folder = 'all' then late_of_all else 'public.contact_submissions' end;
begin
  -- Dynamic SQL, planned for its actual values: one statement for all cases would get a plan that suits none of them.
  return query execute
    'select submission.* from '
    || case
      when needle is null then source || ' as submission where ' || in_folder
      -- The lateral join with limit 1 tells the planner, even without statistics, that each search row has one message.
      -- So it walks submission_search in index order and stops when the page is full.
      when by_words then 'private.submission_search as search cross join lateral (
          select submission.* from public.contact_submissions as submission
          where submission.id = search.submission_id and ' || in_folder || ' limit 1
        ) as submission where strpos(search.words, $2) > 0'
      else source || ' as submission join private.submission_search as search on search.submission_id = submission.id where '
        || in_folder || ' and strpos(search.words, $2) > 0'
    end
    || case
      when part = 2 then ' and submission.undelivered_at <= $6'
      when part = 1 then ' and ' || was_late || ' and not ' || was_undelivered
      -- Messages in these folders are never late.
      when folder in ('done', 'spam', 'quarantined') then ''
      else ' and not (' || was_late || ') and not ' || was_undelivered
    end
    || case when after is null then ''
      else format(' and (%s, %s) %s ($3, $4)', at_column, id_column, case when forward then '<' else '>' end) end
    || format(' order by %s %s, %s %s limit $5', at_column, direction, id_column, direction)
    using folder, needle, after, after_id, most, as_of;
end;
$_$;

CREATE FUNCTION private.scan_requests(folder text, needle text, place bigint, id uuid, forward boolean, most integer, as_of timestamp with time zone) RETURNS SETOF private.placed_row
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $$
#variable_conflict use_column
begin
  if folder is null or folder not in (
    'all', 'active', 'unconfirmed', 'open', 'in_progress', 'closed', 'completed', 'refused', 'withdrawn', 'quarantined',
    'restricted'
  ) then
    raise exception 'there is no such folder' using errcode = '22023';
  end if;
  return query
    select rows.place, rows.id, private.show_request(rows.request)
    from (
      select private.request_place(request, scan_requests.as_of) as place, request.id, request
      from public.data_rights_requests as request
      where private.is_in_folder(request, folder)
        and (needle is null or strpos(
          lower(concat_ws(e'\n', request.reference, request.name, request.email, request.description)), needle
        ) > 0)
    ) as rows
    where scan_requests.place is null
      or (forward and (rows.place, rows.id) > (scan_requests.place, scan_requests.id))
      or (not forward and (rows.place, rows.id) < (scan_requests.place, scan_requests.id))
    order by
      case when forward then rows.place end, case when forward then rows.id end,
      rows.place desc, rows.id desc
    limit most;
end;
$$;

CREATE FUNCTION private.scan_submissions(folder text, needle text, place bigint, id uuid, forward boolean, most integer, as_of timestamp with time zone) RETURNS SETOF private.placed_row
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $$
declare
  distance constant bigint := 10000000000000000;
  -- Two parts precede the others: 2, replies not delivered; 1, late; 0, the others.
  last_part constant integer := case when folder in ('waiting', 'all', 'new', 'in_progress') then 2 else 0 end;
  part integer := least(last_part, coalesce(-place / distance, case when forward then 2 else 0 end));
  after timestamptz := timestamptz 'epoch' - (place + part * distance) * interval '1 microsecond';
  found_rows integer;
begin
  if folder is null or folder not in ('waiting', 'all', 'new', 'in_progress', 'done', 'spam', 'quarantined') then
    raise exception 'there is no such folder' using errcode = '22023';
  end if;
  -- Scan the part that contains the cursor first, then the next ones from their start or end.
  loop
    return query
      select
        -(extract(epoch from shown.created_at) * 1000000)::bigint - part * distance,
        shown.id,
        to_jsonb(shown) - array['frozen_at', 'answer_notice', 'waiting_since'] || jsonb_build_object(
          'refusal', case when shown.undelivered_at is not null then private.find_refusal(shown.id) end,
          'member_id', private.find_member_id(shown.email)
        )
      from private.scan_part_of_folder(folder, needle, part, after, scan_submissions.id, forward, most, as_of) as shown;
    get diagnostics found_rows = row_count;
    most := most - found_rows;
    part := part - case when forward then 1 else -1 end;
    exit when most <= 0 or part not between 0 and last_part;
    after := null;
  end loop;
end;
$$;

CREATE FUNCTION private.schedule_retention() RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $_$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  -- A named schedule, so that repeating this is safe. Dynamic SQL, because this function does not exist without
  -- pg_cron.
  execute $call$select cron.schedule('keep-retention', '17 3 * * *', 'select public.keep_retention(''pg_cron'')')$call$;
  return true;
end;
$_$;

COMMENT ON FUNCTION private.schedule_retention() IS 'Schedules keep_retention daily at 03:17 UTC. Returns false without pg_cron.';

CREATE FUNCTION private.send_invitation(actor uuid, address text, token_hash text, mail jsonb) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  invitation private.account_links;
begin
  -- Limits the mail that a stolen session can send to strangers.
  if 20 <= (
    select count(*) from public.admin_events as event
    where event.action = 'admin-invited' and event.at > now() - interval '1 day'
  ) then
    raise exception 'too many invitations in a day' using errcode = '54000';
  end if;
  invitation := private.make_invitation(address, actor, send_invitation.token_hash);
  perform private.queue_link_mail(invitation, mail);
  return invitation.expires_at;
end;
$$;

CREATE FUNCTION private.set_answer_due() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  new.answer_due_at := coalesce(new.answer_due_at, new.created_at + interval '24 hours');
  return new;
end;
$$;

CREATE FUNCTION private.set_waiting_since() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  if new.state in ('new', 'in_progress') and old.state not in ('new', 'in_progress') then
    new.waiting_since := now();
  end if;
  return new;
end;
$$;

CREATE FUNCTION private.settle_letter(mail private.email_outbox) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  if mail.delivered_at is not null then
    update private.letter_recipients as recipient set delivered_at = mail.delivered_at where recipient.mail_id = mail.id;
  elsif mail.gave_up_at is null and exists (
    select from private.letter_recipients as recipient
    join public.network_letters as letter on letter.id = recipient.letter_id
    where recipient.mail_id = mail.id and letter.stopped_at is not null
  ) then
    delete from private.email_outbox as queued where queued.id = mail.id;
    delete from private.letter_recipients as recipient where recipient.mail_id = mail.id;
  end if;
end;
$$;

CREATE FUNCTION private.settle_reply(mail private.email_outbox) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  if mail.delivered_at is not null then
    update public.contact_submissions as submission
    set state = 'done', undelivered_at = null, answered_at = coalesce(submission.answered_at, now())
    where submission.id = mail.submission_id and submission.undelivered_at is not null;
    -- Without the state, so that the version stays: the page of the admin who sent the reply is still current.
    update public.contact_submissions as submission
    set answered_at = now()
    where submission.id = mail.submission_id and submission.state = 'done' and submission.answered_at is null;
  elsif mail.gave_up_at is not null then
    update public.contact_submissions as submission
    set state = 'in_progress', undelivered_at = now(), answer_notice = null, marked_by_link_at = null
    where submission.id = mail.submission_id and submission.state <> 'spam' and not private.is_replaced(mail);
    if found then
      insert into public.admin_events (actor, action, submission_id) values (null, 'submission-undelivered', mail.submission_id);
    end if;
  end if;
end;
$$;

CREATE FUNCTION private.show_delivery(mail private.email_outbox) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select jsonb_build_object(
    'id', mail.id, 'kind', mail.kind, 'code', mail.last_error, 'created_at', mail.created_at, 'gave_up_at', mail.gave_up_at,
    'submission', (
      select jsonb_build_object('id', submission.id, 'name', submission.name, 'version', submission.version)
      from public.contact_submissions as submission
      where submission.id = mail.submission_id and submission.frozen_at is null
    ),
    'request', (
      select jsonb_build_object('id', request.id, 'reference', request.reference, 'version', request.version)
      from public.data_rights_requests as request where request.id = mail.request_id
    ),
    'link', (
      select jsonb_build_object(
        'id', link.id, 'purpose', link.purpose, 'email', link.email, 'version', private.people_version()
      )
      from private.account_links as link where link.id = mail.account_link_id
    ),
    'member', (
      select jsonb_build_object('id', member.id, 'name', member.name)
      from public.network_members as member where member.id = mail.member_id and member.frozen_at is null
    )
  )
$$;

CREATE FUNCTION private.show_request(request public.data_rights_requests) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$
  select to_jsonb(request) || jsonb_build_object(
    'is_overdue', request.state in ('open', 'in_progress') and request.due_on < private.today(),
    -- Why the last reply was not delivered.
    'refusal', case when request.undelivered_at is not null then private.find_refusal(request.id) end
  )
$$;

CREATE FUNCTION private.start_of_day(day date) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$ select day::timestamp at time zone private.time_zone() $$;

COMMENT ON FUNCTION private.start_of_day(day date) IS 'Returns the instant at which that day begins at the firm.';

CREATE FUNCTION private.subject_key(email text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ select pg_catalog.lower(pg_catalog.btrim(email)) $$;

COMMENT ON FUNCTION private.subject_key(email text) IS 'Returns the key that identifies a person across tables: the address, trimmed, in lower case.';

CREATE FUNCTION private.take_admin_role(person uuid, actor uuid) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  address text := (select lower(account.email) from auth.users as account where account.id = person);
begin
  delete from public.user_roles as user_role where user_role.user_id = person and user_role.role = 'admin';
  update auth.users as account
  set raw_app_meta_data = coalesce(account.raw_app_meta_data, '{}') || '{"admin_revoked": true}'
  where account.id = person;
  delete from private.account_links as link where link.user_id = person or link.email = address;
  insert into public.admin_events (actor, action, person) values (take_admin_role.actor, 'admin-removed', address);
  return private.end_every_session(person);
end;
$$;

CREATE FUNCTION private.tell_what_is_gone() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
begin
  if exists (select from changed) then
    perform pg_catalog.pg_notify('what_is_gone', '');
  end if;
  return null;
end;
$$;

CREATE FUNCTION private.time_zone() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$ select coalesce((select zone.name from private.site_time_zone as zone), 'UTC') $$;

CREATE FUNCTION private.today() RETURNS date
    LANGUAGE sql STABLE
    SET search_path TO ''
    AS $$ select private.local_day(now()) $$;

COMMENT ON FUNCTION private.today() IS 'Returns the current calendar day at the firm.';

CREATE FUNCTION private.trouble_source(cause text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$
  select case
    when cause in ('thread-ended', 'process-ended', 'process-stuck') then 'event'
    when cause in ('retention-waits', 'retention-late', 'mail-waits') then 'database'
    else 'site'
  end
$$;

CREATE FUNCTION private.trust_factor() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  insert into private.trusted_factors (factor_id, user_id)
  select new.factor_id, new.user_id
  where private.has_factor_permit(new.id) or (
    old.aal::text = 'aal2'
    and exists (select from private.trusted_factors as trusted where trusted.factor_id = old.factor_id)
  )
  on conflict (factor_id) do nothing;
  delete from private.factor_permits as permit where permit.session_id = new.id;
  return null;
end;
$$;

CREATE FUNCTION private.turn_page(scan text, folder text, search text, page_cursor text, page_size integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $_$
declare
  scan_query constant text := format('select array(select placed from private.%I($1, $2, $3, $4, $5, $6, $7) as placed)', scan);
  needle text := nullif(lower(btrim(left(search, 200))), '');
  -- <direction>.<place>.<id>.<as_of in microseconds>. No personal data, because a cursor is part of a URL.
  parts text[] := regexp_match(
    page_cursor, '^(next|previous)\.(-?[0-9]{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([0-9]{1,17}))?$'
  );
  as_of timestamptz := least(now(), timestamptz 'epoch' + parts[4]::bigint * interval '1 microsecond');
  page private.placed_row[] := '{}';
  further private.placed_row[] := '{}';
  has_previous boolean := false;
  has_next boolean;
begin
  if page_cursor is not null and parts is null then
    raise exception 'no such place in a list' using errcode = '22023';
  end if;
  if parts[1] = 'previous' then
    execute scan_query into page using folder, needle, parts[2]::bigint, parts[3]::uuid, false, page_size + 1, as_of;
    has_previous := cardinality(page) > page_size;
    page := array(
      select page[number] from generate_series(least(cardinality(page), page_size), 1, -1) as number
    );
    has_next := true;
  elsif parts[1] = 'next' then
    execute scan_query into page using folder, needle, parts[2]::bigint, parts[3]::uuid, true, page_size + 1, as_of;
    has_next := cardinality(page) > page_size;
    page := page[:page_size];
    if cardinality(page) > 0 then
      execute scan_query into further using folder, needle, page[1].place, page[1].id, false, 1, as_of;
      has_previous := cardinality(further) > 0;
    end if;
  end if;

  -- The first page. Also when paging back reaches it with a partly filled page, or when the cursor's page no longer
  -- exists.
  if cardinality(page) = 0 or (parts[1] = 'previous' and not has_previous) then
    as_of := now();
    execute scan_query into page using folder, needle, null::bigint, null::uuid, true, page_size + 1, as_of;
    has_previous := false;
    has_next := cardinality(page) > page_size;
    page := page[:page_size];
  end if;

  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(rows.data order by rows.number), '[]')
      from unnest(page) with ordinality as rows (place, id, data, number)),
    'previous', case when has_previous then private.write_cursor('previous', page[1], as_of) end,
    'next', case when has_next then private.write_cursor('next', page[cardinality(page)], as_of) end
  );
end;
$_$;

COMMENT ON FUNCTION private.turn_page(scan text, folder text, search text, page_cursor text, page_size integer) IS 'search: a case-insensitive substring, taken literally; only its first 200 characters count. page_cursor: null for the first page, otherwise a cursor from an earlier page. It carries the time of the first page, and every later page shows the order as of that time. Raises 22023 for a malformed cursor.';

CREATE FUNCTION private.withhold_acknowledgement(mails jsonb, client_codes jsonb, per_hour integer) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
declare
  limits record;
  acknowledgement jsonb := (
    select mail from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' in ('acknowledgement', 'request-acknowledgement', 'network')
    limit 1
  );
  own_kind text := acknowledgement ->> 'kind';
  mailbox text := private.mailbox_key(acknowledgement ->> 'recipient');
  client text := coalesce(private.acknowledgement_code(client_codes ->> 'client', own_kind), 'no-client:' || own_kind);
  network text := private.acknowledgement_code(client_codes ->> 'network', own_kind);
  is_over boolean;
  of_mailbox integer;
  of_site integer;
  -- 0 turns the limit off.
  most_per_hour integer;
begin
  if own_kind is null then
    return null;
  end if;
  select * into limits from private.acknowledgement_limits();
  most_per_hour := coalesce(nullif(coalesce(per_hour, limits.per_hour), 0), 1000000);
  -- Serializes concurrent calls, so that the counts below are exact. No caller waits for another advisory lock after
  -- this one.
  perform pg_advisory_xact_lock(hashtextextended('acknowledgements', 0));

  select bool_or(private.count_hit(code, interval '24 hours') > most) into is_over
  from (
    select code, most
    from (values (client, limits.per_client_and_day), (network, limits.per_network_and_day)) as codes (code, most)
    where code is not null order by code
  ) as codes;

  if own_kind = 'network' then
    if is_over then
      return 'client';
    end if;
    of_mailbox := private.count_hit(private.mailbox_code(own_kind, mailbox), interval '24 hours') - 1;
    if of_mailbox >= limits.per_mailbox_and_day then
      return 'mailbox';
    end if;
    of_site := private.count_hit('all:' || own_kind, interval '1 hour') - 1;
    return case when of_site >= most_per_hour then 'site' end;
  end if;

  select count(*) filter (where private.mailbox_key(mail.recipient) = mailbox),
    count(*) filter (where mail.created_at > now() - interval '1 hour')
  into of_mailbox, of_site
  from private.email_outbox as mail
  -- Both conditions: the first matches the partial index, the second is known only at run time.
  where mail.kind in ('acknowledgement', 'request-acknowledgement') and mail.kind = own_kind
    and mail.created_at > now() - interval '24 hours'
    and (private.mailbox_key(mail.recipient) = mailbox or mail.created_at > now() - interval '1 hour');
  return case
    when of_mailbox >= limits.per_mailbox_and_day then 'mailbox'
    when is_over then 'client'
    when of_site >= most_per_hour then 'site'
  end;
end;
$$;

CREATE FUNCTION private.without_tokens(body text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$ select regexp_replace(body, 'token=[A-Za-z0-9_-]+', 'token=(removed)', 'g') $$;

CREATE FUNCTION private.write_cursor(direction text, shown private.placed_row, as_of timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO ''
    AS $$ select format('%s.%s.%s.%s', direction, shown.place, shown.id, (extract(epoch from as_of) * 1000000)::bigint) $$;

CREATE FUNCTION public.add_day_counts(report uuid, day date, counts jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_column
declare
  full_kinds text[];
begin
  -- Serializes reports, so that the ranking below is exact.
  perform pg_advisory_xact_lock(hashtextextended('day_counts', 0));
  insert into private.count_reports (id) values (report) on conflict do nothing;
  if not found then
    return;
  end if;

  insert into private.day_counts as existing (day, kind, name, number)
  select add_day_counts.day, kinds.kind, names.name, names.number::bigint
  from jsonb_each(add_day_counts.counts) as kinds(kind, names), jsonb_each_text(kinds.names) as names(name, number)
  on conflict (day, kind, name) do update set number = existing.number + excluded.number;

  -- The limit of app/lib/day-counts.ts, because visitors choose some of the names.
  full_kinds := array(
    select present.kind from private.day_counts as present
    where present.day = add_day_counts.day and present.name not in ('(other)', '(none)')
    group by present.kind having count(*) > 200
  );
  if full_kinds = '{}' then
    return;
  end if;
  with earlier as (
    select past.kind, past.name, count(*) as days
    from private.day_counts as past
    where past.day between add_day_counts.day - 30 and add_day_counts.day - 1 and past.kind = any(full_kinds)
    group by past.kind, past.name
  ),
  ranked as (
    select present.kind, present.name, row_number() over (
      partition by present.kind order by coalesce(earlier.days, 0) desc, present.number desc, present.name
    ) as rank
    from private.day_counts as present left join earlier on earlier.kind = present.kind and earlier.name = present.name
    where present.day = add_day_counts.day and present.kind = any(full_kinds)
      and present.name not in ('(other)', '(none)')
  ),
  dropped as (
    delete from private.day_counts as present using ranked
    where present.day = add_day_counts.day and present.kind = ranked.kind and present.name = ranked.name
      and ranked.rank > 200
    returning present.kind, present.number
  )
  insert into private.day_counts as existing (day, kind, name, number)
  select add_day_counts.day, dropped.kind, '(other)', sum(dropped.number) from dropped group by dropped.kind
  on conflict (day, kind, name) do update set number = existing.number + excluded.number;
end;
$$;

COMMENT ON FUNCTION public.add_day_counts(report uuid, day date, counts jsonb) IS 'Adds {kind: {name: number}} to the counts of a day. A report whose id is known changes nothing. Each kind has up to 200 names a day: those seen on the most earlier days, then those with the most arrivals. The rest is summed as (other). Raises 23514 for an invalid kind, name or number, and then adds nothing.';

CREATE FUNCTION public.admin_standing() RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  caller constant uuid := auth.uid();
  session auth.sessions;
  has_factor boolean;
begin
  select own.* into session
  from public.user_roles as user_role
  join auth.sessions as own on own.user_id = user_role.user_id
  where user_role.user_id = caller and user_role.role = 'admin'
    and own.id = nullif(auth.jwt() ->> 'session_id', '')::uuid
    and (own.not_after is null or own.not_after > now());
  if not found then
    return 'none';
  end if;
  has_factor := exists (select from auth.mfa_factors where user_id = caller and status = 'verified');
  -- Check both the token and the current session: a removed factor no longer counts.
  if has_factor and (coalesce(auth.jwt() ->> 'aal', '') <> 'aal2' or session.aal::text is distinct from 'aal2') then
    return 'challenge';
  end if;
  if exists (select from private.second_factor_rule) then
    if has_factor then
      if not exists (select from private.trusted_factors as trusted where trusted.factor_id = session.factor_id) then
        return 'setup';
      end if;
    else
      return case when private.has_factor_permit(session.id) then 'enrol' else 'setup' end;
    end if;
  end if;
  return 'admin';
end;
$$;

COMMENT ON FUNCTION public.admin_standing() IS 'Returns none (not an admin, or no session), challenge (this session has not used the second factor yet), setup (a second factor is required; the caller must first enter a setup code or recovery code), enrol (required; the caller has none and may enroll one), or admin (no step is missing).';

CREATE FUNCTION public.answer_times() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(to_jsonb(month_of_messages) order by month_of_messages.month desc), '[]')
    from (
      select
        to_char(submission.created_at at time zone private.time_zone(), 'YYYY-MM') as month,
        count(*) as messages,
        count(submission.answered_at) as answered,
        round((percentile_cont(0.5) within group (
          order by extract(epoch from submission.answered_at - submission.created_at)
        ) filter (where submission.answered_at is not null))::numeric) as median_seconds,
        count(*) filter (where submission.answered_at <= submission.answer_due_at) as in_time,
        count(*) filter (where submission.answered_at is not null or submission.answer_due_at < now()) as judged
      from public.contact_submissions as submission
      where submission.frozen_at is null and submission.quarantine_reason is null and submission.state <> 'spam'
        -- A reply that waits for the mail server is no answer yet. Of other messages that are done, the time is unknown.
        and (submission.state <> 'done' or submission.answered_at is not null or exists (
          select from private.email_outbox as mail
          where mail.submission_id = submission.id and mail.kind = 'reply' and mail.delivered_at is null
        ))
        and submission.created_at >= private.start_of_day((date_trunc('month', private.today()) - interval '12 months')::date)
      group by 1
    ) as month_of_messages
  );
end;
$$;

COMMENT ON FUNCTION public.answer_times() IS 'Returns this month and the twelve before it, newest first: [{month (YYYY-MM, at the firm), messages, answered, median_seconds (null when none is answered), in_time, judged}]. judged counts the messages that were answered or are past their deadline. Raises 42501 for non-admins.';

CREATE FUNCTION public.ask_link_by_letter(token text, mail jsonb, client_codes jsonb DEFAULT '{}'::jsonb, per_hour integer DEFAULT NULL::integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  -- An unknown token asks for no address, which costs its client the same.
  return public.ask_network_link(
    coalesce((
      select member.email from public.network_members as member
      where member.id = (select private.find_linked_member(ask_link_by_letter.token, 'letter'))
    ), 'unknown'),
    mail, client_codes, per_hour
  );
end;
$$;

COMMENT ON FUNCTION public.ask_link_by_letter(token text, mail jsonb, client_codes jsonb, per_hour integer) IS 'As ask_network_link, for the member whose letter contains this token.';

CREATE FUNCTION public.ask_network_link(email text, mail jsonb, client_codes jsonb DEFAULT '{}'::jsonb, per_hour integer DEFAULT NULL::integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members;
  is_withheld boolean := private.withhold_acknowledgement(
    jsonb_build_array(jsonb_build_object('kind', 'network', 'recipient', btrim(ask_network_link.email))),
    client_codes, per_hour
  ) is not null;
  decoy_id uuid;
begin
  select * into member from public.network_members as stored
  where private.subject_key(stored.email) = private.subject_key(ask_network_link.email) and stored.state <> 'asked'
  for update;
  if found and not is_withheld and not private.has_recent_link(member.id) and private.may_mail_again(member) then
    perform private.queue_network_link(member, mail);
    perform private.record_member_event(member.id, 'member', 'link-sent', null);
    return true;
  end if;
  insert into private.email_outbox (kind, recipient, subject, body, forget_when_delivered)
  values ('network', btrim(ask_network_link.email), mail ->> 'subject', mail ->> 'body', true)
  returning id into decoy_id;
  delete from private.email_outbox as decoy where decoy.id = decoy_id;
  return false;
end;
$$;

COMMENT ON FUNCTION public.ask_network_link(email text, mail jsonb, client_codes jsonb, per_hour integer) IS 'Queues the mail {subject, body, closing} with a new link to the member with this address, at most once in ten minutes and within the limits of acknowledgements; once in 30 days to a member who stopped all mail or whose mailbox refuses it. client_codes as for receive_contact_submission. Returns false when nothing was queued; the caller must not reveal it. Raises 22023, 23502 or 23514 for an invalid mail.';

CREATE FUNCTION public.begin_factor_removal() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform public.end_own_sessions();
  if auth.jwt() ->> 'aal' = 'aal2' then
    perform private.permit_factor(auth.uid(), (auth.jwt() ->> 'session_id')::uuid);
  end if;
end;
$$;

COMMENT ON FUNCTION public.begin_factor_removal() IS 'Ends the caller''s other sessions. If this session has used a second factor, permits it to enroll another within 15 minutes. Raises 42501 for non-admins.';

CREATE FUNCTION public.change_membership(token text, details jsonb, seen_version integer) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
  wish public.network_members;
begin
  if member.id is null then
    return null;
  end if;
  if member.state = 'asked' or member.frozen_at is not null then
    raise exception 'this membership cannot be changed now' using errcode = '55000';
  end if;
  if seen_version is distinct from member.version then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
  begin
    -- Otherwise a number, an array or an object would be stored as a text, its JSON.
    if details is null or exists (
      select from jsonb_each(details)
      where key in ('name', 'company', 'kind', 'check_size', 'place', 'qualification')
        and jsonb_typeof(value) not in ('string', 'null')
    ) then
      raise exception 'a text is expected' using errcode = '22023';
    end if;
    select * into wish from jsonb_populate_record(member, (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(details)
      where key in ('name', 'company', 'kind', 'fields', 'check_size', 'place', 'qualification')
    ));
  exception when data_exception then
    raise exception 'a value has another type' using errcode = '23514';
  end;
  if wish <> member then
    update public.network_members as stored
    set name = wish.name, company = wish.company, kind = wish.kind, fields = wish.fields, check_size = wish.check_size,
      place = wish.place, qualification = wish.qualification
    where stored.id = member.id;
    perform private.record_member_event(member.id, 'member', 'changed', null);
  end if;
  if member.renewal_asked_at is not null then
    update public.network_members as stored
    set renewed_at = now(), renewal_asked_at = null, paused_at = null, pause_reason = null
    where stored.id = member.id;
    perform private.record_member_event(member.id, 'member', 'renewed', null);
  end if;
  return public.find_membership(token);
end;
$$;

COMMENT ON FUNCTION public.change_membership(token text, details jsonb, seen_version integer) IS 'Changes the membership of this token to {name, company, kind, fields, check_size, place, qualification}; an absent key keeps its value. Returns it as find_membership does, or null for an unknown token. Raises 55000 before confirmation and while restricted, PT409 when seen_version is not its version, 23514 or 23502 for an invalid value.';

CREATE FUNCTION public.claim_account_link(token_hash text) RETURNS TABLE(purpose text, email text, user_id uuid)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
  update private.account_links as link
  set claimed_at = now()
  where link.token_hash = claim_account_link.token_hash and link.expires_at > now()
    and (link.claimed_at is null or link.claimed_at < now() - interval '1 minute')
  returning link.purpose, link.email,
    coalesce(link.user_id, (select account.id from auth.users as account where lower(account.email) = link.email))
$$;

COMMENT ON FUNCTION public.claim_account_link(token_hash text) IS 'Claims a link for a minute, before the password is set; finish_account_link or release_account_link ends the claim. user_id is null when the invited person has no account. No row for an unknown, expired or claimed link.';

CREATE FUNCTION public.claim_due_mail(batch_size integer, lease_seconds integer, letters boolean DEFAULT false) RETURNS TABLE(id uuid, kind text, recipient text, reply_to text, sender_name text, subject text, body text, thread uuid[], attempts integer, created_at timestamp with time zone, link jsonb)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
  with due as (
    select mail.id
    from private.email_outbox as mail
    where mail.delivered_at is null
      and mail.gave_up_at is null
      and mail.next_attempt_at <= now()
      and (mail.leased_until is null or mail.leased_until <= now())
      and not private.is_held(mail)
      and (mail.kind = 'letter') = letters
      and not (letters and exists (
        select from private.email_outbox as other
        where other.delivered_at is null and other.gave_up_at is null and other.next_attempt_at <= now()
          and (other.leased_until is null or other.leased_until <= now())
          and other.kind <> 'letter' and not private.is_held(other)
      ))
    order by mail.next_attempt_at
    limit least(greatest(batch_size, 0), 100)
    for update skip locked
  )
  update private.email_outbox as mail
  set leased_until = now() + make_interval(secs => lease_seconds), attempts = mail.attempts + 1
  from due
  where mail.id = due.id
  returning
    mail.id, mail.kind, mail.recipient, mail.reply_to, mail.sender_name, mail.subject, mail.body, mail.thread,
    mail.attempts, mail.created_at,
    (
      select jsonb_build_object(
        'to', mail.link_to, 'token', private.member_token(member, mail.link_to), 'closing', mail.closing
      )
      from public.network_members as member where member.id = mail.member_id and mail.link_to is not null
    );
$$;

COMMENT ON FUNCTION public.claim_due_mail(batch_size integer, lease_seconds integer, letters boolean) IS 'Leases up to batch_size due mails (100 at most) for lease_seconds and counts the attempt. Settle them with settle_mails. letters: leases letters to the network, and none of them while other mail is due; otherwise other mail only. thread: the ids of earlier mails in the conversation, the oldest first. link: {to, token, closing}, the member''s link (page or letter) that follows the body, and the text after it; null for other mails.';

CREATE FUNCTION public.claim_letter_recipients(per_hour integer) RETURNS TABLE(letter_id uuid, member_id uuid, recipient text, name text, subject text, body text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  -- A member who stopped their mail while send_letter ran.
  delete from private.letter_recipients as waiting
  using public.network_members as member
  where waiting.queued_at is null and member.id = waiting.member_id and not private.is_writable(member);
  return query
    select letter.id, member.id, member.email, member.name, letter.subject, letter.body
    from private.letter_recipients as waiting
    join public.network_letters as letter on letter.id = waiting.letter_id
    join public.network_members as member on member.id = waiting.member_id
    where waiting.queued_at is null
    order by letter.sent_at, letter.id, member.id
    limit least(50, greatest(0, per_hour - (
      select count(*) from private.email_outbox as mail
      where mail.kind = 'letter' and coalesce(mail.delivered_at, mail.gave_up_at, 'infinity') > now() - interval '1 hour'
    )));
end;
$$;

COMMENT ON FUNCTION public.claim_letter_recipients(per_hour integer) IS 'Returns the next members of the oldest letter, as many as per_hour still allows: {letter_id, member_id, recipient, name, subject, body}. Queue each mail with queue_letter_mail.';

CREATE FUNCTION public.complete_request(request_id uuid, note text, mail jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  perform private.close_request(
    request_id, array['open', 'in_progress'], 'completed',
    case when btrim(note) <> '' then private.require_words(note) end, mail
  );
end;
$$;

COMMENT ON FUNCTION public.complete_request(request_id uuid, note text, mail jsonb) IS 'Moves a request from open or in_progress to completed. note may be null.';

CREATE FUNCTION public.confirm_data_rights_request(token text) RETURNS TABLE(reference text, request_type text, received_at timestamp with time zone, due_on date)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_column
declare
  request public.data_rights_requests;
begin
  -- The first of several concurrent calls locks the row; the others wait here and then find it confirmed.
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

COMMENT ON FUNCTION public.confirm_data_rights_request(token text) IS 'Confirms the request of this token, once, and returns the same columns as find_data_rights_confirmation; no row if there was nothing to confirm.';

CREATE FUNCTION public.confirm_membership(token text, shown text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
  wish public.network_members := jsonb_populate_record(member, coalesce(member.pending, '{}'));
  is_first boolean := member.state = 'asked';
  resumes boolean := member.paused_at is not null or member.unsubscribed_at is not null;
begin
  perform private.require_shown(member, shown);
  -- Restricted data is only stored.
  if member.frozen_at is null
    and (is_first or resumes or member.pending is not null or member.renewal_asked_at is not null) then
    if member.pending is not null then
      update public.network_members as stored
      set name = wish.name, company = wish.company, kind = wish.kind, fields = wish.fields, check_size = wish.check_size,
        place = wish.place, qualification = wish.qualification, consent_text_hash = wish.consent_text_hash,
        consent_policy_version = wish.consent_policy_version, pending = null, pending_at = null
      where stored.id = member.id;
    end if;
    if is_first then
      update public.network_members as stored
      set state = 'confirmed', confirmed_at = now(), renewed_at = now()
      where stored.id = member.id;
      delete from private.network_departures as departure
      where private.is_salted_digest_of(departure.email_hash, private.digest(private.subject_key(member.email)));
      perform private.record_member_event(member.id, 'member', 'confirmed', null);
    end if;
    update public.network_members as stored
    set renewed_at = now(), renewal_asked_at = null, paused_at = null, pause_reason = null, unsubscribed_at = null
    where stored.id = member.id;
    if resumes then
      perform private.record_member_event(member.id, 'member', 'resumed', null);
    end if;
    if member.pending is not null then
      perform private.record_member_event(member.id, 'member', 'changed', null);
    end if;
    if not is_first and member.renewal_asked_at is not null then
      perform private.record_member_event(member.id, 'member', 'renewed', null);
    end if;
    if is_first then
      perform private.count_network('confirmed');
    end if;
  end if;
  return public.find_membership(token);
end;
$$;

COMMENT ON FUNCTION public.confirm_membership(token text, shown text) IS 'Confirms the membership of this token, the pending wish and a requested renewal, ends a pause of its mail, and returns it as find_membership does; null for an unknown token. Changes nothing the second time, or while restricted. Raises PT409 if a wish is pending and shown is not its pending_digest: it arrived after the page was shown.';

CREATE FUNCTION public.correct_membership(request_id uuid, field text, value text, seen_version integer DEFAULT NULL::integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $_$
declare
  request public.data_rights_requests;
  member public.network_members;
  old_value text;
begin
  perform private.require_admin();
  request := private.lock_rectification(request_id);
  if field is null or field not in ('name', 'company', 'place') or value is null then
    raise exception 'there is no such field, or no text' using errcode = '22023';
  end if;
  select * into member from public.network_members as stored
  where private.subject_key(stored.email) = private.subject_key(request.email) for update;
  if not found then
    raise exception 'this person has no membership' using errcode = 'P0002';
  end if;
  old_value := to_jsonb(member) ->> field;
  if old_value = value then
    return;
  end if;
  if seen_version <> member.version then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
  execute format('update public.network_members set %I = $1 where id = $2', field) using value, member.id;
  perform private.record_member_event(member.id, 'admin', 'corrected', field);
  perform private.record_request_event(request.id, 'admin', 'corrected', format(
    '%s of the membership. Salted SHA-256 of the old text: %s', field,
    private.salted_digest(private.digest(coalesce(old_value, '')))
  ));
end;
$_$;

COMMENT ON FUNCTION public.correct_membership(request_id uuid, field text, value text, seen_version integer) IS 'Replaces the name, company or place of the membership of the person who made this confirmed request for rectification (or other request), and logs a digest of the old text. Raises 42501 for non-admins, P0002 for an unknown request or without a membership, 55000 for a request in another state or of another type, 22023 for another field, 23514 for a text that is too long or empty, PT409 when seen_version is not the membership''s version.';

CREATE FUNCTION public.correct_submission(request_id uuid, submission_id uuid, field text, value text, seen_version integer DEFAULT NULL::integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $_$
declare
  actor uuid := private.require_admin();
  request public.data_rights_requests := private.lock_rectification(request_id);
  submission public.contact_submissions;
  old_value text;
begin
  if field is null or field not in ('name', 'company', 'stage', 'goal', 'message') or value is null then
    raise exception 'there is no such field, or no text' using errcode = '22023';
  end if;
  select * into submission from public.contact_submissions as stored
  where stored.id = correct_submission.submission_id
    and private.subject_key(stored.email) = private.subject_key(request.email)
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
  -- The firm's mail quoted the old text. It was delivered, so the stored copy can go.
  delete from private.email_outbox as mail
  where mail.submission_id = submission.id and mail.kind = 'firm' and mail.delivered_at is not null
    and not private.is_asked_for(submission.email);
  perform private.record_request_event(request.id, 'admin', 'corrected', format(
    '%s of message %s. Salted SHA-256 of the old text: %s', field, submission.id, private.salted_digest(private.digest(old_value))
  ));
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-corrected', submission.id);
end;
$_$;

COMMENT ON FUNCTION public.correct_submission(request_id uuid, submission_id uuid, field text, value text, seen_version integer) IS 'Replaces the name, company, stage, goal or message of a message sent by the person who made this confirmed request for rectification (or other request), and logs a digest of the old text. Raises 42501 for non-admins, P0002 for an unknown request or another person''s message, 55000 for a request in another state or of another type, 22023 for another field, 23514 for a text that is too long or empty, PT409 when seen_version is not the message''s version.';

CREATE FUNCTION public.count_attempt(subject_key text, change integer, seconds integer) RETURNS TABLE(hits integer, seconds_left integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $_$
#variable_conflict use_column
declare
  -- Anonymous callers can fill the table with made-up keys, up to this size. Then new keys are not counted, and each
  -- container counts by itself.
  has_room boolean := (select count(*) < 20000 from (select from private.rate_limits limit 20000) as existing);
begin
  if (subject_key ~ '^[A-Za-z0-9_-]{43}$' and change in (-1, 1) and seconds between 1 and 3600) is not true then
    raise exception 'a key of 43 characters, 1 or -1, and at most an hour are needed' using errcode = '22023';
  end if;
  return query
    insert into private.rate_limits as existing (key, hits, resets_at)
    select subject_key, change, now() + make_interval(secs => seconds)
    where (has_room and change > 0)
      or exists (select from private.rate_limits as present where present.key = subject_key)
    on conflict (key) do update set
      hits = greatest(0, case when existing.resets_at <= now() then 0 else existing.hits end + excluded.hits),
      resets_at = case when existing.resets_at <= now() then excluded.resets_at else existing.resets_at end
    returning existing.hits, greatest(1, ceil(extract(epoch from existing.resets_at - now())))::integer;

  -- Clean up last and skip locked rows, so that it never waits. Up to 400 per call, so that a flooded table empties
  -- quickly.
  delete from private.rate_limits as expired
  where expired.key in (
    select old.key from private.rate_limits as old
    where old.resets_at <= now() order by old.resets_at limit 400 for update skip locked
  );
end;
$_$;

COMMENT ON FUNCTION public.count_attempt(subject_key text, change integer, seconds integer) IS 'Counts an attempt of a subject (change 1), or takes one back (-1). A count lasts for the given seconds from its first attempt. Returns the total {hits, seconds_left}; no row for a new key while the table is full. Raises 22023 for malformed arguments.';

CREATE FUNCTION public.count_letter_recipients(to_states text[], to_kind text DEFAULT NULL::text, to_field text DEFAULT NULL::text) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'count', count(*), 'names', coalesce(jsonb_agg(chosen.name order by chosen.place) filter (where chosen.place <= 10), '[]')
    )
    from (
      select member.name, row_number() over (order by member.confirmed_at desc, member.id) as place
      from public.network_members as member
      where private.is_chosen(
        member, count_letter_recipients.to_states, count_letter_recipients.to_kind, count_letter_recipients.to_field
      )
    ) as chosen
  );
end;
$$;

COMMENT ON FUNCTION public.count_letter_recipients(to_states text[], to_kind text, to_field text) IS 'Returns {count, names} of the members that a letter with this choice would go to now; names: ten at most, those confirmed last first. Raises 42501 for non-admins.';

CREATE FUNCTION public.count_recovery_codes() RETURNS integer
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$ select count(*)::integer from private.recovery_codes where user_id = auth.uid() $$;

COMMENT ON FUNCTION public.count_recovery_codes() IS 'Returns how many recovery codes the caller has left.';

CREATE FUNCTION public.count_requests() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select jsonb_object_agg(folder, (
      select count(*) from public.data_rights_requests as request where private.is_in_folder(request, folder)
    ))
    from unnest(array[
      'all', 'active', 'unconfirmed', 'open', 'in_progress', 'closed', 'completed', 'refused', 'withdrawn',
      'quarantined', 'restricted'
    ]) as folder
  ) || jsonb_build_object('overdue', private.count_overdue_requests());
end;
$$;

COMMENT ON FUNCTION public.count_requests() IS 'Returns the number of requests in each folder, and of overdue ones. Raises 42501 for non-admins.';

CREATE FUNCTION public.count_unsigned_call(function_name text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  most constant integer := 20;
  own_key constant text := 'unsigned:' || function_name;
  counter private.rate_limits;
begin
  -- Read first, so that calls in a flood do not wait for each other's row lock.
  select * into counter from private.rate_limits as existing
  where existing.key = own_key and existing.resets_at > now() and existing.hits >= most;
  if not found then
    insert into private.rate_limits as existing (key, hits, resets_at)
    values (own_key, 1, now() + interval '1 hour')
    on conflict (key) do update set
      hits = case when existing.resets_at <= now() then 1 else existing.hits + 1 end,
      resets_at = case when existing.resets_at <= now() then excluded.resets_at else existing.resets_at end
    returning * into counter;
    if counter.hits <= most then
      return null;
    end if;
  end if;
  return greatest(1, ceil(extract(epoch from counter.resets_at - now())))::integer;
end;
$$;

COMMENT ON FUNCTION public.count_unsigned_call(function_name text) IS 'Counts a call of an edge function that the site did not sign. Returns null for the first 20 within the hour, otherwise the seconds until the next call is accepted.';

CREATE FUNCTION public.create_recovery_codes() RETURNS text[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  codes text[];
begin
  perform private.require_admin();
  if auth.jwt() ->> 'aal' is distinct from 'aal2' then
    raise exception 'recovery codes are for those who have a second factor' using errcode = '42501';
  end if;
  -- A version 4 UUID has 122 random bits.
  select array_agg(substr(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 1, 30)) into codes
  from generate_series(1, 10);
  delete from private.recovery_codes where user_id = auth.uid();
  insert into private.recovery_codes (user_id, digest)
  select auth.uid(), encode(sha256(convert_to(code, 'UTF8')), 'hex') from unnest(codes) as code;
  return codes;
end;
$$;

COMMENT ON FUNCTION public.create_recovery_codes() IS 'Replaces the caller''s recovery codes with ten of 30 hexadecimal digits and returns them. Raises 42501 unless the caller is an admin who has used a second factor in this session.';

CREATE FUNCTION public.delete_letter(letter_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  letter public.network_letters;
begin
  perform private.require_admin();
  letter := private.lock_letter(delete_letter.letter_id);
  if letter.sent_at is not null then
    raise exception 'this letter was sent' using errcode = '55000';
  end if;
  delete from public.network_letters as stored where stored.id = letter.id;
  perform private.log_letter('letter-deleted');
end;
$$;

COMMENT ON FUNCTION public.delete_letter(letter_id uuid) IS 'Deletes a draft. Raises 42501 for non-admins, P0002 for an unknown letter, 55000 for one that was sent.';

CREATE FUNCTION public.delete_reply_snippet(snippet_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  stored private.reply_snippets;
begin
  perform private.require_admin();
  select * into stored from private.reply_snippets as snippet
  where snippet.id = delete_reply_snippet.snippet_id for update;
  if not found then
    raise exception 'there is no such text' using errcode = 'P0002';
  end if;
  perform private.require_seen(stored.version);
  delete from private.reply_snippets as snippet where snippet.id = stored.id;
end;
$$;

COMMENT ON FUNCTION public.delete_reply_snippet(snippet_id uuid) IS 'Deletes a saved text. Raises 42501 for non-admins, P0002 for an unknown one, PT409 when the caller saw another version.';

CREATE FUNCTION public.delete_spam(submission_ids uuid[]) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  deleted uuid[];
begin
  if coalesce(cardinality(submission_ids), 0) not between 1 and 100 then
    raise exception 'one call deletes 1 to 100 messages' using errcode = '22023';
  end if;
  with gone as (
    delete from public.contact_submissions as submission
    where submission.id = any (submission_ids) and submission.state = 'spam' and submission.quarantine_reason is null
      and submission.frozen_at is null and not private.is_asked_for(submission.email)
    returning submission.id
  )
  select array_agg(gone.id) into deleted from gone;
  insert into public.admin_events (actor, action, submission_id)
  select actor, 'submission-deleted', id from unnest(deleted) as id;
  return coalesce(cardinality(deleted), 0);
end;
$$;

COMMENT ON FUNCTION public.delete_spam(submission_ids uuid[]) IS 'Permanently deletes those of 1 to 100 messages that are spam, logs each, and returns their number. Messages that are no longer spam, restricted, or from a sender with an open request for their data stay. Raises 42501 for non-admins, 22023 for another number of ids.';

CREATE FUNCTION public.delete_submission(submission_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
begin
  if private.is_asked_for((private.lock_submission(submission_id)).email) then
    raise exception 'this person has asked for their data' using errcode = '55006';
  end if;
  delete from public.contact_submissions as submission where submission.id = delete_submission.submission_id;
  insert into public.admin_events (actor, action, submission_id)
  values (actor, 'submission-deleted', delete_submission.submission_id);
end;
$$;

COMMENT ON FUNCTION public.delete_submission(submission_id uuid) IS 'Permanently deletes a message and everything that references it. Raises 55006 while its sender has an open request for their data.';

CREATE FUNCTION public.discard_membership_change(token text, shown text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
begin
  perform private.require_shown(member, shown);
  if member.pending is not null and member.frozen_at is null then
    update public.network_members as stored set pending = null, pending_at = null where stored.id = member.id;
    perform private.record_member_event(member.id, 'member', 'change-discarded', null);
  end if;
  return public.find_membership(token);
end;
$$;

COMMENT ON FUNCTION public.discard_membership_change(token text, shown text) IS 'Discards the pending wish of this token''s membership, and returns it as find_membership does; null for an unknown token. Changes nothing without one, or while restricted. Raises PT409 as confirm_membership.';

CREATE FUNCTION public.end_own_sessions(session_id uuid DEFAULT NULL::uuid) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  owner uuid := private.require_admin();
  own_session uuid := (auth.jwt() ->> 'session_id')::uuid;
  ended_count integer;
begin
  delete from auth.sessions as session
  where session.user_id = owner and session.id <> own_session
    and (end_own_sessions.session_id is null or session.id = end_own_sessions.session_id);
  get diagnostics ended_count = row_count;
  return ended_count;
end;
$$;

COMMENT ON FUNCTION public.end_own_sessions(session_id uuid) IS 'Ends another session of the caller, or without session_id all others, and returns how many sessions ended. The calling session continues. Raises 42501 for non-admins.';

CREATE FUNCTION public.end_page_links(token text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
begin
  update public.network_members as stored set page_link_at = now() where stored.id = member.id;
  if found then
    perform private.record_member_event(member.id, 'member', 'links-ended', null);
  end if;
  return member.id is not null;
end;
$$;

COMMENT ON FUNCTION public.end_page_links(token text) IS 'Ends all links to the page of this token''s member, this one too. Links in letters go on stopping mail. Returns false when the token opens none.';

CREATE FUNCTION public.enter_request(request jsonb, channel text, received_on date, is_identified boolean, confirm_token_hash text, status_token_hash text, mail jsonb) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_column
declare
  today date := private.today();
  is_complaint boolean := enter_request.request ->> 'request_type' is not distinct from 'complaint';
  is_open boolean := is_identified or is_complaint;
  stored public.data_rights_requests;
begin
  perform private.require_admin();
  if channel is null or channel not in ('letter', 'phone', 'email') or is_identified is null then
    raise exception 'a channel is needed, and whether the person was identified' using errcode = '22023';
  end if;
  if received_on is null or received_on > today or received_on < today - 90 then
    raise exception 'a request came within the last 90 days' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(private.subject_key(enter_request.request ->> 'email'), 0));

  select * into stored
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = private.subject_key(enter_request.request ->> 'email')
    and earlier.request_type = enter_request.request ->> 'request_type'
    and earlier.name = enter_request.request ->> 'name'
    and earlier.description = enter_request.request ->> 'description'
    and earlier.received_at = private.start_of_day(enter_request.received_on)
    and earlier.closed_at is null
  limit 1;
  if found then
    return stored.id;
  end if;

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
      private.start_of_day(enter_request.received_on),
      private.data_rights_due_on(enter_request.received_on),
      case when is_open then 'open' else 'unconfirmed' end,
      case when is_identified and not is_complaint then now() end,
      -- The firm needs no notice of its own entry, so the first reminder counts as sent.
      case when is_open then 'confirmed' end,
      case when is_open then now() end
    )
    on conflict (reference) do nothing
    returning * into stored;
    exit when found;
  end loop;
  perform private.record_request_event(stored.id, 'admin', 'entered', channel);
  insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
  values (status_token_hash, stored.id, 'status', null);
  if not is_open then
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    values (confirm_token_hash, stored.id, 'confirm', private.confirmation_ends_at(stored.due_on));
  end if;
  perform private.queue_request_mail(stored, 'request-acknowledgement', stored.email, mail, false);
  return stored.id;
end;
$$;

COMMENT ON FUNCTION public.enter_request(request jsonb, channel text, received_on date, is_identified boolean, confirm_token_hash text, status_token_hash text, mail jsonb) IS 'Stores a request {request_type, name, email, description} that arrived by letter, phone or email on received_on, and queues the mail {subject, body} to its person. The request is open if the person was identified, otherwise unconfirmed. An identical request of the same day counts as one until it is closed. Returns its id. Raises 42501 for non-admins, 22023 for another channel or day, 23514 or 23502 for a text that is too long or missing.';

CREATE FUNCTION public.erase_consent(session_id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform set_config('private.erases_consent', 'on', true);
  delete from private.consent_history as decision where decision.session_id = erase_consent.session_id;
  perform set_config('private.erases_consent', 'off', true);
  delete from public.user_consents as consent where consent.session_id = erase_consent.session_id;
end;
$$;

COMMENT ON FUNCTION public.erase_consent(session_id text) IS 'Deletes the record with this id and its history. Returns nothing, whether or not it existed. Safe to repeat.';

CREATE FUNCTION public.erase_subject(request_id uuid, mail jsonb, elsewhere text[] DEFAULT '{}'::text[]) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  request public.data_rights_requests := private.lock_subject(request_id, array['open', 'in_progress']);
  person text := private.subject_key(request.email);
  counts jsonb := private.count_subject(person);
begin
  perform private.require_type(request, array['erasure', 'object', 'other']);
  perform set_config('private.erases_log', 'on', true);
  -- Lock messages and the membership before their mails, as settle_mails does.
  perform from public.contact_submissions as submission
  where private.subject_key(submission.email) = person order by submission.id for update;
  perform from public.network_members as member where private.subject_key(member.email) = person for update;
  delete from private.email_outbox as queued where queued.id in (select own.id from private.find_mails_of(person) as own);
  -- Receipts and search text are deleted with the messages, links and events with the requests and the membership.
  delete from public.contact_submissions as submission where private.subject_key(submission.email) = person;
  delete from public.data_rights_requests as own where private.subject_key(own.email) = person;
  delete from public.network_members as member where private.subject_key(member.email) = person;
  perform set_config('private.erases_log', 'off', true);

  insert into private.erasure_tombstones (reference, email_hash, counts, erased_by, elsewhere)
  values (request.reference, private.digest(person), counts, actor, erase_subject.elsewhere);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, true);
  return counts;
end;
$$;

COMMENT ON FUNCTION public.erase_subject(request_id uuid, mail jsonb, elsewhere text[]) IS 'Deletes all data held under the address of a confirmed request for erasure (or an objection or other request), including that request. Leaves a tombstone and one last mail {subject, body}, which is deleted once delivered. elsewhere: the places that the admin handled manually (mailbox, exports, advisers, google); the tombstone records them. Returns the counts. Raises 42501 for non-admins, P0002 for an unknown request, 55000 for one in another state or of another type, 22023 for a mail without text, 23514 for another place. Deletes nothing when it raises.';

CREATE FUNCTION public.export_network_members(state text DEFAULT NULL::text, kind text DEFAULT NULL::text, field text DEFAULT NULL::text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  insert into public.admin_events (actor, action) values (private.require_admin(), 'members-exported');
  return (
    select coalesce(jsonb_agg(
      to_jsonb(member) - 'frozen_at' order by coalesce(member.confirmed_at, member.asked_at) desc, member.id
    ), '[]')
    from private.filter_members(state, kind, field) as member
  );
end;
$$;

COMMENT ON FUNCTION public.export_network_members(state text, kind text, field text) IS 'Returns all members that match the filters of list_network_members, as an array of all that is stored about them. Logged in admin_events. Raises 42501 for non-admins.';

CREATE FUNCTION public.export_subject_data(request_id uuid) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
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
      ), 'letters', private.read_letters_of(member.id))
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

COMMENT ON FUNCTION public.export_subject_data(request_id uuid) IS 'Returns all data held under the address of a confirmed request, except for senders'' IP addresses, as {exported_at, reference, email, submissions: [{…, replies, reply_draft}], requests: [{…, events}], membership: {…, events, letters}, mails, earlier_erasures}. letters: those that the member got, [{subject, body, sent_at}]. Logs the export. Raises 42501 for non-admins, P0002 for an unknown request, 55000 for an unconfirmed, refused or withdrawn one.';

CREATE FUNCTION public.export_submissions(folder text DEFAULT 'all'::text, search text DEFAULT NULL::text, page_cursor text DEFAULT NULL::text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
begin
  if page_cursor is null then
    insert into public.admin_events (actor, action) values (actor, 'submissions-exported');
  end if;
  return private.turn_page('scan_submissions', folder, search, page_cursor, 1000);
end;
$$;

COMMENT ON FUNCTION public.export_submissions(folder text, search text, page_cursor text) IS 'As the page of read_inbox, with 1,000 messages. The first page is logged in admin_events.';

CREATE FUNCTION public.extend_request(request_id uuid, reason text, mail jsonb) RETURNS date
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_request(request_id, array['open', 'in_progress']);
  if request.extended_at is not null then
    raise exception 'a request is extended once' using errcode = '55000';
  end if;
  if private.today() >= request.due_on then
    raise exception 'a request is extended before it is due' using errcode = '55000';
  end if;
  update public.data_rights_requests as stored
  set extended_at = now(),
    extension_reason = private.require_words(reason),
    due_on = private.data_rights_extended_to(private.local_day(stored.received_at))
  where stored.id = request.id
  returning * into request;
  perform private.record_request_event(request.id, 'admin', 'extended', request.extension_reason);
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return request.due_on;
end;
$$;

COMMENT ON FUNCTION public.extend_request(request_id uuid, reason text, mail jsonb) IS 'Extends the due date once and returns the new one, which fills in {{due_on}} in the mail.';

CREATE FUNCTION public.fetch_package(token text) RETURNS TABLE(content jsonb)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_column
declare
  package private.data_packages;
begin
  select * into package from private.data_packages as stored
  where stored.request_id = (select private.find_linked_request(fetch_package.token, 'package'))
    and stored.available_until > now();
  if not found then
    return;
  end if;
  perform private.record_request_event(package.request_id, 'requester', 'fetched', null);
  return query select package.content;
end;
$$;

COMMENT ON FUNCTION public.fetch_package(token text) IS 'Returns the data package that this token opens, as export_subject_data created it, or no row. Logs the download.';

CREATE FUNCTION public.find_account_link(token text) RETURNS TABLE(purpose text, email text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $_$
  select link.purpose, link.email from private.account_links as link
  where token ~ '^[A-Za-z0-9_-]{43,128}$' and link.token_hash = private.digest(token) and link.expires_at > now()
    and (link.claimed_at is null or link.claimed_at < now() - interval '1 minute')
$_$;

COMMENT ON FUNCTION public.find_account_link(token text) IS 'Returns the purpose of an account link (invitation, new-password) and its address; no row for an unknown, used or expired link.';

CREATE FUNCTION public.find_answer_link(token text) RETURNS TABLE(reference text, received_at timestamp with time zone, answered_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
  select left(submission.id::text, 8), submission.created_at, submission.answered_at
  from public.contact_submissions as submission
  where submission.id = (select private.find_linked_submission(token))
$$;

COMMENT ON FUNCTION public.find_answer_link(token text) IS 'Returns the message that this token would mark as answered, or no row. Changes nothing, because mail scanners follow links.';

CREATE FUNCTION public.find_confirmed_data_rights_request(token text) RETURNS TABLE(reference text, request_type text, state text, received_at timestamp with time zone, due_on date, confirmed_at timestamp with time zone, extended_at timestamp with time zone, closed_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $_$
  select
    request.reference, request.request_type, request.state, request.received_at, request.due_on,
    request.confirmed_at, request.extended_at, request.closed_at
  from private.data_rights_links as link
  join public.data_rights_requests as request on request.id = link.request_id
  where token ~ '^[A-Za-z0-9_-]{43,128}$' and link.token_hash = private.digest(token)
    and link.purpose = 'confirm' and link.used_at > now() - interval '1 hour'
$_$;

COMMENT ON FUNCTION public.find_confirmed_data_rights_request(token text) IS 'Returns the same columns as find_data_rights_status for a confirmation link that was used within the last hour, or no row.';

CREATE FUNCTION public.find_consent(session_id text) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
  select to_jsonb(consent) || jsonb_build_object('history', (
    select coalesce(jsonb_agg(to_jsonb(decision) - 'session_id' order by decision.decided_at), '[]')
    from private.consent_history as decision
    where decision.session_id = consent.session_id
  ))
  from public.user_consents as consent
  where consent.session_id = find_consent.session_id
$$;

COMMENT ON FUNCTION public.find_consent(session_id text) IS 'Returns the record with this id, all its fields, and history (every decision with its fields); null when there is none.';

CREATE FUNCTION public.find_correctable_membership(request_id uuid) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_rectification(request_id);
  return (
    select jsonb_build_object(
      'id', member.id, 'name', member.name, 'company', member.company, 'place', member.place, 'version', member.version
    )
    from public.network_members as member
    where private.subject_key(member.email) = private.subject_key(request.email)
  );
end;
$$;

COMMENT ON FUNCTION public.find_correctable_membership(request_id uuid) IS 'Returns {id, name, company, place, version} of the membership of the person who made this request, or null. Errors as correct_membership.';

CREATE FUNCTION public.find_data_rights_confirmation(token text) RETURNS TABLE(reference text, request_type text, received_at timestamp with time zone, due_on date)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
  select request.reference, request.request_type, request.received_at, request.due_on
  from public.data_rights_requests as request
  where request.id = (select private.find_linked_request(token, 'confirm')) and request.state = 'unconfirmed'
$$;

COMMENT ON FUNCTION public.find_data_rights_confirmation(token text) IS 'Returns the request that this token would confirm, or no row. Changes nothing, because mail scanners follow links.';

CREATE FUNCTION public.find_data_rights_status(token text) RETURNS TABLE(reference text, request_type text, state text, received_at timestamp with time zone, due_on date, confirmed_at timestamp with time zone, extended_at timestamp with time zone, closed_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
  select
    request.reference, request.request_type, request.state, request.received_at, request.due_on,
    request.confirmed_at, request.extended_at, request.closed_at
  from public.data_rights_requests as request
  where request.id = (select private.find_linked_request(token, 'status'))
$$;

COMMENT ON FUNCTION public.find_data_rights_status(token text) IS 'Returns the progress of the request that this token opens, or no row. The request may be withdrawn while closed_at is null.';

CREATE FUNCTION public.find_letter(letter_id uuid) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select to_jsonb(letter) - 'tried_hash' || private.letter_progress(letter) || jsonb_build_object(
      'saved_by', coalesce(private.name_person(letter.saved_by), left(letter.saved_by::text, 8)),
      'sent_by', coalesce(private.name_person(letter.sent_by), left(letter.sent_by::text, 8)),
      'is_tried', coalesce(letter.tried_hash = private.letter_digest(letter), false)
    )
    from public.network_letters as letter where letter.id = find_letter.letter_id
  );
end;
$$;

COMMENT ON FUNCTION public.find_letter(letter_id uuid) IS 'Returns a letter, or null: {id, subject, body, to_states, to_kind, to_field, saved_by, saved_at, sent_at, sent_by, stopped_at, to_count, version, state, queued, delivered, waiting, given_up, is_tried}. is_tried: the caller mailed the text as it stands to themself. saved_by: as sent_by. The others as in list_letters. Raises 42501 for non-admins.';

CREATE FUNCTION public.find_mail(mail_id uuid) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select private.show_delivery(mail) || jsonb_build_object(
      'recipient', mail.recipient,
      'is_resendable', private.is_resendable(mail) and mail.kind in ('reply', 'acknowledgement', 'request-answer', 'account-link')
    )
    from private.email_outbox as mail where mail.id = mail_id and mail.recipient is not null
  );
end;
$$;

COMMENT ON FUNCTION public.find_mail(mail_id uuid) IS 'Returns a mail to a person as list_undelivered does, with {recipient, is_resendable}, or null. Raises 42501 for non-admins.';

CREATE FUNCTION public.find_mail_state(token text) RETURNS TABLE(unsubscribed_at timestamp with time zone, deleted_on date)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  return query
    select member.unsubscribed_at,
      private.local_day(member.unsubscribed_at + private.retention_period('unsubscribed_members'))
    from public.network_members as member
    where member.id = (select private.find_linked_member(find_mail_state.token, 'letter'));
end;
$$;

COMMENT ON FUNCTION public.find_mail_state(token text) IS 'Returns since when the member whose letter contains this token has stopped all mail, and the day on which the membership is deleted therefore; both null if mail goes on. No row for an unknown token. Changes nothing, because mail scanners follow links.';

CREATE FUNCTION public.find_membership(token text) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  return (
    select private.network_details(member) - array['consent_text_hash', 'consent_policy_version'] || jsonb_build_object(
      'state', member.state, 'email', member.email, 'asked_at', member.asked_at, 'confirmed_at', member.confirmed_at,
      'renewal_asked_at', member.renewal_asked_at,
      'pending', member.pending - array['consent_text_hash', 'consent_policy_version'],
      'pending_digest', private.pending_digest(member),
      'link_ends_at', member.page_link_at + private.retention_period('page_links'),
      'is_restricted', member.frozen_at is not null, 'version', member.version, 'paused_at', member.paused_at,
      'pause_reason', member.pause_reason, 'unsubscribed_at', member.unsubscribed_at,
      'deleted_on', private.local_day(member.unsubscribed_at + private.retention_period('unsubscribed_members'))
    )
    from public.network_members as member
    where member.id = (select private.find_linked_member(find_membership.token, 'page'))
  );
end;
$$;

COMMENT ON FUNCTION public.find_membership(token text) IS 'Returns the membership that this token opens: {state, name, email, company, kind, fields, check_size, place, qualification, asked_at, confirmed_at, renewal_asked_at, pending, pending_digest, link_ends_at, is_restricted, version, paused_at, pause_reason, unsubscribed_at, deleted_on}, or null. pending: a later wish that waits for confirmation, with the keys from name to qualification, or null; pending_digest identifies it, and is empty without one. paused_at: since when the mailbox refuses mail, and pause_reason its code. unsubscribed_at: when the member stopped all mail, and deleted_on the day on which the membership ends therefore. Changes nothing, because mail scanners follow links.';

CREATE FUNCTION public.find_neighbors(submission_id uuid, folder text DEFAULT 'waiting'::text, search text DEFAULT NULL::text) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  needle constant text := nullif(lower(btrim(left(search, 200))), '');
  here private.placed_row;
  before private.placed_row[];
  after private.placed_row[];
  is_listed boolean;
begin
  perform private.require_admin();
  select
    -(extract(epoch from submission.created_at) * 1000000)::bigint - case
      when folder in ('waiting', 'all', 'new', 'in_progress') and submission.quarantine_reason is null
        -- A message that has left a list of late ones keeps its position among them.
        and (folder <> 'all' or submission.state in ('new', 'in_progress')) and submission.answer_due_at < now()
        then 10000000000000000
      else 0
    end,
    submission.id
  into here.place, here.id
  from public.contact_submissions as submission
  where submission.id = find_neighbors.submission_id and submission.frozen_at is null;
  if here.id is null then
    return null;
  end if;
  before := array(
    select placed from private.scan_submissions(folder, needle, here.place, here.id, false, 1, now()) as placed
  );
  -- Begins at the row before, so that the message itself comes first if the list holds it.
  after := array(
    select placed from private.scan_submissions(folder, needle, before[1].place, before[1].id, true, 2, now()) as placed
  );
  is_listed := coalesce(after[1].id = here.id, false);
  return jsonb_build_object(
    'is_listed', is_listed,
    'count', case when needle is null then private.count_submissions() -> folder end,
    'previous', private.name_row(before[1]),
    'next', private.name_row(after[case when is_listed then 2 else 1 end]),
    'cursor', private.write_cursor('next', here, now())
  );
end;
$$;

COMMENT ON FUNCTION public.find_neighbors(submission_id uuid, folder text, search text) IS 'Returns the position of a message in a list of read_inbox as {is_listed, count, previous, next, cursor}; null for an unknown or frozen message. is_listed: whether the list holds it. count: messages in the folder, null for a search. previous, next: {id, name} of the messages before and after it, or null. cursor: of the page that begins after it. Raises 42501 for non-admins, 22023 for an invalid folder.';

CREATE FUNCTION public.find_network_member(member_id uuid) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select to_jsonb(member) - 'frozen_at' || jsonb_build_object(
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', event.id, 'at', event.at, 'actor_kind', event.actor_kind,
          'actor', coalesce(private.name_person(event.actor), left(event.actor::text, 8)),
          'action', event.action, 'note', event.note
        ) order by event.id), '[]')
        from public.network_events as event where event.member_id = member.id
      ),
      'mails', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', mail.id, 'kind', mail.kind, 'subject', mail.subject, 'created_at', mail.created_at,
          'delivered_at', mail.delivered_at, 'gave_up_at', mail.gave_up_at, 'code', mail.last_error
        ) order by mail.created_at, mail.id), '[]')
        from private.email_outbox as mail where mail.member_id = member.id
      ),
      'messages', (
        select coalesce(jsonb_agg(jsonb_build_object('id', submission.id, 'created_at', submission.created_at)
          order by submission.created_at desc, submission.id), '[]')
        from public.contact_submissions as submission
        where private.subject_key(submission.email) = private.subject_key(member.email) and submission.frozen_at is null
      )
    )
    from public.network_members as member
    where member.id = find_network_member.member_id and member.frozen_at is null
  );
end;
$$;

COMMENT ON FUNCTION public.find_network_member(member_id uuid) IS 'Returns all that is stored about a member, with {events: [{id, at, actor_kind, actor, action, note}], mails: [{id, kind, subject, created_at, delivered_at, gave_up_at, code}], messages: [{id, created_at}]}; null for an unknown or restricted one. actor: the admin''s name and address, or the address alone. messages: from the same address, the newest first. Raises 42501 for non-admins.';

CREATE FUNCTION public.find_package(token text) RETURNS TABLE(reference text, available_until timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
  select request.reference, package.available_until
  from private.data_packages as package
  join public.data_rights_requests as request on request.id = package.request_id
  where package.request_id = (select private.find_linked_request(token, 'package')) and package.available_until > now()
$$;

COMMENT ON FUNCTION public.find_package(token text) IS 'Returns the request whose data this token opens and until when it is available, or no row. Reveals none of the data, because mail scanners follow links.';

CREATE FUNCTION public.find_package_offer(token text) RETURNS TABLE(available_until timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
  select package.available_until
  from private.data_packages as package
  where package.request_id = (select private.find_linked_request(token, 'status')) and package.available_until > now()
$$;

COMMENT ON FUNCTION public.find_package_offer(token text) IS 'Returns until when the holder of this status link may have the data link emailed, or no row.';

CREATE FUNCTION public.find_request(request_id uuid) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select private.show_request(request) || jsonb_build_object(
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'at', event.at, 'actor_kind', event.actor_kind,
          'actor', coalesce(private.name_person(event.actor), left(event.actor::text, 8)),
          'action', event.action, 'note', event.note
        ) order by event.id), '[]')
        from public.data_rights_events as event where event.request_id = request.id
      ),
      'mails', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', mail.id, 'kind', mail.kind, 'subject', mail.subject, 'recipient', mail.recipient,
          'created_at', mail.created_at, 'delivered_at', mail.delivered_at, 'gave_up_at', mail.gave_up_at,
          'code', mail.last_error
        ) order by mail.created_at, mail.kind, mail.id), '[]')
        from private.email_outbox as mail where mail.request_id = request.id
      ),
      'confirmation_expires_at', (
        select link.expires_at from private.data_rights_links as link
        where link.request_id = request.id and link.purpose = 'confirm' and link.used_at is null
      )
    )
    from public.data_rights_requests as request
    where request.id = find_request.request_id
  );
end;
$$;

COMMENT ON FUNCTION public.find_request(request_id uuid) IS 'Returns one request, frozen or not, with {events, mails, confirmation_expires_at}; null if there is none. An admin who acted is named by name and address, or the address alone. Raises 42501 for non-admins.';

CREATE FUNCTION public.find_submission(submission_id uuid) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select to_jsonb(submission) - array['frozen_at', 'answer_notice'] || jsonb_build_object(
      'signature', private.own_signature(),
      'member_id', private.find_member_id(submission.email),
      'replies', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', reply.id, 'written_at', reply.written_at, 'body', reply.body,
          'by', private.name_person(reply.written_by),
          -- Null once retention has deleted the mail.
          'delivery', (
            select case
              when mail.delivered_at is not null then 'sent' when mail.gave_up_at is not null then 'given-up' else 'waiting'
            end
            from private.email_outbox as mail where mail.id = reply.id
          ),
          'code', (select mail.last_error from private.email_outbox as mail where mail.id = reply.id)
        ) order by reply.written_at, reply.id), '[]')
        from private.message_replies as reply where reply.submission_id = submission.id
      ),
      'undelivered', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', mail.id, 'kind', mail.kind, 'code', mail.last_error, 'recipient', mail.recipient, 'gave_up_at', mail.gave_up_at
        ) order by mail.created_at desc, mail.id), '[]')
        from private.email_outbox as mail
        where mail.submission_id = submission.id and mail.kind in ('reply', 'acknowledgement')
          and private.is_resendable(mail) and not private.is_replaced(mail)
          and (mail.gave_up_at is null or submission.state in ('new', 'in_progress'))
      ),
      'draft', (
        select jsonb_build_object(
          'saved_at', draft.saved_at, 'body', draft.body,
          'by', private.name_person(draft.saved_by)
        )
        from private.reply_drafts as draft where draft.submission_id = submission.id
      ),
      'events', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'at', event.at, 'action', event.action,
          'by', private.name_person(event.actor)
        ) order by event.id), '[]')
        from public.admin_events as event where event.submission_id = submission.id
      ),
      'others', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', other.id, 'created_at', other.created_at, 'goal', other.goal, 'state', other.state,
          'quarantine_reason', other.quarantine_reason
        ) order by other.created_at desc, other.id), '[]')
        from (
          select * from public.contact_submissions as sent
          where private.subject_key(sent.email) = private.subject_key(submission.email)
            and sent.id <> submission.id and sent.frozen_at is null
          order by sent.created_at desc, sent.id
          limit 50
        ) as other
      ),
      'requests', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', request.id, 'reference', request.reference, 'request_type', request.request_type, 'state', request.state
        ) order by request.received_at desc, request.id), '[]')
        from public.data_rights_requests as request
        where private.subject_key(request.email) = private.subject_key(submission.email) and request.frozen_at is null
      )
    )
    from public.contact_submissions as submission
    where submission.id = find_submission.submission_id and submission.frozen_at is null
  );
end;
$$;

COMMENT ON FUNCTION public.find_submission(submission_id uuid) IS 'Returns one message that is not frozen, as read_inbox shows it, with {signature, member_id, replies: [{id, written_at, body, by, delivery, code}], undelivered: [{id, kind, code, recipient, gave_up_at}], draft: {saved_at, body, by} or null, events: [{at, action, by}], others: [{id, created_at, goal, state, quarantine_reason}], requests: [{id, reference, request_type, state}]}: the caller''s signature for a reply, the message''s replies and history, and other submissions from the same address. by: name and address, or the address alone. Null if there is none. delivery: waiting, sent, given-up or null. Raises 42501 for non-admins.';

CREATE FUNCTION public.finish_account_link(token_hash text, user_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  claimed_link private.account_links;
  account auth.users;
begin
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  select * into claimed_link from private.account_links as link where link.token_hash = finish_account_link.token_hash;
  select * into account from auth.users as person where person.id = finish_account_link.user_id;
  -- The link was withdrawn while the password was being set, or belongs to another account.
  if claimed_link.claimed_at is null or account.id is null or lower(account.email) <> claimed_link.email then
    raise exception 'the link is not for this account' using errcode = 'P0002';
  end if;
  if claimed_link.purpose = 'invitation' then
    perform private.give_admin_role(account.id, account.id, 'admin-joined');
  else
    insert into public.admin_events (actor, action, person) values (account.id, 'password-renewed', claimed_link.email);
  end if;
  perform private.end_every_session(account.id);
  delete from private.account_links as link where link.user_id = account.id or link.email = claimed_link.email;
end;
$$;

COMMENT ON FUNCTION public.finish_account_link(token_hash text, user_id uuid) IS 'Completes a claimed link once its password is set; an invitation grants the role. Ends all links and sessions of the account. Raises P0002 for a link that no longer exists or belongs to another account.';

CREATE FUNCTION public.grant_named_admin(user_id uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  if exists (
    select from public.user_roles as user_role
    where user_role.user_id = grant_named_admin.user_id and user_role.role = 'admin'
  ) then
    return true;
  end if;
  if not exists (
    select from auth.users as account
    where account.id = grant_named_admin.user_id
      and coalesce(account.raw_app_meta_data ->> 'admin_revoked', 'false') <> 'true'
  ) then
    return false;
  end if;
  perform private.give_admin_role(grant_named_admin.user_id, null, 'admin-named');
  return true;
end;
$$;

COMMENT ON FUNCTION public.grant_named_admin(user_id uuid) IS 'Makes an account an admin and returns whether it is one now: false for a removed admin and for an unknown account.';

CREATE FUNCTION public.hand_over_data(request_id uuid, note text, mail jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_subject(request_id, array['open', 'in_progress']);
  perform private.require_type(request, array['access', 'portability', 'other']);
  insert into private.data_packages (request_id, content)
  values (request.id, public.export_subject_data(request.id))
  -- The mail about an earlier one was not delivered.
  on conflict on constraint data_packages_pkey do update set content = excluded.content, available_until = default;
  perform private.record_request_event(request.id, 'admin', 'handed-over', null);
  perform private.close_request(
    request.id, array['open', 'in_progress'], 'completed', private.require_words(note), mail
  );
end;
$$;

COMMENT ON FUNCTION public.hand_over_data(request_id uuid, note text, mail jsonb) IS 'Completes a request for access or portability (or an other request) as complete_request does, and lets the person download everything held about them, as export_subject_data returns it now. Errors as complete_request; 55000 for another type, 22023 without a note.';

CREATE FUNCTION public.invite_admin(email text, token_hash text, mail jsonb) RETURNS timestamp with time zone
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin_alone();
begin
  return private.send_invitation(actor, lower(btrim(invite_admin.email)), invite_admin.token_hash, mail);
end;
$$;

COMMENT ON FUNCTION public.invite_admin(email text, token_hash text, mail jsonb) IS 'Invites a person to become an admin and queues the mail {subject, body} with the link, given the SHA-256 of its token. Returns when it expires. Replaces an earlier invitation to the address. Raises 42501 for non-admins, 42710 if the person is already an admin, 54000 after 20 invitations in a day, 22023 or 23514 for an invalid mail, address or digest.';

CREATE FUNCTION public.is_admin() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$ select public.admin_standing() = 'admin' $$;

COMMENT ON FUNCTION public.is_admin() IS 'Returns true for an admin with a live session who has used the second factor if one is set up, and has set one up if one is required. False for everyone else.';

CREATE FUNCTION public.keep_restriction(request_id uuid, reason text, mail jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
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

COMMENT ON FUNCTION public.keep_restriction(request_id uuid, reason text, mail jsonb) IS 'Calls off lift_restriction before its day, with a mail {subject, body}. Errors as lift_restriction.';

CREATE FUNCTION public.keep_retention(source text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $_$
declare
  counts jsonb := '{}';
  waits boolean;
  step record;
  result record;
  failed integer;
begin
  -- Concurrent runs wait for each other; the second finds no expired data.
  perform pg_advisory_xact_lock(hashtextextended('keep_retention', 0));

  waits := private.retention_waits();
  insert into private.retention_clock as clock (seen_at) values (now())
  on conflict (is_only) do update
    set seen_at = excluded.seen_at,
      doubted_since = case
        when private.is_jump_since(clock.seen_at) then excluded.seen_at
        when waits then clock.doubted_since
      end;
  if waits then
    return null;
  end if;

  perform set_config('private.erases_log', 'on', true);
  for step in
    select * from (values
      ('submissions', 'public.contact_submissions',
        $due$due.frozen_at is null and due.created_at < now() - private.retention_period('contact_submissions')
          and not private.is_asked_for(due.email)$due$),
      -- An unconfirmed request is deleted only after its requester was written to a second time (GDPR, article 12(4)).
      ('requests', 'public.data_rights_requests',
        $due$due.frozen_at is null and not private.is_asked_for(due.email) and (
          due.closed_at < now() - private.retention_period('closed_requests')
          or (
            due.state = 'unconfirmed' and due.last_reminder = 'unconfirmed'
            and private.start_of_day(due.due_on) < now() - private.retention_period('unconfirmed_requests')
          )
        )$due$),
      ('members', 'public.network_members',
        $due$due.frozen_at is null and not private.is_asked_for(due.email) and (
          (due.state = 'asked' and due.asked_at < now() - private.retention_period('unconfirmed_members'))
          or (due.state = 'declined' and due.decided_at < now() - private.retention_period('declined_members'))
        )$due$),
      -- A letter is kept for the members who got it.
      ('letters', 'public.network_letters',
        $due$due.sent_at is not null and not exists (
          select from private.letter_recipients as recipient where recipient.letter_id = due.id
        )$due$),
      ('records', 'private.network_departures', $due$due.left_at < now() - private.retention_period('records')$due$),
      ('records', 'public.admin_events', $due$due.at < now() - private.retention_period('records')$due$),
      ('records', 'private.erasure_tombstones', $due$due.erased_at < now() - private.retention_period('records')$due$),
      ('records', 'private.retention_runs', $due$due.ran_at < now() - private.retention_period('records')$due$),
      ('mails', 'private.email_outbox',
        $due$(
          coalesce(due.delivered_at, due.gave_up_at) < now() - private.retention_period('mails')
          or (due.forget_when_delivered and due.created_at < now() - private.retention_period('mails') - interval '5 days')
        ) and not private.is_frozen(due) and not private.is_asked_for(due)$due$),
      ('account_events', 'private.account_events', $due$due.at < now() - private.retention_period('account_events')$due$),
      ('receipts', 'private.contact_receipts', $due$due.received_at < now() - private.retention_period('receipts')$due$),
      ('day_counts', 'private.day_counts', $due$due.day < (private.today() - private.retention_period('day_counts'))::date$due$),
      ('', 'private.count_reports', $due$due.received_at < now() - private.retention_period('receipts')$due$),
      -- A copy of data that is counted elsewhere.
      ('', 'private.data_packages', $due$due.available_until < now()$due$),
      ('links', 'private.data_rights_links',
        $due$due.expires_at < now() or due.request_id in (
          select request.id from public.data_rights_requests as request
          where request.frozen_at is null and request.closed_at < now() - private.retention_period('status_links')
        )$due$),
      ('links', 'private.account_links', $due$due.expires_at < now() - interval '1 day'$due$),
      ('links', 'private.answer_links',
        $due$due.submission_id in (
          select submission.id from public.contact_submissions as submission
          where submission.frozen_at is null
            and submission.answered_at < now() - private.retention_period('answered_links')
        )$due$),
      ('links', 'private.link_keys', $due$due.ended_at < now() - private.retention_period('ended_link_keys')$due$),
      -- count_attempt also deletes these, but only when it is called. Skips locked rows, so that this never waits.
      ('', 'private.rate_limits',
        $due$due.key in (select old.key from private.rate_limits as old where old.resets_at <= now() for update skip locked)$due$)
    ) as steps (kind, target, is_due)
  loop
    result := private.apply_to_due(format('delete from %s as due', step.target), step.target::regclass, step.is_due);
    -- Steps without a kind delete no personal data, so only failures are reported.
    if step.kind <> '' or result.refused > 0 then
      counts := private.add_to_counts(counts, coalesce(nullif(step.kind, ''), 'others'), result.done, result.refused);
    end if;
  end loop;
  result := private.remove_ended_members();
  counts := private.add_to_counts(counts, 'members', result.done, result.refused);
  perform set_config('private.erases_log', 'off', true);

  -- Lift restrictions after the deletions, so that released rows are deleted a day later at the earliest.
  failed := private.lift_ended_restrictions();
  if failed > 0 then
    counts := private.add_to_counts(counts, 'restrictions', 0, failed);
  end if;

  -- A member's later wish that was never confirmed.
  result := private.apply_to_due(
    'update public.network_members as due set pending = null, pending_at = null', 'public.network_members',
    $due$due.frozen_at is null and due.pending_at < now() - private.retention_period('unconfirmed_members')
      and not private.is_asked_for(due.email)$due$
  );
  counts := private.add_to_counts(counts, 'wishes', result.done, result.refused);

  -- The sender's IP address. Not of a frozen message, which may only be stored (GDPR, article 18(2)).
  result := private.apply_to_due(
    'update public.contact_submissions as due set ip_address = null', 'public.contact_submissions',
    $due$due.ip_address is not null and due.frozen_at is null
      and due.created_at < now() - private.retention_period('sender_addresses') and not private.is_asked_for(due.email)$due$
  );
  counts := private.add_to_counts(counts, 'sender_addresses', result.done, result.refused);
  counts := private.keep_consent_retention(counts);
  insert into private.retention_runs (source, counts) values (keep_retention.source, counts);
  return counts;
end;
$_$;

COMMENT ON FUNCTION public.keep_retention(source text) IS 'Deletes expired data and returns the counts {submissions, requests, members, wishes, letters, records, mails, account_events, receipts, day_counts, links, sender_addresses, consents, consent_decisions}, plus <kind>_refused for rows that the database refused to delete. Stores the counts with source. Returns null and deletes nothing while private.retention_waits. Safe to repeat. Raises 23514 for a malformed source.';

CREATE FUNCTION public.leave_network(token text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
begin
  if member.id is null then
    return false;
  end if;
  perform set_config('private.erases_log', 'on', true);
  perform private.remove_member(member);
  perform set_config('private.erases_log', 'off', true);
  return true;
end;
$$;

COMMENT ON FUNCTION public.leave_network(token text) IS 'Deletes the membership of this token, with its log, links and mails, and keeps a salted digest of the address. Returns false when the token opens none.';

CREATE FUNCTION public.lift_restriction(request_id uuid, reason text, mail jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_restricted(request_id);
  if request.restriction_ends_on is not null then
    raise exception 'that the restriction ends is announced already' using errcode = '55000';
  end if;
  request.restriction_ends_on := private.today() + private.restriction_notice();
  update public.data_rights_requests as own
  set restriction_ends_on = request.restriction_ends_on
  where private.subject_key(own.email) = private.subject_key(request.email) and own.frozen_at is not null;
  perform private.record_request_event(request.id, 'admin', 'restriction-ending', private.require_words(reason));
  perform private.queue_request_mail(request, 'request-answer', request.email, mail, false);
  return jsonb_build_object('ends_on', request.restriction_ends_on);
end;
$$;

COMMENT ON FUNCTION public.lift_restriction(request_id uuid, reason text, mail jsonb) IS 'Announces, given any frozen request of a person, that the restriction ends. Returns {ends_on}, which fills in {{restriction_ends_on}} in the mail {subject, body}; keep_retention lifts it on that day. Raises 42501 for non-admins, P0002 for an unknown request, 55000 when the data is not restricted or the end is already announced, 22023 without a reason.';

CREATE FUNCTION public.list_correctable_messages(request_id uuid) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_rectification(request_id);
  return (
    select coalesce(jsonb_agg(
      to_jsonb(submission) - array['email', 'ip_address', 'quarantine_reason', 'state', 'frozen_at']
      order by submission.created_at desc, submission.id
    ), '[]')
    from public.contact_submissions as submission
    where private.subject_key(submission.email) = private.subject_key(request.email)
  );
end;
$$;

COMMENT ON FUNCTION public.list_correctable_messages(request_id uuid) IS 'Returns the messages of the person who made this request, newest first, with their correctable fields. Errors as correct_submission.';

CREATE FUNCTION public.list_due_account_mails() RETURNS TABLE(event_id bigint, kind text, at timestamp with time zone, device text, recipient text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
  select event.id, event.kind, event.at, event.device, person.email
  from private.account_events as event
  join auth.users as person on person.id = event.user_id
  where event.is_mail_due and person.email <> ''
  order by random()
  limit 20
$$;

COMMENT ON FUNCTION public.list_due_account_mails() IS 'Returns account events whose owners must be notified, at most twenty: {event_id, kind, at, device, recipient}. Queue each with queue_account_mail.';

CREATE FUNCTION public.list_due_network_mails() RETURNS TABLE(member_id uuid, recipient text, mail text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  if private.retention_waits() then
    return;
  end if;
  return query
    select member.id, member.email, private.due_network_mail(member)
    from public.network_members as member
    where private.due_network_mail(member) is not null
    order by random()
    limit greatest(0, 20 - (
      select count(*) from public.network_members as written
      where greatest(written.reminded_at, written.renewal_asked_at) > now() - interval '1 hour'
    ));
end;
$$;

COMMENT ON FUNCTION public.list_due_network_mails() IS 'Returns members to write to, at most twenty an hour: {member_id, recipient, mail}. mail: reminder (three days after asking, once, if unconfirmed) or renewal (24 months after the last yes). Queue each with queue_network_mail.';

CREATE FUNCTION public.list_due_reminders() RETURNS TABLE(request_id uuid, reminder text, request_type text, recipient text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
  select request.id, due.reminder, request.request_type,
    case when due.reminder in ('unconfirmed', 'package-link') then request.email end
  from public.data_rights_requests as request
  cross join lateral private.due_reminder(request) as due (reminder)
  where due.reminder is not null and (
    request.closed_at is null
    or request.id in (select package.request_id from private.data_packages as package where package.link_wanted_at is not null)
  )
  order by random()
  limit 20
$$;

COMMENT ON FUNCTION public.list_due_reminders() IS 'Returns the reminders that are due now, at most twenty: {request_id, reminder, request_type, recipient}. unconfirmed and package-link go to the requester, at recipient; confirmed, due-in-7-days and due-in-2-days go to the firm. Queue each with queue_reminder.';

CREATE FUNCTION public.list_due_trouble_mails() RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  found_now text[] := private.find_own_troubles();
begin
  insert into private.troubles as known (cause)
  select own.cause from unnest(found_now) as own (cause)
  where not exists (select from private.troubles as present where present.cause = own.cause and present.ended_at is null)
  on conflict (cause) do update set since = now(), seen_at = now(), ended_at = null where known.ended_at is not null;
  update private.troubles as known
  set ended_at = now()
  where known.ended_at is null and private.trouble_source(known.cause) = 'database' and known.cause <> all (found_now);
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'cause', trouble.cause, 'notice', private.due_trouble_mail(trouble), 'since', trouble.since,
      'ended_at', trouble.ended_at
    ) order by trouble.since, trouble.cause), '[]')
    from private.troubles as trouble where private.due_trouble_mail(trouble) is not null
  );
end;
$$;

COMMENT ON FUNCTION public.list_due_trouble_mails() IS 'Records the trouble that the database finds, and returns the mails that are due: [{cause, notice (lasts, ended or happened), since, ended_at}]. Queue each with queue_trouble_mail.';

CREATE FUNCTION public.list_firm_notices(morning date) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
  select jsonb_build_object(
    'answers', (
      select coalesce(jsonb_agg(due.notice), '[]')
      from (
        select jsonb_build_object(
            'notice', private.due_answer_notice(submission), 'refusal', private.find_refusal(submission.id)
          ) || (to_jsonb(submission) - 'ip_address') as notice
        from public.contact_submissions as submission
        where submission.frozen_at is null and submission.quarantine_reason is null
          and submission.state in ('new', 'in_progress')
          and (submission.answer_due_at <= now() + interval '6 hours' or submission.undelivered_at is not null)
          -- No notice follows the late one. due_answer_notice checks this, too, but would be called for years of
          -- messages.
          and submission.answer_notice is distinct from 'late'
          and private.due_answer_notice(submission) is not null
        order by random()
        limit 20
      ) as due
    ),
    'is_digest_due', morning is not null and not exists (select from private.digests as digest where digest.day >= morning),
    'digest', case
      when morning is not null and not exists (select from private.digests as digest where digest.day >= morning)
        then private.describe_digest()
    end
  )
$$;

COMMENT ON FUNCTION public.list_firm_notices(morning date) IS 'Returns the mails to the firm that are due now. answers: at most twenty messages with notice (undelivered, due-soon or late) and refusal, why their last reply was refused; queue each with queue_answer_notice. is_digest_due: whether the digest of that morning is due (morning null: no). digest: {waiting, late, held_back, requests: [{reference, request_type, due_on}], stuck_mails, undelivered: [{kind, reference}], network_confirmed, troubles: [{cause, since}]}, null when nothing waits; settle it with queue_digest.';

CREATE FUNCTION public.list_letters() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'id', letter.id, 'subject', letter.subject, 'saved_at', letter.saved_at, 'sent_at', letter.sent_at,
        'sent_by', coalesce(private.name_person(letter.sent_by), left(letter.sent_by::text, 8)),
        'to_count', letter.to_count
      ) || private.letter_progress(letter) order by letter.sent_at desc nulls first, letter.saved_at desc, letter.id
    ), '[]')
    from public.network_letters as letter
  );
end;
$$;

COMMENT ON FUNCTION public.list_letters() IS 'Returns all letters, drafts first: [{id, subject, state, saved_at, sent_at, sent_by, to_count, queued, delivered, waiting, given_up}]. state: draft, sending, sent or stopped. sent_by: the admin''s name and address. to_count: members chosen at "Send"; waiting: those whose mail is still to come, of which queued are in the outbox; delivered: those who have it; given_up: those whose mailbox refused it. The last four are 0 in a draft. Members who left since count in to_count only. Raises 42501 for non-admins.';

CREATE FUNCTION public.list_marked_by_link() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(
      to_jsonb(submission) - array['frozen_at', 'answer_notice'] order by submission.marked_by_link_at desc, submission.id
    ), '[]')
    from (
      select * from public.contact_submissions as marked
      where marked.marked_by_link_at is not null and marked.frozen_at is null
      order by marked.marked_by_link_at desc, marked.id
      limit 25
    ) as submission
  );
end;
$$;

COMMENT ON FUNCTION public.list_marked_by_link() IS 'Returns the newest 25 messages, as read_inbox shows them, that the link in a mail marked as answered and that no admin has changed since (set_submission_state, send_reply). Raises 42501 for non-admins.';

CREATE FUNCTION public.list_network_members(state text DEFAULT NULL::text, kind text DEFAULT NULL::text, field text DEFAULT NULL::text, page integer DEFAULT 1, page_size integer DEFAULT 25) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  most constant integer := least(greatest(page_size, 1), 100);
begin
  perform private.require_admin();
  return jsonb_build_object(
    'members', (
      select coalesce(jsonb_agg(
        to_jsonb(listed) - array[
          'pending', 'pending_at', 'page_link_at', 'qualification', 'renewed_at', 'consent_text_hash',
          'consent_policy_version', 'reminded_at', 'renewal_asked_at', 'paused_at', 'pause_reason', 'frozen_at', 'version'
        ] || jsonb_build_object('undelivered_at', last_mail.gave_up_at, 'refusal', last_mail.last_error) order by coalesce(listed.confirmed_at, listed.asked_at) desc, listed.id
      ), '[]')
      from (
        select * from private.filter_members(state, kind, field) as member
        order by coalesce(member.confirmed_at, member.asked_at) desc, member.id
        offset (greatest(page, 1)::bigint - 1) * most limit most
      ) as listed
      left join lateral (
        select mail.gave_up_at, mail.last_error from private.email_outbox as mail
        where mail.member_id = listed.id and mail.gave_up_at is not null and not exists (
          select from private.email_outbox as later
          where later.member_id = listed.id and later.created_at > mail.created_at
        )
      ) as last_mail on true
    ),
    'total', (select count(*) from private.filter_members(state, kind, field)),
    'counts', (
      select jsonb_build_object(
        'asked', count(*) filter (where member.state = 'asked'),
        'confirmed', count(*) filter (where member.state = 'confirmed'),
        'admitted', count(*) filter (where member.state = 'admitted'),
        'declined', count(*) filter (where member.state = 'declined'),
        'left', (select count(*) from private.network_departures)
      )
      from private.filter_members(null, null, null) as member
    )
  );
end;
$$;

COMMENT ON FUNCTION public.list_network_members(state text, kind text, field text, page integer, page_size integer) IS 'Returns a page of members, those confirmed last first: {members: [{id, name, email, company, kind, fields, check_size, place, state, asked_at, confirmed_at, decided_at, unsubscribed_at, undelivered_at, refusal}], total, counts: {asked, confirmed, admitted, declined, left}}. state, kind, field: null for all. page: from 1. page_size: 100 at most. undelivered_at: when the newest mail was given up, and refusal why; or null. total: matching members; counts: all. Raises 42501 for non-admins.';

CREATE FUNCTION public.list_reply_snippets() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(to_jsonb(snippet) order by lower(snippet.name), snippet.name), '[]')
    from private.reply_snippets as snippet
  );
end;
$$;

COMMENT ON FUNCTION public.list_reply_snippets() IS 'Returns all saved texts, by name: [{id, name, body, version}]. Raises 42501 for non-admins.';

CREATE FUNCTION public.list_requests(folder text DEFAULT 'active'::text, search text DEFAULT NULL::text, page_cursor text DEFAULT NULL::text) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return private.turn_page('scan_requests', folder, search, page_cursor, 25);
end;
$$;

COMMENT ON FUNCTION public.list_requests(folder text, search text, page_cursor text) IS 'Returns a page of 25 requests as {rows, previous, next}; rows include is_overdue. folder: active (not closed), unconfirmed, open, in_progress, closed, completed, refused, withdrawn, quarantined (marked as suspicious), all, or restricted, whose requests are in no other folder. search: a substring of reference, name, email or description. Errors as read_inbox.';

CREATE FUNCTION public.list_undelivered() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'undelivered', (
      select coalesce(jsonb_agg(private.show_delivery(mail::private.email_outbox) order by mail.gave_up_at desc, mail.id), '[]')
      from (select * from private.find_undelivered() as found order by found.gave_up_at desc, found.id limit 100) as mail
    ),
    'waiting', (
      select coalesce(jsonb_agg(private.show_delivery(mail::private.email_outbox) order by mail.created_at, mail.id), '[]')
      from (
        select * from private.email_outbox as queued
        where queued.delivered_at is null and queued.gave_up_at is null and queued.last_error is not null
          and not private.is_held(queued)
        order by queued.created_at, queued.id limit 100
      ) as mail
    )
  );
end;
$$;

COMMENT ON FUNCTION public.list_undelivered() IS 'Returns the mails that need an admin, at most a hundred of each: {undelivered, waiting: [{id, kind, code, created_at, gave_up_at, submission: {id, name, version}, request: {id, reference, version}, link: {id, purpose, email, version}, member: {id, name}}]}. undelivered: given up, the newest first; mails to members are on their pages instead. waiting: failed and tried again, the oldest first. One of submission, request, link and member is set, or none. Raises 42501 for non-admins.';

CREATE FUNCTION public.mark_answered(token text) RETURNS TABLE(reference text, received_at timestamp with time zone, answered_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_column
declare
  linked uuid := private.find_linked_submission(mark_answered.token);
begin
  update public.contact_submissions
  set state = 'done', answered_at = coalesce(answered_at, now()), marked_by_link_at = now(), undelivered_at = null
  where id = linked and (state <> 'done' or answered_at is null);
  if found then
    -- Null actor: the reader of the mail is not signed in.
    insert into public.admin_events (actor, action, submission_id) values (null, 'submission-answered-by-link', linked);
  end if;
  return query select * from public.find_answer_link(mark_answered.token);
end;
$$;

COMMENT ON FUNCTION public.mark_answered(token text) IS 'Marks the message of this token as done and answered, once, and returns the same columns as find_answer_link; no row for an invalid token.';

CREATE FUNCTION public.newest_migration() RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $_$
begin
  return (
    select max(version collate "C") from supabase_migrations.schema_migrations where version ~ '^[0-9]{14}$'
  );
end;
$_$;

COMMENT ON FUNCTION public.newest_migration() IS 'Returns the version of the newest recorded migration (14 digits), or null when none is recorded. Raises 42P01 when the table of migrations does not exist.';

CREATE FUNCTION public.outbox_status() RETURNS TABLE(waiting bigint, given_up bigint, oldest_waiting timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  if coalesce(auth.role(), '') <> 'service_role' and not public.is_admin() then
    raise exception 'only admins see the state of the mail' using errcode = '42501';
  end if;
  return query select * from private.outbox_status();
end;
$$;

COMMENT ON FUNCTION public.outbox_status() IS 'Returns how much mail waits, how much was given up and still needs an admin, and since when the oldest has been waiting (one row). Raises 42501 unless the caller is an admin or the service role.';

CREATE FUNCTION public.own_account() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  owner uuid := private.require_admin();
  own_session uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  return jsonb_build_object(
    'email', (select person.email from auth.users as person where person.id = owner),
    'name', coalesce((select own.name from private.admin_names as own where own.user_id = owner), ''),
    'signature', private.own_signature(),
    'sessions', (
      select jsonb_agg(
        jsonb_build_object(
          'id', listed.id, 'begun_at', listed.created_at, 'used_at', listed.used_at, 'user_agent', listed.user_agent,
          'is_this', listed.id = own_session
        ) order by listed.id = own_session desc, listed.used_at desc
      )
      from (
        select session.id, session.created_at, session.user_agent,
          -- refreshed_at has no time zone and is in UTC. Renewing its token, about once an hour, counts as use of a
          -- session.
          coalesce(session.refreshed_at at time zone 'UTC', session.created_at) as used_at
        from auth.sessions as session
        where session.user_id = owner and (session.not_after is null or session.not_after > now())
        order by session.id = own_session desc, used_at desc
        limit 50
      ) as listed
    ),
    'events', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', listed.id, 'at', listed.at, 'kind', listed.kind, 'device', listed.device,
          'is_new_device', listed.is_new_device
        ) order by listed.at desc, listed.id desc
      ), '[]')
      from (
        select * from private.account_events as event
        where event.user_id = owner and event.at > now() - private.retention_period('account_events')
        order by event.at desc, event.id desc
        limit 100
      ) as listed
    )
  );
end;
$$;

COMMENT ON FUNCTION public.own_account() IS 'Returns the caller''s account: {email, name, signature, sessions: [{id, begun_at, used_at, user_agent, is_this}], events: [{id, at, kind, device, is_new_device}]}. Name and signature may be empty. Sessions: the caller''s first, then by last use, fifty at most. Events: the newest hundred. Raises 42501 for non-admins.';

CREATE FUNCTION public.preview_erasure(request_id uuid) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_request(request_id, array['open', 'in_progress']);
  perform private.require_type(request, array['erasure', 'object', 'other']);
  return private.count_subject(private.subject_key(request.email))
    || jsonb_build_object('mentions', private.count_mentions(private.subject_key(request.email)));
end;
$$;

COMMENT ON FUNCTION public.preview_erasure(request_id uuid) IS 'Returns the counts of what erase_subject would delete: {submissions, replies, receipts, requests, links, events, memberships, mails}, and mentions: the number of texts by or to other people that contain the address and stay. Errors as erase_subject.';

CREATE FUNCTION public.queue_account_mail(event_id bigint, mail jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  owner uuid;
begin
  -- When two workers run concurrently, the second finds that the mail is no longer due.
  update private.account_events as event
  set is_mail_due = false
  where event.id = queue_account_mail.event_id and event.is_mail_due
  returning event.user_id into owner;
  if not found then
    return false;
  end if;
  insert into private.email_outbox (kind, recipient, subject, body, forget_when_delivered)
  select 'account', person.email, mail ->> 'subject', mail ->> 'body', true
  from auth.users as person
  where person.id = owner;
  return true;
end;
$$;

COMMENT ON FUNCTION public.queue_account_mail(event_id bigint, mail jsonb) IS 'Queues the mail {subject, body} about an event from list_due_account_mails. Returns false if it is no longer due.';

CREATE FUNCTION public.queue_answer_notice(submission_id uuid, notice text, mail jsonb, token_hash text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  submission public.contact_submissions;
begin
  -- When two workers run concurrently, the second finds that the notice is no longer due.
  select * into submission from public.contact_submissions as stored
  where stored.id = queue_answer_notice.submission_id for update;
  if not found or private.due_answer_notice(submission) is distinct from queue_answer_notice.notice then
    return false;
  end if;
  insert into private.answer_links (token_hash, submission_id) values (queue_answer_notice.token_hash, submission.id);
  insert into private.email_outbox (submission_id, kind, reply_to, subject, body)
  values (submission.id, 'firm', mail ->> 'reply_to', mail ->> 'subject', mail ->> 'body');
  update public.contact_submissions as stored
  -- The mail about the refused reply also serves as the late notice.
  set answer_notice = case when submission.answer_due_at <= now() then 'late' else queue_answer_notice.notice end
  where stored.id = submission.id;
  return true;
end;
$$;

COMMENT ON FUNCTION public.queue_answer_notice(submission_id uuid, notice text, mail jsonb, token_hash text) IS 'Queues the mail {subject, body, reply_to} to the firm about a message from list_firm_notices, with the SHA-256 of its link''s token. Returns false if it is no longer due.';

CREATE FUNCTION public.queue_digest(morning date, mail jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  insert into private.digests (day) values (morning) on conflict do nothing;
  if not found then
    return false;
  end if;
  delete from private.digests as digest where digest.day < morning;
  if mail is not null then
    insert into private.email_outbox (kind, subject, body, forget_when_delivered)
    values ('digest', mail ->> 'subject', mail ->> 'body', true);
  end if;
  return true;
end;
$$;

COMMENT ON FUNCTION public.queue_digest(morning date, mail jsonb) IS 'Queues the digest {subject, body} of a morning, once. mail is null when nothing waits. Returns false if that morning is already settled.';

CREATE FUNCTION public.queue_letter_mail(letter_id uuid, member_id uuid, mail jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members;
  letter public.network_letters;
  mail_id uuid;
begin
  perform private.require_mail(mail);
  select * into member from public.network_members as stored where stored.id = queue_letter_mail.member_id for update;
  select * into letter from public.network_letters as stored where stored.id = queue_letter_mail.letter_id for share;
  if letter.stopped_at is not null or private.is_writable(member) is not true then
    return;
  end if;
  update private.letter_recipients as recipient set queued_at = now()
  where recipient.letter_id = letter.id and recipient.member_id = member.id and recipient.queued_at is null
  returning recipient.mail_id into mail_id;
  if not found then
    return;
  end if;
  insert into private.email_outbox (id, member_id, kind, recipient, subject, body, link_to, closing)
  values (
    mail_id, member.id, 'letter', member.email, mail ->> 'subject', mail ->> 'body', 'letter', mail ->> 'closing'
  );
end;
$$;

COMMENT ON FUNCTION public.queue_letter_mail(letter_id uuid, member_id uuid, mail jsonb) IS 'Queues the mail {subject, body, closing} of a row from claim_letter_recipients, once, with the member''s link that stops mail. Does nothing if the letter was stopped, or the member can no longer be written to. Raises 22023 or 23514 for an invalid mail.';

CREATE FUNCTION public.queue_network_mail(member_id uuid, mail_kind text, mail jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members;
begin
  select * into member from public.network_members as stored where stored.id = queue_network_mail.member_id for update;
  -- When two workers run concurrently, the second finds that the mail is no longer due.
  if private.due_network_mail(member) is distinct from queue_network_mail.mail_kind or mail_kind is null then
    return;
  end if;
  update public.network_members as stored
  set reminded_at = case when mail_kind = 'reminder' then now() else stored.reminded_at end,
    renewal_asked_at = case when mail_kind = 'renewal' then now() else stored.renewal_asked_at end
  where stored.id = member.id;
  perform private.count_hit('all:network', interval '1 hour');
  perform private.queue_network_link(member, mail);
  perform private.record_member_event(
    member.id, 'system', case mail_kind when 'reminder' then 'reminded' else 'renewal-asked' end, null
  );
end;
$$;

COMMENT ON FUNCTION public.queue_network_mail(member_id uuid, mail_kind text, mail jsonb) IS 'Queues the mail {subject, body, closing} of a row from list_due_network_mails, with a new link. Does nothing if it is no longer due. Raises 22023, 23502 or 23514 for an invalid mail.';

CREATE FUNCTION public.queue_reminder(request_id uuid, reminder text, mail jsonb, confirm_token_hash text DEFAULT NULL::text, status_token_hash text DEFAULT NULL::text, acknowledgements_per_hour integer DEFAULT NULL::integer, package_token_hash text DEFAULT NULL::text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
begin
  -- When two workers run concurrently, the second finds that the reminder is no longer due.
  select * into request from public.data_rights_requests as stored
  where stored.id = queue_reminder.request_id for update;
  if not found or private.due_reminder(request) is distinct from queue_reminder.reminder then
    return false;
  end if;

  if reminder = 'package-link' then
    delete from private.data_rights_links as link where link.request_id = request.id and link.purpose = 'package';
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    select package_token_hash, request.id, 'package', package.available_until
    from private.data_packages as package where package.request_id = request.id;
    update private.data_packages as package set link_wanted_at = null where package.request_id = request.id;
    perform private.record_request_event(request.id, 'system', 'package-link-sent', null);
    perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false);
    return true;
  end if;

  if reminder = 'unconfirmed' then
    if private.withhold_acknowledgement(
      jsonb_build_array(mail || jsonb_build_object('kind', 'request-acknowledgement', 'recipient', request.email)),
      -- No visitor caused this mail: a client code per request, so that only the limits of the mailbox and of the site
      -- apply.
      jsonb_build_object('client', translate(rtrim(encode(sha256(uuid_send(request.id)), 'base64'), '='), '+/', '-_')),
      acknowledgements_per_hour
    ) is not null then
      update public.data_rights_requests as stored set last_reminder_at = now() where stored.id = request.id;
      return false;
    end if;
    delete from private.data_rights_links as link where link.request_id = request.id;
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    values
      (confirm_token_hash, request.id, 'confirm', private.confirmation_ends_at(request.due_on)),
      (status_token_hash, request.id, 'status', null);
    perform private.record_request_event(request.id, 'system', 'confirmation-resent', null);
    perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false);
  else
    perform private.queue_request_mail(request, 'request-firm', null, mail, false);
  end if;

  update public.data_rights_requests as stored
  set last_reminder = queue_reminder.reminder, last_reminder_at = now()
  where stored.id = request.id;
  return true;
end;
$$;

COMMENT ON FUNCTION public.queue_reminder(request_id uuid, reminder text, mail jsonb, confirm_token_hash text, status_token_hash text, acknowledgements_per_hour integer, package_token_hash text) IS 'Queues a mail {subject, body} from list_due_reminders. Returns false if it is no longer due, or if a limit withholds it for six hours. Links are given by the SHA-256 of their tokens: unconfirmed replaces all links of the request, package-link only its own.';

CREATE FUNCTION public.queue_trouble_mail(cause text, notice text, mail jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  trouble private.troubles;
  queued_id uuid;
begin
  perform private.require_mail(mail);
  -- When two workers run concurrently, the second finds that the mail is no longer due.
  select * into trouble from private.troubles as stored where stored.cause = queue_trouble_mail.cause for update;
  if not found or private.due_trouble_mail(trouble) is distinct from queue_trouble_mail.notice then
    return false;
  end if;
  insert into private.email_outbox (kind, subject, body, forget_when_delivered)
  values ('trouble', mail ->> 'subject', mail ->> 'body', true)
  returning id into queued_id;
  update private.troubles as stored set mailed_at = now(), mail_id = queued_id
  where stored.cause = queue_trouble_mail.cause;
  return true;
end;
$$;

COMMENT ON FUNCTION public.queue_trouble_mail(cause text, notice text, mail jsonb) IS 'Queues the mail {subject, body} to the firm about a cause from list_due_trouble_mails. Returns false if it is no longer due.';

CREATE FUNCTION public.read_day_counts(first_day date, last_day date, by_month boolean) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'times', (
      select coalesce(jsonb_agg(to_jsonb(summed)), '[]') from (
        select to_char(counted.day, case when by_month then 'YYYY-MM' else 'YYYY-MM-DD' end) as time, counted.kind,
          sum(counted.number) as number
        from private.day_counts as counted
        where counted.day between first_day and last_day and counted.kind <> 'network'
        group by 1, 2
        order by 1, 2
      ) as summed
    ),
    'network', (
      select coalesce(jsonb_agg(to_jsonb(summed)), '[]') from (
        select to_char(counted.day, case when by_month then 'YYYY-MM' else 'YYYY-MM-DD' end) as time, counted.name,
          sum(counted.number) as number
        from private.day_counts as counted
        where counted.day between first_day and last_day and counted.kind = 'network'
        group by 1, 2
        order by 1, 2
      ) as summed
    ),
    'names', (
      select coalesce(jsonb_agg(to_jsonb(shown) order by shown.kind, shown.number desc, shown.name), '[]') from (
        select ranked.kind, case
            when ranked.rank <= 100 and (ranked.number >= 3 or ranked.kind not in ('referrer', 'campaign') or ranked.name = '(none)')
              then ranked.name
            else '(other)'
          end as name, sum(ranked.number) as number
        from (
          select counted.kind, counted.name, sum(counted.number) as number,
            row_number() over (partition by counted.kind order by sum(counted.number) desc, counted.name) as rank
          from private.day_counts as counted
          where counted.day between first_day and last_day and counted.kind <> 'network'
          group by counted.kind, counted.name
        ) as ranked
        group by 1, 2
      ) as shown
    )
  );
end;
$$;

COMMENT ON FUNCTION public.read_day_counts(first_day date, last_day date, by_month boolean) IS 'Returns the counts of these days: {times: [{time (YYYY-MM-DD, or YYYY-MM with by_month), kind, number}], names: [{kind, name, number}], network: [{time, name (asked, confirmed or left), number}]}. Names: the top 100 of each kind; referrers and campaigns from 3 arrivals on; the rest as (other). Raises 42501 for non-admins.';

CREATE FUNCTION public.read_inbox(folder text DEFAULT 'all'::text, search text DEFAULT NULL::text, page_cursor text DEFAULT NULL::text) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $_$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'page', private.turn_page('scan_submissions', folder, search, page_cursor, 25),
    'counts', private.count_submissions(),
    'mail', (select to_jsonb(mail) from private.outbox_status() as mail),
    'retention', (
      select jsonb_build_object('ran_at', run.ran_at, 'source', run.source, 'counts', run.counts)
      from private.retention_runs as run
      where not jsonb_path_exists(run.counts, '$.keyvalue() ? (@.key like_regex "_refused$")')
      order by run.ran_at desc limit 1
    ),
    'retention_waits', private.retention_waits(),
    'since', (select min(role.granted_at) from public.user_roles as role),
    'overdue_requests', private.count_overdue_requests(),
    'troubles', private.list_troubles()
  );
end;
$_$;

COMMENT ON FUNCTION public.read_inbox(folder text, search text, page_cursor text) IS 'Returns the inbox as {page, counts, mail, retention, retention_waits, since, overdue_requests, troubles}. page: 25 messages, first those whose reply was not delivered, then late ones, each part newest first, as {rows, previous, next}. folder: waiting (for a reply), all, new, in_progress, done, spam or quarantined (the last two overlap with no other). search: a substring of name, email, company, stage, goal or message. page_cursor: null, or previous or next of an earlier page. counts: the number of messages in each folder, and how many of the waiting ones are late. mail: outbox_status. retention: the last run of keep_retention without failures, or null. retention_waits: private.retention_waits. since: when the first admin got the role. troubles: [{cause, since}], from private.list_troubles. Raises 42501 for non-admins, 22023 for an invalid folder or cursor.';

CREATE FUNCTION public.read_people() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  caller uuid := private.require_admin();
begin
  return jsonb_build_object(
    'version', private.people_version(),
    'admins', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', account.id, 'email', lower(account.email), 'since', user_role.granted_at, 'is_self', account.id = caller,
        -- Prefer the authentication service's log: not every such service keeps token renewals out of last_sign_in_at.
        'last_sign_in', coalesce(
          (
            select max(entry.created_at) from auth.audit_log_entries as entry
            where entry.payload ->> 'action' = 'login' and entry.payload ->> 'actor_id' = account.id::text
          ),
          account.last_sign_in_at
        ),
        'sessions', (
          select count(*) from auth.sessions as session
          where session.user_id = account.id and (session.not_after is null or session.not_after > now())
        ),
        'invitations', (
          select count(*) from private.account_links as link
          where link.invited_by = account.id and link.purpose = 'invitation' and link.expires_at > now()
        ),
        'refusal', (
          select mail.last_error from private.account_links as link
          join private.email_outbox as mail on mail.account_link_id = link.id and mail.gave_up_at is not null
          where link.user_id = account.id order by mail.gave_up_at desc limit 1
        ),
        'events', private.list_events_of(account.id, lower(account.email))
      ) order by user_role.granted_at, account.id), '[]')
      from public.user_roles as user_role join auth.users as account on account.id = user_role.user_id
      where user_role.role = 'admin'
    ),
    'invitations', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', link.id, 'email', link.email, 'made_at', link.made_at, 'expires_at', link.expires_at,
        'undelivered', (
          select jsonb_build_object('id', mail.id, 'code', mail.last_error) from private.email_outbox as mail
          where mail.account_link_id = link.id and mail.gave_up_at is not null
        ),
        'events', private.list_events_of(null, link.email)
      ) order by link.made_at desc), '[]')
      from private.account_links as link
      where link.purpose = 'invitation' and link.expires_at > now()
    ),
    'others', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'email', former.person,
        'events', private.list_events_of(
          (select account.id from auth.users as account where lower(account.email) = former.person), former.person
        )
      ) order by former.newest desc), '[]')
      from (
        select event.person, max(event.id) as newest from public.admin_events as event
        where event.person is not null
          and not exists (
            select from private.account_links as link
            where link.purpose = 'invitation' and link.expires_at > now() and link.email = event.person
          )
          and not exists (
            select from public.user_roles as user_role join auth.users as account on account.id = user_role.user_id
            where user_role.role = 'admin' and lower(account.email) = event.person
          )
        group by event.person order by newest desc limit 50
      ) as former
    )
  );
end;
$$;

COMMENT ON FUNCTION public.read_people() IS 'Returns current, invited and former admins as {version, admins: [{id, email, since, is_self, last_sign_in, sessions, invitations, refusal, events}], invitations: [{id, email, made_at, expires_at, undelivered, events}], others: [{email, events}]}. refusal: why the mail with a link to a new password was not delivered, a code of the outbox, or null. undelivered: {id, code} of an invitation''s mail that was not delivered, or null. An admin''s invitations: the number of open ones they sent. events: the newest 30 as {id, at, action, person, people_count, by}, where by is null for the operator. Raises 42501 for non-admins.';

CREATE FUNCTION public.receive_contact_submission(submission jsonb, fingerprint text, quarantine_reason text, mails jsonb, client_codes jsonb DEFAULT '{}'::jsonb, acknowledgements_per_hour integer DEFAULT NULL::integer, membership jsonb DEFAULT NULL::jsonb) RETURNS TABLE(submission_id uuid, is_new boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_column
declare
  -- The function that composes the mails chooses the id, because they link to the message.
  new_id uuid := coalesce((submission ->> 'id')::uuid, gen_random_uuid());
  stored_id uuid;
  withheld_by text;
  wish text := private.digest((nullif(membership, 'null') - 'mail')::text);
begin
  loop
    -- When twenty identical posts arrive together, one inserts; the others wait here for its transaction and then find
    -- its row.
    insert into private.contact_receipts as receipt (fingerprint, submission_id, wish_digest)
    values (receive_contact_submission.fingerprint, new_id, wish)
    on conflict (fingerprint) do update
      set submission_id = excluded.submission_id, received_at = now(), wish_digest = excluded.wish_digest, wished_at = now()
      where receipt.received_at < now() - interval '24 hours'
    returning receipt.submission_id into stored_id;
    exit when found;

    select receipt.submission_id into stored_id
    from private.contact_receipts as receipt
    where receipt.fingerprint = receive_contact_submission.fingerprint;
    if found then
      -- A person who posts the form again to join has still posted one message. The same wish within ten minutes is a
      -- double click or a reload.
      update private.contact_receipts as receipt set wish_digest = wish, wished_at = now()
      where receipt.fingerprint = receive_contact_submission.fingerprint
        and (receipt.wish_digest is distinct from wish or receipt.wished_at < now() - interval '10 minutes');
      perform private.ask_to_join(
        submission, membership, quarantine_reason is not null, not found, client_codes, acknowledgements_per_hour
      );
      return query select stored_id, false;
      return;
    end if;
    -- The earlier message was erased in the meantime, so this one is new.
  end loop;

  insert into public.contact_submissions
    (id, name, email, company, stage, goal, message, ip_address, quarantine_reason, answer_due_at,
      consented_at, consent_policy_version, consent_text_hash)
  values (
    new_id,
    submission ->> 'name',
    submission ->> 'email',
    submission ->> 'company',
    submission ->> 'stage',
    submission ->> 'goal',
    submission ->> 'message',
    submission ->> 'ip_address',
    receive_contact_submission.quarantine_reason,
    (submission ->> 'answer_due_at')::timestamptz,
    case when (submission ->> 'consented')::boolean then now() end,
    submission ->> 'consent_policy_version',
    submission ->> 'consent_text_hash'
  );

  if receive_contact_submission.quarantine_reason is null then
    withheld_by := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, mail ->> 'kind', mail ->> 'recipient', mail ->> 'reply_to',
      mail ->> 'subject', (mail ->> 'body') || coalesce(mail -> 'if_withheld' ->> withheld_by, '')
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' <> 'acknowledgement' or withheld_by is null;
    insert into private.answer_links (token_hash, submission_id)
    select submission ->> 'answer_token_hash', new_id where submission ? 'answer_token_hash';
  else
    -- A held-back message sends the sender no mail and the firm no "I have answered" link.
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, 'firm', null, mail ->> 'reply_to', mail ->> 'subject', mail ->> 'body'
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' = 'firm' and (mail ->> 'is_of_held')::boolean;
  end if;

  perform private.ask_to_join(
    submission, membership, quarantine_reason is not null, false, client_codes, acknowledgements_per_hour
  );
  return query select new_id, true;
end;
$$;

COMMENT ON FUNCTION public.receive_contact_submission(submission jsonb, fingerprint text, quarantine_reason text, mails jsonb, client_codes jsonb, acknowledgements_per_hour integer, membership jsonb) IS 'Stores a submission once per day and fingerprint, and queues its mails; for a quarantined one, only mails to the firm with is_of_held. Returns its id and whether it is new. mails: [{kind, recipient, reply_to, subject, body, is_of_held, if_withheld}]. if_withheld: {mailbox, client, site}; when the acknowledgement is not sent, the text for the limit reached is appended to the body. client_codes: {client, network}. submission: the texts, id (a new UUID, to which the mails may link), ip_address, consented, consent_policy_version, consent_text_hash, answer_due_at, and answer_token_hash, the SHA-256 of the token with which the firm''s mail opens find_answer_link. All but the texts are optional. membership: null, or the sender''s wish to join the network, as private.ask_to_join takes it. Raises 23514 or 23502 for a text that is too long or missing, 23505 for an id that is taken.';

CREATE FUNCTION public.receive_data_rights_request(request jsonb, confirm_token_hash text, status_token_hash text, quarantine_reason text, mails jsonb, client_codes jsonb DEFAULT '{}'::jsonb, acknowledgements_per_hour integer DEFAULT NULL::integer) RETURNS TABLE(reference text, is_new boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_column
declare
  person text := private.subject_key(receive_data_rights_request.request ->> 'email');
  is_complaint boolean := receive_data_rights_request.request ->> 'request_type' is not distinct from 'complaint';
  stored public.data_rights_requests;
  is_repeat boolean;
  withheld_by text;
  mail jsonb;
begin
  -- Serializes requests for one address, so that the comparison below is exact.
  perform pg_advisory_xact_lock(hashtextextended(person, 0));

  -- A double click, a reload, or a form posted again after Back. This cannot suppress another person's request: the
  -- links went to the same address, and every word is the same. A requester who still waits for the mail to confirm it
  -- gets another.
  select * into stored
  from public.data_rights_requests as earlier
  where private.subject_key(earlier.email) = person
    and earlier.request_type = receive_data_rights_request.request ->> 'request_type'
    and earlier.name = receive_data_rights_request.request ->> 'name'
    and earlier.description = receive_data_rights_request.request ->> 'description'
    and earlier.closed_at is null
    and earlier.received_at > now() - interval '1 day'
  limit 1;
  is_repeat := found;
  if is_repeat and (
    stored.state <> 'unconfirmed'
    or stored.received_at > now() - interval '10 minutes'
    or exists (
      select from public.data_rights_events as event
      where event.request_id = stored.id and event.action = 'confirmation-resent'
        and event.at > now() - interval '10 minutes'
    )
  ) then
    return query select stored.reference, false;
    return;
  end if;

  while not is_repeat loop
    insert into public.data_rights_requests
      (reference, request_type, name, email, description, due_on, quarantine_reason, state, last_reminder, last_reminder_at)
    values (
      private.new_request_reference(),
      receive_data_rights_request.request ->> 'request_type',
      receive_data_rights_request.request ->> 'name',
      receive_data_rights_request.request ->> 'email',
      receive_data_rights_request.request ->> 'description',
      private.data_rights_due_on(private.today()),
      receive_data_rights_request.quarantine_reason,
      case when is_complaint then 'open' else 'unconfirmed' end,
      -- A complaint notifies the firm immediately, so its first reminder counts as sent.
      case when is_complaint then 'confirmed' end,
      case when is_complaint then now() end
    )
    on conflict (reference) do nothing
    returning * into stored;
    exit when found;
  end loop;
  perform private.record_request_event(
    stored.id, 'requester', case when is_repeat then 'confirmation-resent' else 'received' end, null
  );

  withheld_by := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
  if withheld_by is null then
    delete from private.data_rights_links as link where link.request_id = stored.id;
    insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
    select link.hash, stored.id, link.purpose, link.expires_at
    from (
      values
        (confirm_token_hash, 'confirm', private.confirmation_ends_at(stored.due_on)),
        (status_token_hash, 'status', null)
    ) as link (hash, purpose, expires_at)
    where not (is_complaint and link.purpose = 'confirm');
  else
    -- The links are withheld with the mail. An admin may send new ones (resend_confirmation, resend_acknowledgement).
    perform private.record_request_event(stored.id, 'system', 'confirmation-withheld', null);
  end if;
  for mail in select jsonb_array_elements(mails) loop
    continue when mail ->> 'kind' = 'request-acknowledgement' and withheld_by is not null;
    continue when mail ->> 'kind' <> 'request-acknowledgement' and is_repeat;
    perform private.queue_request_mail(
      stored, mail ->> 'kind', mail ->> 'recipient',
      mail || jsonb_build_object('body', (mail ->> 'body') || coalesce(mail -> 'if_withheld' ->> withheld_by, '')), false
    );
  end loop;

  return query select stored.reference, true;
end;
$$;

COMMENT ON FUNCTION public.receive_data_rights_request(request jsonb, confirm_token_hash text, status_token_hash text, quarantine_reason text, mails jsonb, client_codes jsonb, acknowledgements_per_hour integer) IS 'Stores a request and its links (given the SHA-256 of their tokens), and queues its mails. Returns its reference and whether it is new. quarantine_reason: null, or why the request looks suspicious. request: {request_type, name, email, description}. mails: [{kind, recipient, subject, body, if_withheld}], with {{id}}, {{reference}}, {{due_on}} and {{confirm_by}} to be filled in; if_withheld and client_codes as for receive_contact_submission. An identical request within a day counts as one until it is closed; if it is unconfirmed after ten minutes, only its own mail is queued again, with new links. Raises 23514 or 23502 for a text that is too long or missing, 22023 for a mail without subject or body.';

CREATE FUNCTION public.record_consent(session_id text, analytics boolean, marketing boolean, consent_version text, text_hash text, source text, user_agent text, decided_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_column
begin
  -- Rejected here before any read, or below by a CHECK on the input: no error reveals stored data.
  if num_nulls(
    record_consent.session_id, analytics, marketing, record_consent.consent_version, record_consent.text_hash,
    record_consent.source, record_consent.decided_at
  ) > 0 then
    raise exception 'a decision on consent is incomplete' using errcode = '22023';
  end if;
  -- Repeats the table's CHECK, which a repeated decision never reaches.
  if char_length(record_consent.user_agent) > 512 then
    raise exception 'a user agent is too long' using errcode = '22023';
  end if;
  -- Allows for slightly different clocks. A decision older than two years would already be due for deletion
  -- (REQUIREMENTS 10.2).
  if record_consent.decided_at > now() + interval '5 minutes'
    or record_consent.decided_at < now() - interval '2 years' then
    raise exception 'a decision on consent cannot be of that time' using errcode = '22023';
  end if;

  -- Insert into the history first: on conflict this decision is already stored, and no work is left. Among concurrent
  -- duplicates, one inserts and the others wait here for its transaction.
  insert into private.consent_history (
    session_id, analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source, decided_at
  )
  values (
    record_consent.session_id, analytics, marketing, true, record_consent.consent_version, record_consent.text_hash,
    record_consent.source, record_consent.decided_at
  )
  on conflict do nothing;
  if not found then
    return;
  end if;

  insert into public.user_consents as consent (
    session_id, analytics_consent, marketing_consent, functional_consent, user_agent, consent_version, updated_at
  )
  values (
    record_consent.session_id, analytics, marketing, true, record_consent.user_agent, record_consent.consent_version,
    -- Never in the future: a fast clock would shut out the decisions of the next minutes.
    least(record_consent.decided_at, now())
  )
  on conflict (session_id) do update
    set analytics_consent = excluded.analytics_consent,
      marketing_consent = excluded.marketing_consent,
      user_agent = excluded.user_agent,
      consent_version = excluded.consent_version,
      updated_at = excluded.updated_at
    -- The latest decision wins, not the latest arrival. Of two at the same instant the refusal wins, so that the order
    -- of arrival does not matter.
    where (excluded.updated_at, not excluded.analytics_consent, not excluded.marketing_consent)
      >= (consent.updated_at, not consent.analytics_consent, not consent.marketing_consent);
end;
$$;

COMMENT ON FUNCTION public.record_consent(session_id text, analytics boolean, marketing boolean, consent_version text, text_hash text, source text, user_agent text, decided_at timestamp with time zone) IS 'Adds a decision to the history and makes it the session''s record unless a later one is stored. Safe to repeat. user_agent may be null. Returns nothing. Raises 22023 for a missing value, a user agent of more than 512 characters, or a time more than 5 minutes ahead or 2 years back; 23514 for any other malformed value. Stores nothing when it raises.';

CREATE FUNCTION public.record_request_note(request_id uuid, note text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_variable
declare
  words text;
begin
  perform private.require_admin();
  words := private.require_words(note);
  perform private.lock_request(
    request_id, array['unconfirmed', 'open', 'in_progress', 'completed', 'refused', 'withdrawn']
  );
  if exists (
    select from public.data_rights_events as event
    where event.request_id = record_request_note.request_id and event.action = 'noted' and event.note = words
      and event.at > now() - interval '1 day'
  ) then
    return;
  end if;
  perform private.record_request_event(request_id, 'admin', 'noted', words);
end;
$$;

COMMENT ON FUNCTION public.record_request_note(request_id uuid, note text) IS 'Adds a note to the log, in any state. An identical note within a day is stored once.';

CREATE FUNCTION public.record_sign_in(device text, is_new_device boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  own_session uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
begin
  if not exists (
    select from auth.sessions as session where session.id = own_session and session.user_id = auth.uid()
  ) then
    raise exception 'a sign-in is noted in its session' using errcode = '42501';
  end if;
  insert into private.account_events (user_id, kind, session_id, device, is_new_device, is_mail_due)
  values (auth.uid(), 'sign-in', own_session, record_sign_in.device, record_sign_in.is_new_device, record_sign_in.is_new_device)
  on conflict (session_id) do nothing;
end;
$$;

COMMENT ON FUNCTION public.record_sign_in(device text, is_new_device boolean) IS 'Records the sign-in that began the caller''s session, once. is_new_device: this device never signed in to this account before, and the owner is notified by email. Raises 42501 without a session, 23514 or 23502 for a device that is not in words.';

CREATE FUNCTION public.record_wrong_code() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  if not exists (
    select from auth.sessions as session
    where session.id = nullif(auth.jwt() ->> 'session_id', '')::uuid and session.user_id = auth.uid()
  ) then
    raise exception 'a wrong code is noted in its session' using errcode = '42501';
  end if;
  perform private.note_wrong_code(auth.uid());
end;
$$;

COMMENT ON FUNCTION public.record_wrong_code() IS 'Counts a code that the authentication service rejected. After five in 15 minutes the owner is notified by email. Raises 42501 without a session.';

CREATE FUNCTION public.refuse_request(request_id uuid, reason text, mail jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  perform private.close_request(
    request_id, array['unconfirmed', 'open', 'in_progress'], 'refused', private.require_words(reason), mail
  );
end;
$$;

COMMENT ON FUNCTION public.refuse_request(request_id uuid, reason text, mail jsonb) IS 'Moves a request from unconfirmed, open or in_progress to refused.';

CREATE FUNCTION public.release_account_link(token_hash text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
  update private.account_links as link set claimed_at = null where link.token_hash = release_account_link.token_hash
$$;

COMMENT ON FUNCTION public.release_account_link(token_hash text) IS 'Releases a link that claim_account_link claimed.';

CREATE FUNCTION public.remove_admin(user_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin_alone();
begin
  -- Admins cannot remove themselves, so one always remains.
  if remove_admin.user_id = actor then
    raise exception 'nobody removes themselves' using errcode = '55000';
  end if;
  if not exists (
    select from public.user_roles as user_role
    where user_role.user_id = remove_admin.user_id and user_role.role = 'admin'
  ) then
    raise exception 'there is no such admin' using errcode = 'P0002';
  end if;
  perform private.take_admin_role(remove_admin.user_id, actor);
end;
$$;

COMMENT ON FUNCTION public.remove_admin(user_id uuid) IS 'Revokes another admin''s role and ends their sessions; only an invitation restores it. Raises 42501 for non-admins, 55000 for the caller''s own account, P0002 for a user who is not an admin.';

CREATE FUNCTION public.remove_network_member(member_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  member public.network_members := private.lock_member(member_id);
begin
  if private.is_asked_for(member.email) then
    raise exception 'this person has asked for their data' using errcode = '55006';
  end if;
  insert into public.admin_events (actor, action) values (actor, 'member-removed');
  perform set_config('private.erases_log', 'on', true);
  perform private.remove_member(member);
  perform set_config('private.erases_log', 'off', true);
end;
$$;

COMMENT ON FUNCTION public.remove_network_member(member_id uuid) IS 'Removes a member as leave_network does, and logs it in admin_events. Raises 42501 for non-admins, P0002 for an unknown or restricted member, 55006 while the member has an open request for their data.';

CREATE FUNCTION public.report_trouble(causes text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  if exists (select from unnest(causes) as reported (cause) where private.trouble_source(reported.cause) = 'database') then
    raise exception 'the database finds this by itself' using errcode = '22023';
  end if;
  insert into private.troubles as known (cause, ended_at)
  select distinct reported.cause, case when private.trouble_source(reported.cause) = 'event' then now() end
  from unnest(causes) as reported (cause)
  on conflict (cause) do update set
    since = case when known.ended_at is null then known.since else now() end,
    seen_at = now(), ended_at = excluded.ended_at;
  update private.troubles as known
  set ended_at = now()
  where known.ended_at is null and known.seen_at < now() - interval '30 minutes'
    and private.trouble_source(known.cause) = 'site';
end;
$$;

COMMENT ON FUNCTION public.report_trouble(causes text[]) IS 'Records the trouble that a process of the site knows of. causes: all states that last, as often as every half hour, and each event once. Raises 23514 for an unknown cause, 22023 for one that the database finds by itself.';

CREATE FUNCTION public.request_new_password(email text, token_hash text, mail jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  owner uuid;
begin
  -- Serializes concurrent calls, so that the counts below are exact.
  perform pg_advisory_xact_lock(hashtextextended('new-password', 0));
  -- A removed admin can return only by an invitation.
  select account.id into owner from auth.users as account
  where lower(account.email) = lower(btrim(request_new_password.email))
    and coalesce(account.raw_app_meta_data ->> 'admin_revoked', 'false') <> 'true';
  -- Visitors can enter other people's addresses. The limit lasts an hour, not a day: a stranger must not lock the owner
  -- out for long.
  if owner is null or 3 <= (
    select count(*) from private.account_links as link
    where link.user_id = owner and link.made_at > now() - interval '1 hour'
  ) then
    return false;
  end if;
  perform private.queue_link_mail(private.make_new_password_link(owner, request_new_password.token_hash), mail);
  return true;
end;
$$;

COMMENT ON FUNCTION public.request_new_password(email text, token_hash text, mail jsonb) IS 'Creates a link to set a new password, given the SHA-256 of its token, and queues the mail {subject, body} that contains it. Returns false when no account has this address, or after three links in the last hour. Raises 22023 or 23514 for an invalid mail or digest.';

CREATE FUNCTION public.request_package_link(token text) RETURNS TABLE(available_until timestamp with time zone)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
  update private.data_packages as package
  set link_wanted_at = case
    when exists (
      select 1 from public.data_rights_events as event
      where event.request_id = package.request_id and event.action = 'package-link-sent'
        and event.at > now() - interval '10 minutes'
    ) then package.link_wanted_at
    else now()
  end
  where package.request_id = (select private.find_linked_request(token, 'status')) and package.available_until > now()
  returning package.available_until
$$;

COMMENT ON FUNCTION public.request_package_link(token text) IS 'Requests that the data link be emailed to the person, at most once in ten minutes. Returns until when the data is available; no row when there is no data to download.';

CREATE FUNCTION public.require_second_factor(wanted boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  if not wanted then
    delete from private.second_factor_rule where is_required;
  elsif not exists (select from private.second_factor_rule) then
    -- Existing factors become trusted: until now their owners' passwords alone gave full access.
    insert into private.trusted_factors (factor_id, user_id)
    select factor.id, factor.user_id from auth.mfa_factors as factor where factor.status = 'verified'
    on conflict (factor_id) do nothing;
    insert into private.second_factor_rule (is_required) values (true) on conflict (is_required) do nothing;
  end if;
end;
$$;

COMMENT ON FUNCTION public.require_second_factor(wanted boolean) IS 'Sets whether every admin must have a second factor (the setting ADMIN_SECOND_FACTOR).';

CREATE FUNCTION public.resend_acknowledgement(request_id uuid, status_token_hash text, mail jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
begin
  perform private.require_admin();
  request := private.lock_request(request_id, array['open', 'in_progress']);
  perform private.require_type(request, array['complaint']);
  delete from private.data_rights_links as link where link.request_id = request.id;
  insert into private.data_rights_links (token_hash, request_id, purpose, expires_at)
  values (status_token_hash, request.id, 'status', null);
  perform private.record_request_event(request.id, 'admin', 'acknowledgement-resent', null);
  perform private.queue_request_mail(request, 'request-acknowledgement', request.email, mail, false);
end;
$$;

COMMENT ON FUNCTION public.resend_acknowledgement(request_id uuid, status_token_hash text, mail jsonb) IS 'Resends the acknowledgement of a complaint, with a new status link given the SHA-256 of its token. Raises 42501 for non-admins, P0002 for an unknown request, 55000 for a closed one or one of another type.';

CREATE FUNCTION public.resend_answer(request_id uuid, mail_id uuid, address text DEFAULT NULL::text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_variable
declare
  request public.data_rights_requests;
  mail private.email_outbox;
  sent_to text := nullif(btrim(address), '');
  outcome text;
begin
  perform private.require_admin();
  perform from public.data_rights_requests as stored where stored.id = resend_answer.request_id for update;
  select * into mail from private.email_outbox as queued
  where queued.id = mail_id and queued.request_id = resend_answer.request_id and queued.kind = 'request-answer' for update;
  if mail.id is null then
    raise exception 'there is no such mail' using errcode = 'P0002';
  end if;
  if not private.is_resendable(mail) then
    return false;
  end if;
  request := private.lock_request(request_id, array['unconfirmed', 'open', 'in_progress', 'completed', 'refused']);
  if sent_to <> mail.recipient then
    update public.data_rights_requests as stored set mail_to = sent_to where stored.id = request.id;
    update private.email_outbox as queued set recipient = sent_to
    where queued.request_id = request.id and queued.recipient is not null and queued.delivered_at is null;
    perform private.record_request_event(request.id, 'admin', 'address-corrected', null);
  end if;
  perform private.requeue(mail, coalesce(sent_to, mail.recipient));
  perform private.record_request_event(request.id, 'admin', 'answer-resent', null);
  if mail.gave_up_at is null then
    return true;
  end if;

  -- The mail was queued in the transaction that closed the request.
  select case event.action when 'refused' then 'refused' else 'completed' end into outcome
  from public.data_rights_events as event
  where event.request_id = request.id and event.at = mail.created_at and event.action in ('completed', 'refused');
  if exists (
    select from public.data_rights_events as event
    where event.request_id = request.id and event.at = mail.created_at and event.action = 'handed-over'
  ) then
    update private.data_packages as package set available_until = default where package.request_id = request.id;
    if not found then
      raise exception 'the data is no longer kept for download' using errcode = '55000';
    end if;
  end if;
  update public.data_rights_requests as stored
  set state = coalesce(outcome, stored.state), closed_at = case when outcome is not null then now() end, undelivered_at = null
  where stored.id = request.id;
  return true;
end;
$$;

COMMENT ON FUNCTION public.resend_answer(request_id uuid, mail_id uuid, address text) IS 'Sends a reply to a request again that was not delivered, with an address to the corrected one, where later mail about the request goes, too. Closes the request again if this mail had closed it. Returns false and does nothing for a mail that was delivered or is about to be sent. Raises P0002 for an unknown mail, 55000 for a withdrawn request, or one whose data is no longer kept for download, 23514 for an invalid address.';

CREATE FUNCTION public.resend_confirmation(request_id uuid, confirm_token_hash text, status_token_hash text, mail jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
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

COMMENT ON FUNCTION public.resend_confirmation(request_id uuid, confirm_token_hash text, status_token_hash text, mail jsonb) IS 'Resends the confirmation of an unconfirmed request, with new links given the SHA-256 of their tokens.';

CREATE FUNCTION public.resend_invitation(invitation_id uuid, email text, token_hash text, mail jsonb) RETURNS timestamp with time zone
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin_alone();
  address text := lower(btrim(resend_invitation.email));
  invitation private.account_links;
begin
  select * into invitation from private.account_links as link
  where link.id = invitation_id and link.purpose = 'invitation' and link.expires_at > now();
  if not found then
    raise exception 'there is no such invitation' using errcode = 'P0002';
  end if;
  if invitation.email <> address then
    delete from private.account_links as link where link.id = invitation.id;
    insert into public.admin_events (actor, action, person) values (actor, 'invitation-withdrawn', invitation.email);
  end if;
  return private.send_invitation(actor, address, resend_invitation.token_hash, mail);
end;
$$;

COMMENT ON FUNCTION public.resend_invitation(invitation_id uuid, email text, token_hash text, mail jsonb) IS 'Sends an open invitation again with a new link, to its address or to a corrected one, and returns when it expires. Raises P0002 for an unknown or expired invitation; other errors as invite_admin.';

CREATE FUNCTION public.resend_message_mail(submission_id uuid, mail_id uuid, address text DEFAULT NULL::text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions;
  mail private.email_outbox;
  sent_to text := nullif(btrim(address), '');
begin
  perform from public.contact_submissions as stored where stored.id = resend_message_mail.submission_id for update;
  select * into mail from private.email_outbox as queued
  where queued.id = mail_id and queued.submission_id = resend_message_mail.submission_id
    and queued.kind in ('reply', 'acknowledgement') for update;
  if mail.id is null then
    raise exception 'there is no such mail' using errcode = 'P0002';
  end if;
  if not private.is_resendable(mail) then
    return false;
  end if;
  submission := private.lock_answerable(resend_message_mail.submission_id);
  if sent_to is distinct from submission.email and sent_to is not null then
    if not private.is_email_address(sent_to) then
      raise exception 'mail cannot reach this address' using errcode = '23514';
    end if;
    if private.is_asked_for(submission.email) then
      raise exception 'this person has asked for their data' using errcode = '55006';
    end if;
    update public.contact_submissions as stored set email = sent_to where stored.id = submission.id;
    update private.email_outbox as queued set recipient = sent_to
    where queued.submission_id = submission.id and queued.recipient is not null and queued.delivered_at is null;
    insert into public.admin_events (actor, action, submission_id)
    values (actor, 'submission-address-corrected', submission.id);
  end if;
  perform private.requeue(mail, coalesce(sent_to, submission.email));
  if mail.kind = 'reply' then
    update public.contact_submissions as stored
    set state = 'done', undelivered_at = null, marked_by_link_at = null where stored.id = submission.id;
  end if;
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-resent', submission.id);
  return true;
end;
$$;

COMMENT ON FUNCTION public.resend_message_mail(submission_id uuid, mail_id uuid, address text) IS 'Sends a reply or an acknowledgement again that was not delivered, with an address to the corrected one, which replaces the sender''s. A reply makes its message done. Returns false and does nothing for a mail that was delivered or is about to be sent. Raises 42501 for non-admins, P0002 for an unknown message or mail, 55000 for a restricted or held-back message or spam, 55006 while the sender has an open request for their data, PT409 when the caller saw another version, 23514 for an invalid address.';

CREATE FUNCTION public.restore_submission(submission_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  held_back public.contact_submissions := private.lock_submission(submission_id);
begin
  if held_back.quarantine_reason is null then
    raise exception 'this message is not in quarantine' using errcode = '55000';
  end if;
  update public.contact_submissions as submission
  set quarantine_reason = null, state = 'new',
    answer_notice = case when submission.answer_due_at < now() then 'late' end
  where submission.id = restore_submission.submission_id;
  insert into public.admin_events (actor, action, submission_id, replaced)
  values (actor, 'submission-restored', restore_submission.submission_id, private.changeable_state(held_back));
end;
$$;

COMMENT ON FUNCTION public.restore_submission(submission_id uuid) IS 'Takes a message out of quarantine. It becomes new, without any mail.';

CREATE FUNCTION public.restrict_subject(request_id uuid, reason text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  request public.data_rights_requests;
  submissions integer;
  requests integer;
  member_id uuid;
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
  update public.network_members as member
  set frozen_at = now()
  where private.subject_key(member.email) = private.subject_key(request.email) and member.frozen_at is null
  returning member.id into member_id;
  if found then
    perform private.record_member_event(member_id, 'admin', 'restricted', null);
  end if;
  update public.data_rights_requests as own
  set restriction_ends_on = null
  where private.subject_key(own.email) = private.subject_key(request.email);
  perform private.record_request_event(request.id, 'admin', 'restricted', private.require_words(reason));
  return jsonb_build_object('submissions', submissions, 'requests', requests);
end;
$$;

COMMENT ON FUNCTION public.restrict_subject(request_id uuid, reason text) IS 'Freezes all data held under the address of a confirmed request that calls for it. Returns the counts {submissions, requests}. Raises 42501 for non-admins, P0002 for an unknown request, 55000 for one in another state, of another type or already frozen, 22023 without a reason.';

CREATE FUNCTION public.resubscribe_member(token text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members := private.lock_linked_member(token, 'page');
begin
  if member.unsubscribed_at is not null or member.paused_at is not null then
    update public.network_members as stored
    set unsubscribed_at = null, paused_at = null, pause_reason = null
    where stored.id = member.id;
    perform private.record_member_event(member.id, 'member', 'resumed', null);
  end if;
  return member.id is not null;
end;
$$;

COMMENT ON FUNCTION public.resubscribe_member(token text) IS 'Takes unsubscribe_member back, and ends the pause of mail to a mailbox that refused it. Returns false when the token opens no membership.';

CREATE FUNCTION public.review_network_member(member_id uuid, action text, note text, seen_version integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members;
  words text := nullif(btrim(coalesce(note, ''), e' \t\r\n'), '');
begin
  perform private.require_admin();
  member := private.lock_member(member_id);
  if member.state = 'asked' then
    raise exception 'this person has not confirmed the address' using errcode = '55000';
  end if;
  if review_network_member.action is null or review_network_member.action not in ('noted', 'admitted', 'declined') then
    raise exception 'there is no such review' using errcode = '22023';
  end if;
  if words is not null or review_network_member.action = 'noted' then
    words := private.require_words(note);
  end if;
  if review_network_member.action = 'noted' and exists (
    select from public.network_events as event
    where event.member_id = member.id and event.action = 'noted' and event.note = words
      and event.at > now() - interval '1 day'
  ) then
    return;
  end if;
  if seen_version is distinct from member.version then
    raise exception 'this has changed since it was shown' using errcode = 'PT409';
  end if;
  if review_network_member.action <> 'noted' then
    update public.network_members as stored
    set state = review_network_member.action, decided_at = now()
    where stored.id = member.id;
  end if;
  perform private.record_member_event(member.id, 'admin', review_network_member.action, words);
end;
$$;

COMMENT ON FUNCTION public.review_network_member(member_id uuid, action text, note text, seen_version integer) IS 'Logs a review of a confirmed member. action: noted (with a note), admitted or declined (the note is optional). Raises 42501 for non-admins, P0002 for an unknown or restricted member, 55000 for an unconfirmed one, 22023 for another action or a missing or too long note, PT409 when seen_version is not the member''s version.';

CREATE FUNCTION public.save_letter(letter_id uuid, subject text, body text, to_states text[], to_kind text, to_field text, seen_version integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  letter public.network_letters;
begin
  if coalesce(seen_version, 0) = 0 then
    insert into public.network_letters as stored (id, subject, body, to_states, to_kind, to_field, saved_by)
    values (
      letter_id, save_letter.subject, save_letter.body, save_letter.to_states, save_letter.to_kind, save_letter.to_field,
      actor
    )
    on conflict do nothing;
    if found then
      return 1;
    end if;
  end if;
  letter := private.lock_letter(save_letter.letter_id);
  if (letter.subject, letter.body, letter.to_states, letter.to_kind, letter.to_field) is not distinct from
    (save_letter.subject, save_letter.body, save_letter.to_states, save_letter.to_kind, save_letter.to_field)
    and letter.sent_at is null then
    return letter.version;
  end if;
  perform private.lock_letter_draft(save_letter.letter_id, seen_version);
  update public.network_letters as stored
  set subject = save_letter.subject, body = save_letter.body, to_states = save_letter.to_states,
    to_kind = save_letter.to_kind, to_field = save_letter.to_field, saved_by = actor, saved_at = now()
  where stored.id = letter.id
  returning * into letter;
  return letter.version;
end;
$$;

COMMENT ON FUNCTION public.save_letter(letter_id uuid, subject text, body text, to_states text[], to_kind text, to_field text, seen_version integer) IS 'Saves a draft and returns its version. seen_version: 0 or null for a new letter, whose id the caller generates. Raises 42501 for non-admins, P0002 for an unknown letter, 55000 for one that was sent, PT409 when seen_version is not its version, 23514 or 23502 for an invalid value, such as a subject with a line break.';

CREATE FUNCTION public.save_own_name(name text, signature text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  owner uuid := private.require_admin();
begin
  insert into private.admin_names as stored (user_id, name, signature)
  values (owner, btrim(save_own_name.name), rtrim(save_own_name.signature, e' \t\r\n'))
  on conflict (user_id) do update set name = excluded.name, signature = excluded.signature
  where (stored.name, stored.signature) is distinct from (excluded.name, excluded.signature);
  if found then
    insert into public.admin_events (actor, action) values (owner, 'name-changed');
  end if;
end;
$$;

COMMENT ON FUNCTION public.save_own_name(name text, signature text) IS 'Saves the caller''s name, which becomes the sender of their replies, and their signature, which new replies end with; both may be empty. Logs a change. Raises 42501 for non-admins, 23514 or 23502 for a text that is missing, too long or, in the name, has control characters.';

CREATE FUNCTION public.save_reply_draft(submission_id uuid, draft text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions;
  words text := rtrim(draft, e' \t\r\n');
begin
  perform from public.contact_submissions as stored where stored.id = save_reply_draft.submission_id for update;
  if exists (
    select from private.reply_drafts as stored
    where stored.submission_id = save_reply_draft.submission_id and stored.body = words
  ) then
    return;
  end if;
  submission := private.lock_answerable(save_reply_draft.submission_id);
  if char_length(words) > 10000 then
    raise exception 'a draft has at most 10,000 characters' using errcode = '22023';
  end if;
  delete from private.reply_drafts as stored where stored.submission_id = submission.id;
  if coalesce(words, '') ~ '\S' then
    insert into private.reply_drafts (submission_id, saved_by, body) values (submission.id, actor, words);
  end if;
  update public.contact_submissions as stored set version = stored.version + 1 where stored.id = submission.id;
end;
$$;

COMMENT ON FUNCTION public.save_reply_draft(submission_id uuid, draft text) IS 'Saves the draft of a reply, replacing an earlier one; an empty text deletes it. Errors as send_reply.';

CREATE FUNCTION public.save_reply_snippet(snippet_id uuid, name text, body text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  stored private.reply_snippets;
begin
  perform private.require_admin();
  if snippet_id is null then
    insert into private.reply_snippets (name, body) values (save_reply_snippet.name, save_reply_snippet.body);
    return;
  end if;
  select * into stored from private.reply_snippets as snippet where snippet.id = snippet_id for update;
  if not found then
    raise exception 'there is no such text' using errcode = 'P0002';
  end if;
  if stored.name = save_reply_snippet.name and stored.body = save_reply_snippet.body then
    return;
  end if;
  perform private.require_seen(stored.version);
  update private.reply_snippets as snippet
  set name = save_reply_snippet.name, body = save_reply_snippet.body
  where snippet.id = snippet_id;
end;
$$;

COMMENT ON FUNCTION public.save_reply_snippet(snippet_id uuid, name text, body text) IS 'Changes a saved text, or adds one when snippet_id is null. Raises 42501 for non-admins, P0002 for an unknown one, PT409 when the caller saw another version, 23505 for a name that is taken, 23514 or 23502 for a name or text that is empty or too long.';

CREATE FUNCTION public.send_letter(letter_id uuid, expected integer, seen_version integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  letter public.network_letters := private.lock_letter_draft(send_letter.letter_id, seen_version);
  chosen integer;
begin
  if letter.tried_hash is distinct from private.letter_digest(letter) then
    raise exception 'mail this text to yourself first' using errcode = '55000';
  end if;
  insert into private.letter_recipients (letter_id, member_id)
  select letter.id, member.id from public.network_members as member
  where private.is_chosen(member, letter.to_states, letter.to_kind, letter.to_field)
  for key share of member;
  get diagnostics chosen = row_count;
  if chosen = 0 or chosen is distinct from expected then
    raise exception 'another number of members is chosen now' using errcode = 'PT409';
  end if;
  update public.network_letters as stored set sent_at = now(), sent_by = actor, to_count = chosen
  where stored.id = letter.id;
  perform private.log_letter('letter-sent', chosen);
  return chosen;
end;
$$;

COMMENT ON FUNCTION public.send_letter(letter_id uuid, expected integer, seen_version integer) IS 'Sends a draft to all chosen members and returns their number, which is logged. Raises 42501 for non-admins, P0002 for an unknown letter, 55000 for one that was sent or that the caller did not mail to themself as it stands, PT409 when seen_version is not its version, or expected is 0 or not the number of chosen members.';

CREATE FUNCTION public.send_network_link(member_id uuid, mail jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members;
begin
  perform private.require_admin();
  member := private.lock_member(member_id);
  if private.has_recent_link(member.id) then
    raise exception 'a link was sent less than ten minutes ago' using errcode = '55000';
  end if;
  update public.network_members as stored
  set paused_at = null, pause_reason = null, asked_at = case when stored.state = 'asked' then now() else stored.asked_at end
  where stored.id = member.id;
  perform private.queue_network_link(member, mail);
  perform private.record_member_event(member.id, 'admin', 'link-sent', null);
end;
$$;

COMMENT ON FUNCTION public.send_network_link(member_id uuid, mail jsonb) IS 'Queues the mail {subject, body, closing} with a new link, which ends the earlier ones. The seven days of an unconfirmed member begin anew. Raises 42501 for non-admins, P0002 for an unknown or restricted member, 55000 within ten minutes of the last link, 22023 or 23514 for an invalid mail.';

CREATE FUNCTION public.send_reply(submission_id uuid, reply_id uuid, reply text, mail jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions;
  words text := rtrim(reply, e' \t\r\n');
  subject text := mail ->> 'subject';
  quotation text := mail ->> 'quotation';
begin
  -- With the message locked, the second of two identical posts finds the first.
  perform from public.contact_submissions as stored where stored.id = send_reply.submission_id for update;
  if exists (
    select 1 from private.message_replies as sent
    where sent.id = reply_id and sent.submission_id = send_reply.submission_id and sent.body = words
  ) then
    return false;
  end if;
  submission := private.lock_answerable(send_reply.submission_id);
  if reply_id is null or coalesce(words, '') !~ '\S' or char_length(words) > 10000
    or coalesce(btrim(subject), '') = '' or char_length(subject) > 200 or subject ~ '[\r\n]'
    or quotation is null or char_length(quotation) > 30000 then
    raise exception 'a reply needs words, a subject of one line and a quotation' using errcode = '22023';
  end if;

  insert into private.email_outbox (id, submission_id, kind, recipient, sender_name, subject, body, thread)
  values (
    reply_id, submission.id, 'reply', submission.email,
    (select own.name from private.admin_names as own where own.user_id = actor and own.name <> ''),
    -- The acknowledgement's own subject keeps the conversation together even if the firm's name has changed since.
    coalesce(
      (
        select 'Re: ' || queued.subject from private.email_outbox as queued
        where queued.submission_id = submission.id and queued.kind = 'acknowledgement'
        order by queued.created_at limit 1
      ),
      subject
    ),
    words || e'\n\n' || quotation,
    array(
      select earlier.id
      from (
        select queued.id, queued.created_at from private.email_outbox as queued
        where queued.submission_id = submission.id and queued.kind = 'acknowledgement'
        union all
        select sent.id, sent.written_at from private.message_replies as sent where sent.submission_id = submission.id
      ) as earlier
      order by earlier.created_at, earlier.id
    )
  );
  insert into private.message_replies (id, submission_id, written_by, body)
  values (reply_id, submission.id, actor, words);
  delete from private.reply_drafts as draft where draft.submission_id = submission.id;
  update public.contact_submissions as answered
  -- settle_mails sets answered_at when the mail server has taken the reply.
  set state = 'done', marked_by_link_at = null, undelivered_at = null
  where answered.id = submission.id;
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-replied', submission.id);
  return true;
end;
$$;

COMMENT ON FUNCTION public.send_reply(submission_id uuid, reply_id uuid, reply text, mail jsonb) IS 'Stores a reply, queues its mail to the sender in the caller''s name (save_own_name) and marks the message as done, all or nothing. mail: {subject, quotation}; the quotation is appended to the reply, and the subject counts when no acknowledgement is kept. reply_id is new for each form: repeating the same reply returns false and does nothing. Raises 42501 for non-admins, P0002 for an unknown message, 55000 for a restricted or held-back one or spam, PT409 when the caller saw another version, 22023 for text that is missing or too long, 23505 when another reply has that id.';

CREATE FUNCTION public.set_submission_state(submission_id uuid, state text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions;
begin
  select * into submission from public.contact_submissions as stored
  where stored.id = set_submission_state.submission_id for update;
  if submission.state = set_submission_state.state and submission.quarantine_reason is null
    and submission.frozen_at is null and not private.saw(submission.version) then
    return;
  end if;
  if (private.lock_submission(submission_id)).quarantine_reason is not null then
    raise exception 'a message in quarantine is restored first' using errcode = '55000';
  end if;
  if set_submission_state.state is null or set_submission_state.state not in ('new', 'in_progress', 'done', 'spam') then
    raise exception 'there is no such state' using errcode = '22023';
  end if;
  update public.contact_submissions as stored
  set state = set_submission_state.state, marked_by_link_at = null,
    -- Work on the message goes on without the reply being delivered.
    undelivered_at = case when set_submission_state.state in ('new', 'in_progress') then stored.undelivered_at end,
    answered_at = case when set_submission_state.state = 'done' then coalesce(stored.answered_at, now()) end
  where stored.id = set_submission_state.submission_id;
  insert into public.admin_events (actor, action, submission_id, replaced)
  values (
    actor, 'submission-' || set_submission_state.state, set_submission_state.submission_id,
    private.changeable_state(submission)
  );
end;
$$;

COMMENT ON FUNCTION public.set_submission_state(submission_id uuid, state text) IS 'Sets the state: new, in_progress, done (which sets answered_at unless it is set) or spam. Raises 22023 for another state. Raises PT409 only when the caller saw another version and the message is in another state.';

CREATE FUNCTION public.set_time_zone(name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  -- PostgreSQL reads abbreviations as fixed offsets, without daylight saving time.
  if name is null or (name <> 'UTC' and strpos(name, '/') = 0) then
    raise exception 'no name of a time zone' using errcode = '22023';
  end if;
  perform now() at time zone name;
  -- Skip the write: this is called often, and the name rarely changes.
  if name = private.time_zone() then
    return;
  end if;
  insert into private.site_time_zone (name) values (set_time_zone.name)
  on conflict (is_only) do update set name = excluded.name;
end;
$$;

COMMENT ON FUNCTION public.set_time_zone(name text) IS 'Sets the firm''s time zone (the setting TIME_ZONE: an IANA name with an area, or UTC). Every due date is a calendar day in this zone. Raises 22023 for an invalid name.';

CREATE FUNCTION public.settle_mails(attempts jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  last_delivery timestamptz := (select max(mail.delivered_at) from private.email_outbox as mail where mail.delivered_at is not null);
  doubted_codes text[];
  settled private.email_outbox;
begin
  if exists (
    select from jsonb_to_recordset(settle_mails.attempts) as attempt (outcome text)
    where attempt.outcome is null or attempt.outcome not in ('delivered', 'filed', 'retry', 'rejected')
  ) then
    raise exception 'unknown outcome' using errcode = '22023';
  end if;

  -- Lock messages, requests and members before their mails, as admins' functions do.
  perform from public.contact_submissions as submission
  where submission.id in (
    select mail.submission_id from jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid)
    join private.email_outbox as mail on mail.id = attempt.mail_id and mail.kind = 'reply'
  ) order by submission.id for update;
  perform from public.data_rights_requests as request
  where request.id in (
    select mail.request_id from jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid)
    join private.email_outbox as mail on mail.id = attempt.mail_id and mail.kind = 'request-answer'
  ) order by request.id for update;
  perform from public.network_members as member
  where member.id in (
    select mail.member_id from jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid)
    join private.email_outbox as mail on mail.id = attempt.mail_id and mail.kind in ('network', 'letter')
  ) order by member.id for update;
  perform private.lock_letters(settle_mails.attempts);

  -- A server that refuses everybody gives all the same reply.
  doubted_codes := array(
    select coalesce(attempt.error_code, mail.last_error)
    from private.email_outbox as mail
    left join jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid, outcome text, error_code text)
      on attempt.mail_id = mail.id
    where mail.delivered_at is null and coalesce(attempt.error_code, mail.last_error) ~ '^smtp-([a-z]+-)?5'
      and (attempt.mail_id is not null or last_delivery is null
        or coalesce(mail.gave_up_at, mail.created_at) > last_delivery)
      and not exists (
        select from jsonb_to_recordset(settle_mails.attempts) as taken (outcome text)
        where taken.outcome in ('delivered', 'filed')
      )
    group by 1
    having count(distinct private.mailbox_key(coalesce(mail.recipient, ''))) > 1
  );

  for settled in update private.email_outbox as mail
  set leased_until = null,
    last_error = case when attempt.is_sent then null else attempt.error_code end,
    delivered_at = case when attempt.is_sent then now() end,
    gave_up_at = case when attempt.is_given_up then now() end,
    -- 15 s, 30 s, 1 min … 6 h, plus up to 10% jitter so that a recovered server does not get all mail at the same
    -- moment.
    next_attempt_at = now()
      + least(interval '15 seconds' * power(2, least(greatest(mail.attempts - 1, 0), 12)), interval '6 hours')
      * (1 + random() / 10),
    body = case
      when (attempt.is_sent or attempt.is_given_up) and mail.kind in ('firm', 'request-acknowledgement', 'account-link')
      then private.without_tokens(mail.body)
      else mail.body
    end
  from (
    -- If a mail is settled twice, success wins.
    select distinct on (attempt.mail_id) attempt.mail_id, attempt.error_code,
      attempt.outcome in ('delivered', 'filed') as is_sent,
      queued.recipient is not null and (
        (attempt.outcome = 'rejected' and not coalesce(attempt.error_code = any (doubted_codes), false))
        or (
          attempt.outcome in ('retry', 'rejected') and queued.created_at < now() - interval '5 days'
          and (queued.forget_when_delivered or queued.kind in ('acknowledgement', 'request-acknowledgement', 'network', 'letter'))
        )
      ) as is_given_up
    from jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid, outcome text, error_code text)
    join private.email_outbox as queued on queued.id = attempt.mail_id
    order by attempt.mail_id, is_sent desc
  ) as attempt
  where mail.id = attempt.mail_id and mail.delivered_at is null
  returning mail.*
  loop
    if settled.kind = 'reply' then
      perform private.settle_reply(settled);
    elsif settled.kind = 'request-answer' and settled.gave_up_at is not null then
      perform private.reopen_request(settled);
    elsif settled.kind = 'letter' then
      perform private.settle_letter(settled);
    end if;
  end loop;

  -- A mail that expired unsent tells nothing about the mailbox.
  perform private.pause_member(mail.member_id, attempt.error_code)
  from jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid, outcome text, error_code text)
  join private.email_outbox as mail on mail.id = attempt.mail_id
  where mail.kind in ('network', 'letter') and mail.gave_up_at is not null and attempt.outcome = 'rejected'
    and not coalesce(attempt.error_code = any (doubted_codes), false);

  delete from private.email_outbox as mail
  using jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid, outcome text)
  where mail.id = attempt.mail_id
    and mail.forget_when_delivered
    and attempt.outcome <> 'filed'
    and (mail.delivered_at is not null or mail.gave_up_at is not null);
end;
$$;

COMMENT ON FUNCTION public.settle_mails(attempts jsonb) IS 'Settles several attempts, all or none: [{mail_id, outcome, error_code}]. outcome: delivered, filed (written to a file, so the row must stay), retry (after a growing delay) or rejected: the mailbox refused it, which ends the attempts unless the server may refuse everybody. A reply that was handed over answers its message; one that was given up reopens its message or request, or pauses its member. A mail that is already delivered stays delivered. Raises 22023 for another outcome.';

CREATE FUNCTION public.stop_letter(letter_id uuid) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  letter public.network_letters;
  is_under_way boolean;
  delivered integer;
begin
  perform private.require_admin();
  letter := private.lock_letter(stop_letter.letter_id);
  if letter.sent_at is null then
    raise exception 'this letter was not sent' using errcode = '55000';
  end if;
  is_under_way := letter.stopped_at is null and (private.letter_progress(letter) ->> 'waiting')::integer > 0;
  with dropped as (
    delete from private.email_outbox as mail
    using private.letter_recipients as recipient
    where recipient.letter_id = letter.id and recipient.mail_id = mail.id
      and mail.delivered_at is null and mail.gave_up_at is null
      and (mail.leased_until is null or mail.leased_until <= now())
    returning mail.id
  )
  delete from private.letter_recipients as recipient
  where recipient.letter_id = letter.id
    and (recipient.queued_at is null or recipient.mail_id in (select dropped.id from dropped));
  select count(*) into delivered
  from private.letter_recipients as recipient
  left join private.email_outbox as mail on mail.id = recipient.mail_id
  where recipient.letter_id = letter.id
    and (recipient.delivered_at is not null or (mail.id is not null and mail.gave_up_at is null));
  if is_under_way then
    update public.network_letters as stored set stopped_at = now() where stored.id = letter.id;
    perform private.log_letter('letter-stopped', delivered);
  end if;
  return delivered;
end;
$$;

COMMENT ON FUNCTION public.stop_letter(letter_id uuid) IS 'Stops a letter: members whose mail is not under way yet get none. Returns the number of members who have it, or whose mail is under way. Changes nothing when all mails went out. Raises 42501 for non-admins, P0002 for an unknown letter, 55000 for a draft.';

CREATE FUNCTION public.take_up_request(request_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  perform private.require_admin();
  perform private.lock_request(request_id, array['open']);
  update public.data_rights_requests as request set state = 'in_progress' where request.id = take_up_request.request_id;
  perform private.record_request_event(request_id, 'admin', 'taken-up', null);
end;
$$;

COMMENT ON FUNCTION public.take_up_request(request_id uuid) IS 'Moves a request from open to in_progress.';

CREATE FUNCTION public.try_letter(letter_id uuid, mail jsonb, seen_version integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  letter public.network_letters := private.lock_letter_draft(try_letter.letter_id, seen_version);
begin
  if letter.subject = '' or letter.body !~ '\S' then
    raise exception 'a letter needs a subject and a text' using errcode = '22023';
  end if;
  perform private.require_mail(mail);
  insert into private.email_outbox (kind, recipient, subject, body, forget_when_delivered)
  select 'letter-trial', person.email, mail ->> 'subject', mail ->> 'body', true
  from auth.users as person where person.id = actor;
  update public.network_letters as stored set tried_hash = private.letter_digest(letter) where stored.id = letter.id;
  perform private.log_letter('letter-tried');
end;
$$;

COMMENT ON FUNCTION public.try_letter(letter_id uuid, mail jsonb, seen_version integer) IS 'Queues the mail {subject, body} of a draft to the caller. Raises 42501 for non-admins, P0002 for an unknown letter, 55000 for one that was sent, PT409 when seen_version is not its version, 22023 for a letter or mail without subject or text.';

CREATE FUNCTION public.undo_submission_change(submission_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin();
  submission public.contact_submissions;
  last public.admin_events;
begin
  select * into submission from public.contact_submissions as stored
  where stored.id = undo_submission_change.submission_id for update;
  select * into last from public.admin_events as event
  where event.submission_id = undo_submission_change.submission_id order by event.id desc limit 1;
  if last.action = 'submission-undone' and submission.frozen_at is null and not private.saw(submission.version) then
    return;
  end if;
  submission := private.lock_submission(undo_submission_change.submission_id);
  if last.replaced is null then
    raise exception 'the last change of this message cannot be undone' using errcode = '55000';
  end if;
  submission := jsonb_populate_record(submission, last.replaced);
  update public.contact_submissions as stored
  set state = submission.state, quarantine_reason = submission.quarantine_reason, answered_at = submission.answered_at,
    answer_notice = submission.answer_notice, marked_by_link_at = submission.marked_by_link_at
  where stored.id = submission.id;
  -- Apart from the state, whose trigger starts a new wait.
  update public.contact_submissions as stored set waiting_since = submission.waiting_since where stored.id = submission.id;
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-undone', submission.id);
end;
$$;

COMMENT ON FUNCTION public.undo_submission_change(submission_id uuid) IS 'Restores the state that the last logged change of a message replaced: set_submission_state or restore_submission. Raises 55000 after any other change.';

CREATE FUNCTION public.unsubscribe_member(token text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  member public.network_members := private.lock_linked_member(token, 'letter');
begin
  if member.id is not null and member.unsubscribed_at is null then
    update public.network_members as stored set unsubscribed_at = now() where stored.id = member.id;
    perform private.record_member_event(member.id, 'member', 'unsubscribed', null);
  end if;
  return member.id is not null;
end;
$$;

COMMENT ON FUNCTION public.unsubscribe_member(token text) IS 'Stops all mail to the member whose letter contains this token, at once. The membership is deleted seven days later. Returns false when the token opens none; the caller must not reveal it to a mail program.';

CREATE FUNCTION public.use_recovery_code(person uuid, code_digest text, own_session uuid) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  if not private.count_second_factor_attempt(person, own_session) then
    return 'wait';
  end if;
  delete from private.recovery_codes where user_id = person and digest = code_digest;
  if not found then
    perform private.note_wrong_code(person);
    return 'wrong';
  end if;
  perform set_config('private.uses_recovery_code', 'on', true);
  perform private.remove_second_factor(person, own_session);
  perform set_config('private.uses_recovery_code', 'off', true);
  perform private.note_account_event(person, 'recovery-code');
  perform private.permit_factor(person, own_session);
  delete from private.second_factor_attempts where user_id = person and session_id = own_session;
  return 'right';
end;
$$;

COMMENT ON FUNCTION public.use_recovery_code(person uuid, code_digest text, own_session uuid) IS 'Uses a recovery code. right: the code is used up, the person''s second factor is removed, all their sessions except own_session have ended, and own_session may enroll a factor for 15 minutes. wrong: not one of their codes. wait: five attempts in 15 minutes in this session.';

CREATE FUNCTION public.use_setup_code(person uuid, code_digest text, own_session uuid) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
begin
  if not private.count_second_factor_attempt(person, own_session) then
    return 'wait';
  end if;
  if exists (select from auth.mfa_factors where user_id = person and status = 'verified') then
    return 'has-factor';
  end if;
  if not exists (select from public.user_roles where user_id = person and role = 'admin') then
    return 'wrong';
  end if;
  delete from private.setup_codes as code
  where code.user_id = person and code.digest = code_digest and code.expires_at > now();
  if not found then
    perform private.note_wrong_code(person);
    return 'wrong';
  end if;
  -- A thief who has the password may have begun to enroll a factor, or have an open session.
  delete from auth.mfa_factors where user_id = person and status <> 'verified';
  delete from auth.sessions where user_id = person and id is distinct from own_session;
  perform private.permit_factor(person, own_session);
  delete from private.second_factor_attempts where user_id = person and session_id = own_session;
  return 'right';
end;
$$;

COMMENT ON FUNCTION public.use_setup_code(person uuid, code_digest text, own_session uuid) IS 'Uses a setup code. right: the code is used up, all the person''s sessions except own_session have ended, and own_session may enroll a trusted factor for 15 minutes. has-factor: the person already has a factor, which a setup code never removes. wrong and wait: as for use_recovery_code.';

CREATE FUNCTION public.withdraw_data_rights_request(token text) RETURNS TABLE(reference text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
#variable_conflict use_column
declare
  request public.data_rights_requests;
begin
  select * into request
  from public.data_rights_requests
  where id = (select private.find_linked_request(withdraw_data_rights_request.token, 'status')) and closed_at is null
  for update;
  if not found then
    return;
  end if;
  update public.data_rights_requests set state = 'withdrawn', closed_at = now() where id = request.id;
  perform private.record_request_event(request.id, 'requester', 'withdrawn', null);
  return query select request.reference;
end;
$$;

COMMENT ON FUNCTION public.withdraw_data_rights_request(token text) IS 'Closes the request of this token as withdrawn by the requester; no row if it is unknown or already closed.';

CREATE FUNCTION public.withdraw_invitation(invitation_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
declare
  actor uuid := private.require_admin_alone();
  address text;
begin
  delete from private.account_links as link
  where link.id = invitation_id and link.purpose = 'invitation'
  returning link.email into address;
  if address is null then
    raise exception 'there is no such invitation' using errcode = 'P0002';
  end if;
  insert into public.admin_events (actor, action, person) values (actor, 'invitation-withdrawn', address);
end;
$$;

COMMENT ON FUNCTION public.withdraw_invitation(invitation_id uuid) IS 'Withdraws an invitation, even if its mail has not been sent. Raises 42501 for non-admins, P0002 for an unknown invitation.';

CREATE TABLE private.account_events (
    id bigint NOT NULL,
    user_id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    kind text NOT NULL,
    is_mail_due boolean NOT NULL,
    session_id uuid,
    device text,
    is_new_device boolean,
    CONSTRAINT account_events_device_check CHECK ((device ~ '^[A-Za-z ]{1,60}$'::text)),
    CONSTRAINT account_events_kind_check CHECK ((kind = ANY (ARRAY['password-changed'::text, 'sign-in'::text, 'factor-on'::text, 'factor-off'::text, 'recovery-code'::text, 'wrong-codes'::text]))),
    CONSTRAINT account_events_sign_in_check CHECK ((num_nonnulls(session_id, device, is_new_device) =
CASE
    WHEN (kind = 'sign-in'::text) THEN 3
    ELSE 0
END))
);

ALTER TABLE private.account_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME private.account_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE private.admin_names (
    user_id uuid NOT NULL,
    role text DEFAULT 'admin'::text NOT NULL,
    name text NOT NULL,
    signature text NOT NULL,
    CONSTRAINT admin_names_name_check CHECK (((char_length(name) <= 100) AND (name !~ '[[:cntrl:]]'::text))),
    CONSTRAINT admin_names_role_check CHECK ((role = 'admin'::text)),
    CONSTRAINT admin_names_signature_check CHECK ((char_length(signature) <= 500))
);

CREATE TABLE private.answer_links (
    token_hash text NOT NULL,
    submission_id uuid NOT NULL,
    CONSTRAINT answer_links_token_hash_check CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE private.consent_history (
    session_id text NOT NULL,
    analytics_consent boolean NOT NULL,
    marketing_consent boolean NOT NULL,
    functional_consent boolean NOT NULL,
    consent_version text NOT NULL,
    text_hash text NOT NULL,
    source text NOT NULL,
    decided_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT consent_history_check CHECK (((source <> 'signal'::text) OR (NOT (analytics_consent OR marketing_consent)))),
    CONSTRAINT consent_history_consent_version_check CHECK ((consent_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'::text)),
    CONSTRAINT consent_history_functional_consent_check CHECK (functional_consent),
    CONSTRAINT consent_history_session_id_check CHECK ((session_id ~ '^[A-Za-z0-9_-]{32,128}$'::text)),
    CONSTRAINT consent_history_source_check CHECK ((source = ANY (ARRAY['banner'::text, 'dialog'::text, 'signal'::text]))),
    CONSTRAINT consent_history_text_hash_check CHECK ((text_hash ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE private.contact_receipts (
    fingerprint text NOT NULL,
    submission_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    wish_digest text,
    wished_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT contact_receipts_fingerprint_check CHECK (((char_length(fingerprint) >= 32) AND (char_length(fingerprint) <= 128)))
);

CREATE TABLE private.count_reports (
    id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE private.data_packages (
    request_id uuid NOT NULL,
    content jsonb NOT NULL,
    available_until timestamp with time zone DEFAULT (now() + '7 days'::interval) NOT NULL,
    link_wanted_at timestamp with time zone
);

CREATE TABLE private.data_rights_links (
    token_hash text NOT NULL,
    request_id uuid NOT NULL,
    purpose text NOT NULL,
    expires_at timestamp with time zone,
    used_at timestamp with time zone,
    CONSTRAINT data_rights_links_check CHECK (((purpose = 'status'::text) = (expires_at IS NULL))),
    CONSTRAINT data_rights_links_purpose_check CHECK ((purpose = ANY (ARRAY['confirm'::text, 'status'::text, 'package'::text]))),
    CONSTRAINT data_rights_links_token_hash_check CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE private.day_counts (
    day date NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    number bigint NOT NULL,
    CONSTRAINT day_counts_kind_check CHECK ((kind = ANY (ARRAY['view'::text, 'robot'::text, 'prefetch'::text, 'referrer'::text, 'campaign'::text, 'message'::text, 'banner'::text, 'network'::text]))),
    CONSTRAINT day_counts_name_check CHECK ((name ~ '^(\(other\)|\(none\)|[a-z0-9/][a-z0-9/._-]{0,63})$'::text)),
    CONSTRAINT day_counts_number_check CHECK ((number > 0))
);

CREATE TABLE private.digests (
    day date NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE private.erasure_tombstones (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    reference text NOT NULL,
    email_hash text NOT NULL,
    counts jsonb NOT NULL,
    erased_at timestamp with time zone DEFAULT now() NOT NULL,
    erased_by uuid NOT NULL,
    elsewhere text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT erasure_tombstones_elsewhere_check CHECK (private.is_choice(elsewhere, ARRAY['mailbox'::text, 'exports'::text, 'advisers'::text, 'google'::text])),
    CONSTRAINT erasure_tombstones_email_hash_check CHECK ((email_hash ~ '^[0-9a-f]{96}$'::text))
);

CREATE TABLE private.factor_permits (
    session_id uuid NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    is_session_new boolean DEFAULT false NOT NULL
);

CREATE TABLE private.letter_recipients (
    letter_id uuid NOT NULL,
    member_id uuid NOT NULL,
    mail_id uuid DEFAULT gen_random_uuid() NOT NULL,
    queued_at timestamp with time zone,
    delivered_at timestamp with time zone
);

CREATE TABLE private.link_keys (
    reference text DEFAULT ('LK-'::text || substr(private.new_request_reference(), 4)) NOT NULL,
    secret bytea DEFAULT sha256((uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))) NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT link_keys_reference_check CHECK ((reference ~ '^LK-'::text)),
    CONSTRAINT link_keys_secret_check CHECK ((octet_length(secret) = 32))
);

CREATE TABLE private.message_replies (
    id uuid NOT NULL,
    submission_id uuid NOT NULL,
    written_by uuid NOT NULL,
    written_at timestamp with time zone DEFAULT now() NOT NULL,
    body text NOT NULL,
    CONSTRAINT message_replies_body_check CHECK (((char_length(body) >= 1) AND (char_length(body) <= 10000)))
);

CREATE TABLE private.network_departures (
    reference text DEFAULT ('NW-'::text || substr(private.new_request_reference(), 4)) NOT NULL,
    email_hash text NOT NULL,
    left_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT network_departures_email_hash_check CHECK ((email_hash ~ '^[0-9a-f]{96}$'::text)),
    CONSTRAINT network_departures_reference_check CHECK ((reference ~ '^NW-'::text))
);

CREATE UNLOGGED TABLE private.rate_limits (
    key text NOT NULL,
    hits integer NOT NULL,
    resets_at timestamp with time zone NOT NULL,
    CONSTRAINT rate_limits_hits_check CHECK ((hits <= 1000000)),
    CONSTRAINT rate_limits_key_check CHECK ((key ~ '^([A-Za-z0-9_-]{43}|(no-client|unsigned|all):[a-z-]{1,40})$'::text))
);

CREATE TABLE private.recovery_codes (
    user_id uuid NOT NULL,
    digest text NOT NULL,
    CONSTRAINT recovery_codes_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE private.reply_drafts (
    submission_id uuid NOT NULL,
    saved_by uuid NOT NULL,
    saved_at timestamp with time zone DEFAULT now() NOT NULL,
    body text NOT NULL,
    CONSTRAINT reply_drafts_body_check CHECK (((char_length(body) >= 1) AND (char_length(body) <= 10000)))
);

CREATE TABLE private.reply_snippets (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    body text NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    CONSTRAINT reply_snippets_body_check CHECK (((char_length(body) >= 1) AND (char_length(body) <= 5000))),
    CONSTRAINT reply_snippets_name_check CHECK ((((char_length(name) >= 1) AND (char_length(name) <= 80)) AND (name !~ '[\r\n]'::text)))
);

CREATE TABLE private.retention_clock (
    is_only boolean DEFAULT true NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    doubted_since timestamp with time zone,
    CONSTRAINT retention_clock_is_only_check CHECK (is_only)
);

CREATE TABLE private.retention_runs (
    ran_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    source text NOT NULL,
    counts jsonb NOT NULL,
    CONSTRAINT retention_runs_source_check CHECK ((source ~ '^[a-z0-9_-]{1,40}$'::text))
);

CREATE TABLE private.second_factor_attempts (
    user_id uuid NOT NULL,
    attempted_at timestamp with time zone DEFAULT now() NOT NULL,
    session_id uuid
);

CREATE TABLE private.second_factor_rule (
    is_required boolean DEFAULT true NOT NULL,
    CONSTRAINT second_factor_rule_is_required_check CHECK (is_required)
);

CREATE TABLE private.setup_codes (
    user_id uuid NOT NULL,
    digest text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT setup_codes_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE private.site_time_zone (
    is_only boolean DEFAULT true NOT NULL,
    name text NOT NULL,
    CONSTRAINT site_time_zone_is_only_check CHECK (is_only)
);

CREATE TABLE private.submission_search (
    submission_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    words text NOT NULL
)
WITH (toast_tuple_target='8160');

CREATE TABLE private.trusted_factors (
    factor_id uuid NOT NULL,
    user_id uuid NOT NULL,
    trusted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE private.wrong_codes (
    user_id uuid NOT NULL,
    entered_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.admin_events (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor uuid,
    action text NOT NULL,
    submission_id uuid,
    replaced jsonb,
    person text,
    people_count integer,
    CONSTRAINT admin_events_action_check CHECK ((action ~ '^[a-z_-]{1,40}$'::text)),
    CONSTRAINT admin_events_person_check CHECK ((char_length(person) <= 255))
);

ALTER TABLE public.admin_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.admin_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.data_rights_events (
    id bigint NOT NULL,
    request_id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor_kind text NOT NULL,
    actor uuid,
    action text NOT NULL,
    note text,
    CONSTRAINT data_rights_events_action_check CHECK ((action = ANY (ARRAY['received'::text, 'entered'::text, 'confirmation-withheld'::text, 'confirmed'::text, 'confirmation-resent'::text, 'acknowledgement-resent'::text, 'taken-up'::text, 'noted'::text, 'extended'::text, 'exported'::text, 'corrected'::text, 'restricted'::text, 'restriction-ending'::text, 'restriction-kept'::text, 'restriction-lifted'::text, 'handed-over'::text, 'package-link-sent'::text, 'fetched'::text, 'completed'::text, 'refused'::text, 'withdrawn'::text, 'undelivered'::text, 'address-corrected'::text, 'answer-resent'::text]))),
    CONSTRAINT data_rights_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['requester'::text, 'admin'::text, 'system'::text]))),
    CONSTRAINT data_rights_events_check CHECK (((actor_kind = 'admin'::text) = (actor IS NOT NULL))),
    CONSTRAINT data_rights_events_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 2000)))
);

ALTER TABLE public.data_rights_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.data_rights_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.network_events (
    id bigint NOT NULL,
    member_id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor_kind text NOT NULL,
    actor uuid,
    action text NOT NULL,
    note text,
    CONSTRAINT network_events_action_check CHECK ((action = ANY (ARRAY['asked'::text, 'asked-again'::text, 'confirmed'::text, 'changed'::text, 'change-discarded'::text, 'reminded'::text, 'renewal-asked'::text, 'renewed'::text, 'noted'::text, 'admitted'::text, 'declined'::text, 'link-sent'::text, 'paused'::text, 'unsubscribed'::text, 'resumed'::text, 'corrected'::text, 'restricted'::text, 'restriction-lifted'::text, 'links-ended'::text]))),
    CONSTRAINT network_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['member'::text, 'admin'::text, 'system'::text]))),
    CONSTRAINT network_events_check CHECK (((actor_kind = 'admin'::text) = (actor IS NOT NULL))),
    CONSTRAINT network_events_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 2000)))
);

ALTER TABLE public.network_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.network_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.user_consents (
    session_id text NOT NULL,
    analytics_consent boolean NOT NULL,
    marketing_consent boolean NOT NULL,
    functional_consent boolean NOT NULL,
    user_agent text,
    consent_version text NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT user_consents_consent_version_check CHECK ((consent_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'::text)),
    CONSTRAINT user_consents_functional_consent_check CHECK (functional_consent),
    CONSTRAINT user_consents_session_id_check CHECK ((session_id ~ '^[A-Za-z0-9_-]{32,128}$'::text)),
    CONSTRAINT user_consents_user_agent_check CHECK ((char_length(user_agent) <= 512))
);

CREATE TABLE public.user_roles (
    user_id uuid NOT NULL,
    role text NOT NULL,
    granted_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT user_roles_role_check CHECK ((role = 'admin'::text))
);

ALTER TABLE ONLY private.account_events
    ADD CONSTRAINT account_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY private.account_events
    ADD CONSTRAINT account_events_session_id_key UNIQUE (session_id);

ALTER TABLE ONLY private.account_links
    ADD CONSTRAINT account_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY private.account_links
    ADD CONSTRAINT account_links_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY private.admin_names
    ADD CONSTRAINT admin_names_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY private.answer_links
    ADD CONSTRAINT answer_links_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY private.consent_history
    ADD CONSTRAINT consent_history_pkey PRIMARY KEY (session_id, decided_at, analytics_consent, marketing_consent, consent_version, text_hash, source);

ALTER TABLE ONLY private.contact_receipts
    ADD CONSTRAINT contact_receipts_pkey PRIMARY KEY (fingerprint);

ALTER TABLE ONLY private.count_reports
    ADD CONSTRAINT count_reports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY private.data_packages
    ADD CONSTRAINT data_packages_pkey PRIMARY KEY (request_id);

ALTER TABLE ONLY private.data_rights_links
    ADD CONSTRAINT data_rights_links_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY private.data_rights_links
    ADD CONSTRAINT data_rights_links_request_id_purpose_key UNIQUE (request_id, purpose);

ALTER TABLE ONLY private.day_counts
    ADD CONSTRAINT day_counts_pkey PRIMARY KEY (day, kind, name);

ALTER TABLE ONLY private.digests
    ADD CONSTRAINT digests_pkey PRIMARY KEY (day);

ALTER TABLE ONLY private.email_outbox
    ADD CONSTRAINT email_outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY private.erasure_tombstones
    ADD CONSTRAINT erasure_tombstones_pkey PRIMARY KEY (id);

ALTER TABLE ONLY private.factor_permits
    ADD CONSTRAINT factor_permits_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY private.letter_recipients
    ADD CONSTRAINT letter_recipients_mail_id_key UNIQUE (mail_id);

ALTER TABLE ONLY private.letter_recipients
    ADD CONSTRAINT letter_recipients_pkey PRIMARY KEY (letter_id, member_id);

ALTER TABLE ONLY private.link_keys
    ADD CONSTRAINT link_keys_pkey PRIMARY KEY (reference);

ALTER TABLE ONLY private.message_replies
    ADD CONSTRAINT message_replies_pkey PRIMARY KEY (id);

ALTER TABLE ONLY private.network_departures
    ADD CONSTRAINT network_departures_pkey PRIMARY KEY (reference);

ALTER TABLE ONLY private.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);

ALTER TABLE ONLY private.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, digest);

ALTER TABLE ONLY private.reply_drafts
    ADD CONSTRAINT reply_drafts_pkey PRIMARY KEY (submission_id);

ALTER TABLE ONLY private.reply_snippets
    ADD CONSTRAINT reply_snippets_name_key UNIQUE (name);

ALTER TABLE ONLY private.reply_snippets
    ADD CONSTRAINT reply_snippets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY private.retention_clock
    ADD CONSTRAINT retention_clock_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY private.retention_runs
    ADD CONSTRAINT retention_runs_pkey PRIMARY KEY (ran_at);

ALTER TABLE ONLY private.second_factor_rule
    ADD CONSTRAINT second_factor_rule_pkey PRIMARY KEY (is_required);

ALTER TABLE ONLY private.setup_codes
    ADD CONSTRAINT setup_codes_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY private.site_time_zone
    ADD CONSTRAINT site_time_zone_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY private.submission_search
    ADD CONSTRAINT submission_search_pkey PRIMARY KEY (submission_id);

ALTER TABLE ONLY private.troubles
    ADD CONSTRAINT troubles_pkey PRIMARY KEY (cause);

ALTER TABLE ONLY private.trusted_factors
    ADD CONSTRAINT trusted_factors_pkey PRIMARY KEY (factor_id);

ALTER TABLE ONLY public.admin_events
    ADD CONSTRAINT admin_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.contact_submissions
    ADD CONSTRAINT contact_submissions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.data_rights_events
    ADD CONSTRAINT data_rights_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.data_rights_requests
    ADD CONSTRAINT data_rights_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.data_rights_requests
    ADD CONSTRAINT data_rights_requests_reference_key UNIQUE (reference);

ALTER TABLE ONLY public.network_events
    ADD CONSTRAINT network_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.network_letters
    ADD CONSTRAINT network_letters_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.network_members
    ADD CONSTRAINT network_members_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.user_consents
    ADD CONSTRAINT user_consents_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_pkey PRIMARY KEY (user_id, role);

CREATE INDEX account_events_owner ON private.account_events USING btree (user_id, at);

CREATE INDEX account_links_email ON private.account_links USING btree (email);

CREATE INDEX account_links_user ON private.account_links USING btree (user_id);

CREATE INDEX answer_links_submission ON private.answer_links USING btree (submission_id);

CREATE INDEX contact_receipts_submission ON private.contact_receipts USING btree (submission_id);

CREATE INDEX count_reports_received_at ON private.count_reports USING btree (received_at);

CREATE INDEX email_outbox_account_link ON private.email_outbox USING btree (account_link_id);

CREATE INDEX email_outbox_acknowledged ON private.email_outbox USING btree (created_at) WHERE (kind = ANY (ARRAY['acknowledgement'::text, 'request-acknowledgement'::text]));

CREATE INDEX email_outbox_delivered ON private.email_outbox USING btree (delivered_at) WHERE (delivered_at IS NOT NULL);

CREATE INDEX email_outbox_due ON private.email_outbox USING btree (next_attempt_at) WHERE ((delivered_at IS NULL) AND (gave_up_at IS NULL));

CREATE INDEX email_outbox_mailbox ON private.email_outbox USING btree (private.mailbox_key(recipient), created_at) WHERE (kind = ANY (ARRAY['acknowledgement'::text, 'request-acknowledgement'::text]));

CREATE INDEX email_outbox_member ON private.email_outbox USING btree (member_id) WHERE (member_id IS NOT NULL);

CREATE INDEX email_outbox_request ON private.email_outbox USING btree (request_id);

CREATE INDEX email_outbox_submission ON private.email_outbox USING btree (submission_id);

CREATE INDEX email_outbox_undelivered ON private.email_outbox USING btree (created_at) WHERE (delivered_at IS NULL);

CREATE INDEX factor_permits_user_id ON private.factor_permits USING btree (user_id);

CREATE INDEX letter_recipients_member ON private.letter_recipients USING btree (member_id);

CREATE INDEX letter_recipients_waiting ON private.letter_recipients USING btree (letter_id, member_id) WHERE (queued_at IS NULL);

CREATE UNIQUE INDEX link_keys_in_use ON private.link_keys USING btree ((true)) WHERE (ended_at IS NULL);

CREATE INDEX message_replies_submission ON private.message_replies USING btree (submission_id, written_at);

CREATE INDEX rate_limits_resets_at ON private.rate_limits USING btree (resets_at);

CREATE INDEX second_factor_attempts_user_id ON private.second_factor_attempts USING btree (user_id);

CREATE INDEX submission_search_newest_first ON private.submission_search USING btree (created_at DESC, submission_id DESC);

CREATE INDEX trusted_factors_user_id ON private.trusted_factors USING btree (user_id);

CREATE INDEX wrong_codes_user_id ON private.wrong_codes USING btree (user_id);

CREATE INDEX admin_events_actor ON public.admin_events USING btree (actor, id);

CREATE INDEX admin_events_person ON public.admin_events USING btree (person, id) WHERE (person IS NOT NULL);

CREATE INDEX contact_submissions_counts ON public.contact_submissions USING btree (state, quarantine_reason) WHERE (frozen_at IS NULL);

CREATE INDEX contact_submissions_folder ON public.contact_submissions USING btree ((
CASE
    WHEN (quarantine_reason IS NULL) THEN state
    ELSE 'quarantined'::text
END), created_at DESC, id DESC) WHERE (frozen_at IS NULL);

CREATE INDEX contact_submissions_marked_by_link ON public.contact_submissions USING btree (marked_by_link_at DESC, id) WHERE ((marked_by_link_at IS NOT NULL) AND (frozen_at IS NULL));

CREATE INDEX contact_submissions_newest_first ON public.contact_submissions USING btree (created_at DESC, id DESC) WHERE (frozen_at IS NULL);

CREATE INDEX contact_submissions_subject ON public.contact_submissions USING btree (lower(btrim(email)));

CREATE INDEX contact_submissions_undelivered ON public.contact_submissions USING btree (created_at DESC, id DESC) WHERE ((undelivered_at IS NOT NULL) AND (frozen_at IS NULL));

CREATE INDEX contact_submissions_waiting ON public.contact_submissions USING btree (answer_due_at, id) WHERE ((frozen_at IS NULL) AND (quarantine_reason IS NULL) AND (state = ANY (ARRAY['new'::text, 'in_progress'::text])));

CREATE INDEX contact_submissions_waiting_newest_first ON public.contact_submissions USING btree (created_at DESC, id DESC) WHERE ((frozen_at IS NULL) AND (quarantine_reason IS NULL) AND (state = ANY (ARRAY['new'::text, 'in_progress'::text])));

CREATE INDEX data_rights_events_request ON public.data_rights_events USING btree (request_id, id);

CREATE INDEX data_rights_requests_subject ON public.data_rights_requests USING btree (lower(btrim(email)));

CREATE INDEX data_rights_requests_waiting ON public.data_rights_requests USING btree (due_on) WHERE (closed_at IS NULL);

CREATE INDEX network_events_member ON public.network_events USING btree (member_id, id);

CREATE UNIQUE INDEX network_members_subject ON public.network_members USING btree (lower(btrim(email)));

CREATE TRIGGER check_email_address BEFORE INSERT ON private.account_links FOR EACH ROW WHEN ((new.purpose = 'invitation'::text)) EXECUTE FUNCTION private.check_email_address();

CREATE TRIGGER count_version BEFORE UPDATE OF name, body ON private.reply_snippets FOR EACH ROW EXECUTE FUNCTION private.count_version();

CREATE TRIGGER keep_consent_history BEFORE DELETE OR UPDATE ON private.consent_history FOR EACH ROW EXECUTE FUNCTION private.keep_consent_history();

CREATE TRIGGER keep_consent_history_whole BEFORE TRUNCATE ON private.consent_history FOR EACH STATEMENT EXECUTE FUNCTION private.keep_consent_history();

CREATE TRIGGER salt_tombstone BEFORE INSERT ON private.erasure_tombstones FOR EACH ROW EXECUTE FUNCTION private.salt_tombstone();

CREATE TRIGGER salt_tombstone BEFORE INSERT ON private.network_departures FOR EACH ROW EXECUTE FUNCTION private.salt_tombstone();

CREATE TRIGGER tell_what_is_gone AFTER DELETE ON private.email_outbox REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tell_what_is_gone();

CREATE TRIGGER tell_what_is_gone AFTER INSERT ON private.erasure_tombstones REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tell_what_is_gone();

CREATE TRIGGER tell_what_is_gone AFTER UPDATE ON private.link_keys REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tell_what_is_gone();

CREATE TRIGGER tell_what_is_gone AFTER INSERT ON private.network_departures REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tell_what_is_gone();

CREATE TRIGGER check_email_address BEFORE INSERT ON public.contact_submissions FOR EACH ROW EXECUTE FUNCTION private.check_email_address();

CREATE TRIGGER check_email_address BEFORE INSERT ON public.data_rights_requests FOR EACH ROW EXECUTE FUNCTION private.check_email_address();

CREATE TRIGGER check_email_address BEFORE INSERT ON public.network_members FOR EACH ROW EXECUTE FUNCTION private.check_email_address();

CREATE TRIGGER count_version BEFORE UPDATE OF state, quarantine_reason, frozen_at, name, email, company, stage, goal, message ON public.contact_submissions FOR EACH ROW EXECUTE FUNCTION private.count_version();

CREATE TRIGGER count_version BEFORE UPDATE OF state, due_on, quarantine_reason, frozen_at, restriction_ends_on ON public.data_rights_requests FOR EACH ROW EXECUTE FUNCTION private.count_version();

CREATE TRIGGER count_version BEFORE UPDATE OF subject, body, to_states, to_kind, to_field ON public.network_letters FOR EACH ROW EXECUTE FUNCTION private.count_version();

CREATE TRIGGER count_version BEFORE UPDATE OF state, email, name, company, kind, fields, check_size, place, qualification, frozen_at ON public.network_members FOR EACH ROW EXECUTE FUNCTION private.count_version();

CREATE TRIGGER drop_letters AFTER UPDATE OF state, frozen_at, paused_at, unsubscribed_at ON public.network_members FOR EACH ROW WHEN ((NOT private.is_writable(new.*))) EXECUTE FUNCTION private.drop_letters();

CREATE TRIGGER end_sent_invitations AFTER DELETE OR UPDATE OF user_id, role ON public.user_roles FOR EACH ROW EXECUTE FUNCTION private.end_sent_invitations();

CREATE TRIGGER index_submission AFTER INSERT OR UPDATE OF created_at, name, email, company, stage, goal, message ON public.contact_submissions FOR EACH ROW EXECUTE FUNCTION private.index_submission();

CREATE TRIGGER keep_log BEFORE DELETE OR UPDATE ON public.admin_events FOR EACH ROW EXECUTE FUNCTION private.keep_log();

CREATE TRIGGER keep_log BEFORE DELETE OR UPDATE ON public.data_rights_events FOR EACH ROW EXECUTE FUNCTION private.keep_log();

CREATE TRIGGER keep_log BEFORE DELETE OR UPDATE ON public.network_events FOR EACH ROW EXECUTE FUNCTION private.keep_log();

CREATE TRIGGER keep_log_whole BEFORE TRUNCATE ON public.admin_events FOR EACH STATEMENT EXECUTE FUNCTION private.keep_log();

CREATE TRIGGER keep_log_whole BEFORE TRUNCATE ON public.data_rights_events FOR EACH STATEMENT EXECUTE FUNCTION private.keep_log();

CREATE TRIGGER keep_log_whole BEFORE TRUNCATE ON public.network_events FOR EACH STATEMENT EXECUTE FUNCTION private.keep_log();

CREATE TRIGGER set_answer_due BEFORE INSERT ON public.contact_submissions FOR EACH ROW EXECUTE FUNCTION private.set_answer_due();

CREATE TRIGGER set_waiting_since BEFORE UPDATE OF state ON public.contact_submissions FOR EACH ROW EXECUTE FUNCTION private.set_waiting_since();

ALTER TABLE ONLY private.account_events
    ADD CONSTRAINT account_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.account_links
    ADD CONSTRAINT account_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.admin_names
    ADD CONSTRAINT admin_names_role_fkey FOREIGN KEY (user_id, role) REFERENCES public.user_roles(user_id, role) ON DELETE CASCADE;

ALTER TABLE ONLY private.answer_links
    ADD CONSTRAINT answer_links_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.contact_submissions(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.contact_receipts
    ADD CONSTRAINT contact_receipts_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.contact_submissions(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY private.data_packages
    ADD CONSTRAINT data_packages_request_id_fkey FOREIGN KEY (request_id) REFERENCES public.data_rights_requests(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.data_rights_links
    ADD CONSTRAINT data_rights_links_request_id_fkey FOREIGN KEY (request_id) REFERENCES public.data_rights_requests(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.email_outbox
    ADD CONSTRAINT email_outbox_account_link_id_fkey FOREIGN KEY (account_link_id) REFERENCES private.account_links(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.email_outbox
    ADD CONSTRAINT email_outbox_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.network_members(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.email_outbox
    ADD CONSTRAINT email_outbox_request_id_fkey FOREIGN KEY (request_id) REFERENCES public.data_rights_requests(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.email_outbox
    ADD CONSTRAINT email_outbox_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.contact_submissions(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.factor_permits
    ADD CONSTRAINT factor_permits_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.letter_recipients
    ADD CONSTRAINT letter_recipients_letter_id_fkey FOREIGN KEY (letter_id) REFERENCES public.network_letters(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.letter_recipients
    ADD CONSTRAINT letter_recipients_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.network_members(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.message_replies
    ADD CONSTRAINT message_replies_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.contact_submissions(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.reply_drafts
    ADD CONSTRAINT reply_drafts_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.contact_submissions(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.second_factor_attempts
    ADD CONSTRAINT second_factor_attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.setup_codes
    ADD CONSTRAINT setup_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.submission_search
    ADD CONSTRAINT submission_search_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.contact_submissions(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.troubles
    ADD CONSTRAINT troubles_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES private.email_outbox(id) ON DELETE SET NULL;

ALTER TABLE ONLY private.trusted_factors
    ADD CONSTRAINT trusted_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.wrong_codes
    ADD CONSTRAINT wrong_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.data_rights_events
    ADD CONSTRAINT data_rights_events_request_id_fkey FOREIGN KEY (request_id) REFERENCES public.data_rights_requests(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.network_events
    ADD CONSTRAINT network_events_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.network_members(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE private.account_events ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.account_links ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.admin_names ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.answer_links ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.consent_history ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.contact_receipts ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.count_reports ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.data_packages ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.data_rights_links ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.day_counts ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.digests ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.email_outbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.erasure_tombstones ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.factor_permits ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.letter_recipients ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.link_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.message_replies ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.network_departures ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.rate_limits ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.recovery_codes ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.reply_drafts ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.reply_snippets ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.retention_clock ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.retention_runs ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.second_factor_attempts ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.second_factor_rule ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.setup_codes ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.site_time_zone ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.submission_search ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.troubles ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.trusted_factors ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.wrong_codes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.admin_events ENABLE ROW LEVEL SECURITY;

CREATE POLICY "admins read letters" ON public.network_letters FOR SELECT TO authenticated USING (( SELECT public.is_admin() AS is_admin));

CREATE POLICY "admins read members" ON public.network_members FOR SELECT TO authenticated USING ((( SELECT public.is_admin() AS is_admin) AND (frozen_at IS NULL)));

CREATE POLICY "admins read requests" ON public.data_rights_requests FOR SELECT TO authenticated USING ((( SELECT public.is_admin() AS is_admin) AND (frozen_at IS NULL)));

CREATE POLICY "admins read submissions" ON public.contact_submissions FOR SELECT TO authenticated USING ((( SELECT public.is_admin() AS is_admin) AND (frozen_at IS NULL)));

CREATE POLICY "admins read what admins did" ON public.admin_events FOR SELECT TO authenticated USING (( SELECT public.is_admin() AS is_admin));

CREATE POLICY "admins read what happened to members" ON public.network_events FOR SELECT TO authenticated USING ((( SELECT public.is_admin() AS is_admin) AND (EXISTS ( SELECT 1
   FROM public.network_members member
  WHERE (member.id = network_events.member_id)))));

CREATE POLICY "admins read what happened to requests" ON public.data_rights_events FOR SELECT TO authenticated USING ((( SELECT public.is_admin() AS is_admin) AND (EXISTS ( SELECT 1
   FROM public.data_rights_requests request
  WHERE (request.id = data_rights_events.request_id)))));

ALTER TABLE public.contact_submissions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.data_rights_events ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.data_rights_requests ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.network_events ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.network_letters ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.network_members ENABLE ROW LEVEL SECURITY;

CREATE POLICY "people read their own roles" ON public.user_roles FOR SELECT TO authenticated USING ((user_id = ( SELECT auth.uid() AS uid)));

ALTER TABLE public.user_consents ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.user_roles ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA public TO anon;
GRANT USAGE ON SCHEMA public TO authenticated;
GRANT USAGE ON SCHEMA public TO service_role;

REVOKE ALL ON FUNCTION private.acknowledgement_code(code text, kind text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.acknowledgement_limits() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.add_to_counts(counts jsonb, kind text, done integer, refused integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.apply_to_due(action text, target regclass, is_due text, OUT done integer, OUT refused integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.ask_to_join(submission jsonb, membership jsonb, is_held boolean, is_again boolean, client_codes jsonb, per_hour integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.change_link_key() FROM PUBLIC;

GRANT SELECT ON TABLE public.contact_submissions TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.contact_submissions TO service_role;

REVOKE ALL ON FUNCTION private.changeable_state(submission public.contact_submissions) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.check_email_address() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.close_request(request_id uuid, allowed_states text[], outcome text, note text, mail jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.confirm_by(due_on date) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.confirmation_ends_at(due_on date) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_hit(code text, period interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_mentions(person text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_network(name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_overdue_requests() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_second_factor_attempt(person uuid, session uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_subject(person text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_submissions() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_version() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.data_rights_due_on(received_on date) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.data_rights_extended_to(received_on date) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.day_in_words(day date) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.describe_digest() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.digest(secret text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.drop_letters() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.due_answer_notice(submission public.contact_submissions) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_choice(chosen text[], choices text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_line(words text, most integer) FROM PUBLIC;

GRANT SELECT ON TABLE public.network_members TO authenticated;

REVOKE ALL ON FUNCTION private.due_network_mail(member public.network_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_email_address(address text) FROM PUBLIC;

GRANT SELECT ON TABLE public.data_rights_requests TO authenticated;

REVOKE ALL ON FUNCTION private.due_reminder(request public.data_rights_requests) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.due_trouble_mail(trouble private.troubles) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.end_every_session(person uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.end_sent_invitations() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.filter_members(state text, kind text, field text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.find_linked_member(token text, purpose text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.find_linked_request(token text, purpose text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.find_linked_submission(token text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.find_mails_of(person text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.find_member_id(email text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.find_own_troubles() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.find_refusal(owner_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.find_undelivered() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.forget_trusted_factor() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.give_admin_role(person uuid, actor uuid, action text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.has_factor_permit(session uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.has_recent_link(member_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.index_submission() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_asked_for(email text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_asked_for(mail private.email_outbox) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_brief(trouble private.troubles) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_chosen(member public.network_members, to_states text[], to_kind text, to_field text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_frozen(mail private.email_outbox) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_held(mail private.email_outbox) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_in_folder(request public.data_rights_requests, folder text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_jump_since(seen_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_replaced(mail private.email_outbox) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_resendable(mail private.email_outbox) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_salted_digest_of(salted text, digest text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_writable(member public.network_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.keep_consent_history() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.keep_consent_retention(counts jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.keep_log() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.keyed_digest(key bytea, content text) FROM PUBLIC;

GRANT SELECT ON TABLE public.network_letters TO authenticated;

REVOKE ALL ON FUNCTION private.letter_digest(letter public.network_letters) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.letter_progress(letter public.network_letters) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lift_ended_restrictions() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.link_key() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.list_events_of(account_id uuid, address text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.list_troubles() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.local_day(at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_answerable(submission_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_letter(letter_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_letter_draft(letter_id uuid, seen_version integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_letters(attempts jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_linked_member(token text, purpose text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_member(member_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_rectification(request_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_request(request_id uuid, allowed_states text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_restricted(request_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_subject(request_id uuid, allowed_states text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_submission(submission_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.log_letter(action text, people_count integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.mailbox_code(purpose text, email text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.mailbox_key(email text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.make_invitation(address text, actor uuid, token_hash text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.make_new_password_link(account_id uuid, token_hash text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.make_setup_code(email text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.may_mail_again(member public.network_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.member_link_code(key bytea, member public.network_members, purpose text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.member_token(member public.network_members, purpose text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.name_person(person uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.name_row(shown private.placed_row) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.network_details(member public.network_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.new_request_reference() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.note_account_event(person uuid, kind text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.note_factor() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.note_new_password() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.note_wrong_code(person uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.outbox_status() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.own_signature() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.pause_member(member_id uuid, code text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.pending_digest(member public.network_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.people_version() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.permit_factor(person uuid, session uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.queue_link_mail(link private.account_links, mail jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.queue_network_link(member public.network_members, mail jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.queue_request_mail(request public.data_rights_requests, kind text, recipient text, mail jsonb, forget_when_delivered boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.read_letters_of(member_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.record_member_event(member_id uuid, actor_kind text, action text, note text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.record_request_event(request_id uuid, actor_kind text, action text, note text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.refuse_untrusted_factor() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.remove_ended_members(OUT done integer, OUT refused integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.remove_member(member public.network_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.remove_second_factor(person uuid, kept_session uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.reopen_request(mail private.email_outbox) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.request_place(request public.data_rights_requests, as_of timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.requeue(mail private.email_outbox, recipient text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.require_admin() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.require_admin_alone() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.require_mail(mail jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.require_seen(version bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.require_shown(member public.network_members, shown text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.require_type(request public.data_rights_requests, allowed_types text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.require_words(words text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.reset_second_factor(person uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.restriction_notice() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.retention_period(kind text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.retention_periods() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.retention_waits() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.salt_tombstone() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.salted_digest(digest text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.saw(version bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.scan_part_of_folder(folder text, needle text, part integer, after timestamp with time zone, after_id uuid, forward boolean, most integer, as_of timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.scan_requests(folder text, needle text, place bigint, id uuid, forward boolean, most integer, as_of timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.scan_submissions(folder text, needle text, place bigint, id uuid, forward boolean, most integer, as_of timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.schedule_retention() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.send_invitation(actor uuid, address text, token_hash text, mail jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.set_answer_due() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.set_waiting_since() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.settle_letter(mail private.email_outbox) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.settle_reply(mail private.email_outbox) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.show_delivery(mail private.email_outbox) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.show_request(request public.data_rights_requests) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.start_of_day(day date) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.subject_key(email text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.take_admin_role(person uuid, actor uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.tell_what_is_gone() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.time_zone() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.today() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.trouble_source(cause text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.trust_factor() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.turn_page(scan text, folder text, search text, page_cursor text, page_size integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.withhold_acknowledgement(mails jsonb, client_codes jsonb, per_hour integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.without_tokens(body text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.write_cursor(direction text, shown private.placed_row, as_of timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.add_day_counts(report uuid, day date, counts jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_day_counts(report uuid, day date, counts jsonb) TO service_role;

REVOKE ALL ON FUNCTION public.admin_standing() FROM PUBLIC;
GRANT ALL ON FUNCTION public.admin_standing() TO authenticated;
GRANT ALL ON FUNCTION public.admin_standing() TO service_role;

REVOKE ALL ON FUNCTION public.answer_times() FROM PUBLIC;
GRANT ALL ON FUNCTION public.answer_times() TO authenticated;

REVOKE ALL ON FUNCTION public.ask_link_by_letter(token text, mail jsonb, client_codes jsonb, per_hour integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ask_link_by_letter(token text, mail jsonb, client_codes jsonb, per_hour integer) TO service_role;

REVOKE ALL ON FUNCTION public.ask_network_link(email text, mail jsonb, client_codes jsonb, per_hour integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ask_network_link(email text, mail jsonb, client_codes jsonb, per_hour integer) TO service_role;

REVOKE ALL ON FUNCTION public.begin_factor_removal() FROM PUBLIC;
GRANT ALL ON FUNCTION public.begin_factor_removal() TO authenticated;

REVOKE ALL ON FUNCTION public.change_membership(token text, details jsonb, seen_version integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.change_membership(token text, details jsonb, seen_version integer) TO anon;
GRANT ALL ON FUNCTION public.change_membership(token text, details jsonb, seen_version integer) TO authenticated;

REVOKE ALL ON FUNCTION public.claim_account_link(token_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.claim_account_link(token_hash text) TO service_role;

REVOKE ALL ON FUNCTION public.claim_due_mail(batch_size integer, lease_seconds integer, letters boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.claim_due_mail(batch_size integer, lease_seconds integer, letters boolean) TO service_role;

REVOKE ALL ON FUNCTION public.claim_letter_recipients(per_hour integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.claim_letter_recipients(per_hour integer) TO service_role;

REVOKE ALL ON FUNCTION public.complete_request(request_id uuid, note text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.complete_request(request_id uuid, note text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.confirm_data_rights_request(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.confirm_data_rights_request(token text) TO anon;
GRANT ALL ON FUNCTION public.confirm_data_rights_request(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.confirm_membership(token text, shown text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.confirm_membership(token text, shown text) TO anon;
GRANT ALL ON FUNCTION public.confirm_membership(token text, shown text) TO authenticated;

REVOKE ALL ON FUNCTION public.correct_membership(request_id uuid, field text, value text, seen_version integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.correct_membership(request_id uuid, field text, value text, seen_version integer) TO authenticated;

REVOKE ALL ON FUNCTION public.correct_submission(request_id uuid, submission_id uuid, field text, value text, seen_version integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.correct_submission(request_id uuid, submission_id uuid, field text, value text, seen_version integer) TO authenticated;

REVOKE ALL ON FUNCTION public.count_attempt(subject_key text, change integer, seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_attempt(subject_key text, change integer, seconds integer) TO anon;

REVOKE ALL ON FUNCTION public.count_letter_recipients(to_states text[], to_kind text, to_field text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_letter_recipients(to_states text[], to_kind text, to_field text) TO authenticated;

REVOKE ALL ON FUNCTION public.count_recovery_codes() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_recovery_codes() TO authenticated;

REVOKE ALL ON FUNCTION public.count_requests() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_requests() TO authenticated;

REVOKE ALL ON FUNCTION public.count_unsigned_call(function_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_unsigned_call(function_name text) TO service_role;

REVOKE ALL ON FUNCTION public.create_recovery_codes() FROM PUBLIC;
GRANT ALL ON FUNCTION public.create_recovery_codes() TO authenticated;

REVOKE ALL ON FUNCTION public.delete_letter(letter_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.delete_letter(letter_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.delete_reply_snippet(snippet_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.delete_reply_snippet(snippet_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.delete_spam(submission_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.delete_spam(submission_ids uuid[]) TO authenticated;

REVOKE ALL ON FUNCTION public.delete_submission(submission_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.delete_submission(submission_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.discard_membership_change(token text, shown text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.discard_membership_change(token text, shown text) TO anon;
GRANT ALL ON FUNCTION public.discard_membership_change(token text, shown text) TO authenticated;

REVOKE ALL ON FUNCTION public.end_own_sessions(session_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_own_sessions(session_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.end_page_links(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_page_links(token text) TO anon;
GRANT ALL ON FUNCTION public.end_page_links(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.enter_request(request jsonb, channel text, received_on date, is_identified boolean, confirm_token_hash text, status_token_hash text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.enter_request(request jsonb, channel text, received_on date, is_identified boolean, confirm_token_hash text, status_token_hash text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.erase_consent(session_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_consent(session_id text) TO anon;
GRANT ALL ON FUNCTION public.erase_consent(session_id text) TO authenticated;

REVOKE ALL ON FUNCTION public.erase_subject(request_id uuid, mail jsonb, elsewhere text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_subject(request_id uuid, mail jsonb, elsewhere text[]) TO authenticated;

REVOKE ALL ON FUNCTION public.export_network_members(state text, kind text, field text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.export_network_members(state text, kind text, field text) TO authenticated;

REVOKE ALL ON FUNCTION public.export_subject_data(request_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.export_subject_data(request_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.export_submissions(folder text, search text, page_cursor text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.export_submissions(folder text, search text, page_cursor text) TO authenticated;

REVOKE ALL ON FUNCTION public.extend_request(request_id uuid, reason text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.extend_request(request_id uuid, reason text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.fetch_package(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.fetch_package(token text) TO anon;
GRANT ALL ON FUNCTION public.fetch_package(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_account_link(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_account_link(token text) TO anon;
GRANT ALL ON FUNCTION public.find_account_link(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_answer_link(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_answer_link(token text) TO anon;
GRANT ALL ON FUNCTION public.find_answer_link(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_confirmed_data_rights_request(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_confirmed_data_rights_request(token text) TO anon;
GRANT ALL ON FUNCTION public.find_confirmed_data_rights_request(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_consent(session_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_consent(session_id text) TO anon;
GRANT ALL ON FUNCTION public.find_consent(session_id text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_correctable_membership(request_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_correctable_membership(request_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.find_data_rights_confirmation(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_data_rights_confirmation(token text) TO anon;
GRANT ALL ON FUNCTION public.find_data_rights_confirmation(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_data_rights_status(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_data_rights_status(token text) TO anon;
GRANT ALL ON FUNCTION public.find_data_rights_status(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_letter(letter_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_letter(letter_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.find_mail(mail_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_mail(mail_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.find_mail_state(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_mail_state(token text) TO anon;
GRANT ALL ON FUNCTION public.find_mail_state(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_membership(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_membership(token text) TO anon;
GRANT ALL ON FUNCTION public.find_membership(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_neighbors(submission_id uuid, folder text, search text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_neighbors(submission_id uuid, folder text, search text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_network_member(member_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_network_member(member_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.find_package(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_package(token text) TO anon;
GRANT ALL ON FUNCTION public.find_package(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_package_offer(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_package_offer(token text) TO anon;
GRANT ALL ON FUNCTION public.find_package_offer(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.find_request(request_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_request(request_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.find_submission(submission_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_submission(submission_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.finish_account_link(token_hash text, user_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.finish_account_link(token_hash text, user_id uuid) TO service_role;

REVOKE ALL ON FUNCTION public.grant_named_admin(user_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.grant_named_admin(user_id uuid) TO service_role;

REVOKE ALL ON FUNCTION public.hand_over_data(request_id uuid, note text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.hand_over_data(request_id uuid, note text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.invite_admin(email text, token_hash text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.invite_admin(email text, token_hash text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.is_admin() FROM PUBLIC;
GRANT ALL ON FUNCTION public.is_admin() TO authenticated;
GRANT ALL ON FUNCTION public.is_admin() TO service_role;

REVOKE ALL ON FUNCTION public.keep_restriction(request_id uuid, reason text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_restriction(request_id uuid, reason text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.keep_retention(source text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_retention(source text) TO service_role;

REVOKE ALL ON FUNCTION public.leave_network(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.leave_network(token text) TO anon;
GRANT ALL ON FUNCTION public.leave_network(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.lift_restriction(request_id uuid, reason text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lift_restriction(request_id uuid, reason text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.list_correctable_messages(request_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_correctable_messages(request_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.list_due_account_mails() FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_due_account_mails() TO service_role;

REVOKE ALL ON FUNCTION public.list_due_network_mails() FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_due_network_mails() TO service_role;

REVOKE ALL ON FUNCTION public.list_due_reminders() FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_due_reminders() TO service_role;

REVOKE ALL ON FUNCTION public.list_due_trouble_mails() FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_due_trouble_mails() TO service_role;

REVOKE ALL ON FUNCTION public.list_firm_notices(morning date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_firm_notices(morning date) TO service_role;

REVOKE ALL ON FUNCTION public.list_letters() FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_letters() TO authenticated;

REVOKE ALL ON FUNCTION public.list_marked_by_link() FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_marked_by_link() TO authenticated;

REVOKE ALL ON FUNCTION public.list_network_members(state text, kind text, field text, page integer, page_size integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_network_members(state text, kind text, field text, page integer, page_size integer) TO authenticated;

REVOKE ALL ON FUNCTION public.list_reply_snippets() FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_reply_snippets() TO authenticated;

REVOKE ALL ON FUNCTION public.list_requests(folder text, search text, page_cursor text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_requests(folder text, search text, page_cursor text) TO authenticated;

REVOKE ALL ON FUNCTION public.list_undelivered() FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_undelivered() TO authenticated;

REVOKE ALL ON FUNCTION public.mark_answered(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.mark_answered(token text) TO anon;
GRANT ALL ON FUNCTION public.mark_answered(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.newest_migration() FROM PUBLIC;
GRANT ALL ON FUNCTION public.newest_migration() TO anon;

REVOKE ALL ON FUNCTION public.outbox_status() FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_status() TO authenticated;
GRANT ALL ON FUNCTION public.outbox_status() TO service_role;

REVOKE ALL ON FUNCTION public.own_account() FROM PUBLIC;
GRANT ALL ON FUNCTION public.own_account() TO authenticated;

REVOKE ALL ON FUNCTION public.preview_erasure(request_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.preview_erasure(request_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.queue_account_mail(event_id bigint, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.queue_account_mail(event_id bigint, mail jsonb) TO service_role;

REVOKE ALL ON FUNCTION public.queue_answer_notice(submission_id uuid, notice text, mail jsonb, token_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.queue_answer_notice(submission_id uuid, notice text, mail jsonb, token_hash text) TO service_role;

REVOKE ALL ON FUNCTION public.queue_digest(morning date, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.queue_digest(morning date, mail jsonb) TO service_role;

REVOKE ALL ON FUNCTION public.queue_letter_mail(letter_id uuid, member_id uuid, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.queue_letter_mail(letter_id uuid, member_id uuid, mail jsonb) TO service_role;

REVOKE ALL ON FUNCTION public.queue_network_mail(member_id uuid, mail_kind text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.queue_network_mail(member_id uuid, mail_kind text, mail jsonb) TO service_role;

REVOKE ALL ON FUNCTION public.queue_reminder(request_id uuid, reminder text, mail jsonb, confirm_token_hash text, status_token_hash text, acknowledgements_per_hour integer, package_token_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.queue_reminder(request_id uuid, reminder text, mail jsonb, confirm_token_hash text, status_token_hash text, acknowledgements_per_hour integer, package_token_hash text) TO service_role;

REVOKE ALL ON FUNCTION public.queue_trouble_mail(cause text, notice text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.queue_trouble_mail(cause text, notice text, mail jsonb) TO service_role;

REVOKE ALL ON FUNCTION public.read_day_counts(first_day date, last_day date, by_month boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_day_counts(first_day date, last_day date, by_month boolean) TO authenticated;

REVOKE ALL ON FUNCTION public.read_inbox(folder text, search text, page_cursor text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_inbox(folder text, search text, page_cursor text) TO authenticated;

REVOKE ALL ON FUNCTION public.read_people() FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_people() TO authenticated;

REVOKE ALL ON FUNCTION public.receive_contact_submission(submission jsonb, fingerprint text, quarantine_reason text, mails jsonb, client_codes jsonb, acknowledgements_per_hour integer, membership jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.receive_contact_submission(submission jsonb, fingerprint text, quarantine_reason text, mails jsonb, client_codes jsonb, acknowledgements_per_hour integer, membership jsonb) TO service_role;

REVOKE ALL ON FUNCTION public.receive_data_rights_request(request jsonb, confirm_token_hash text, status_token_hash text, quarantine_reason text, mails jsonb, client_codes jsonb, acknowledgements_per_hour integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.receive_data_rights_request(request jsonb, confirm_token_hash text, status_token_hash text, quarantine_reason text, mails jsonb, client_codes jsonb, acknowledgements_per_hour integer) TO service_role;

REVOKE ALL ON FUNCTION public.record_consent(session_id text, analytics boolean, marketing boolean, consent_version text, text_hash text, source text, user_agent text, decided_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.record_consent(session_id text, analytics boolean, marketing boolean, consent_version text, text_hash text, source text, user_agent text, decided_at timestamp with time zone) TO service_role;

REVOKE ALL ON FUNCTION public.record_request_note(request_id uuid, note text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.record_request_note(request_id uuid, note text) TO authenticated;

REVOKE ALL ON FUNCTION public.record_sign_in(device text, is_new_device boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.record_sign_in(device text, is_new_device boolean) TO authenticated;

REVOKE ALL ON FUNCTION public.record_wrong_code() FROM PUBLIC;
GRANT ALL ON FUNCTION public.record_wrong_code() TO authenticated;

REVOKE ALL ON FUNCTION public.refuse_request(request_id uuid, reason text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refuse_request(request_id uuid, reason text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.release_account_link(token_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.release_account_link(token_hash text) TO service_role;

REVOKE ALL ON FUNCTION public.remove_admin(user_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_admin(user_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.remove_network_member(member_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_network_member(member_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.report_trouble(causes text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.report_trouble(causes text[]) TO service_role;

REVOKE ALL ON FUNCTION public.request_new_password(email text, token_hash text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.request_new_password(email text, token_hash text, mail jsonb) TO service_role;

REVOKE ALL ON FUNCTION public.request_package_link(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.request_package_link(token text) TO anon;
GRANT ALL ON FUNCTION public.request_package_link(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.require_second_factor(wanted boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.require_second_factor(wanted boolean) TO service_role;

REVOKE ALL ON FUNCTION public.resend_acknowledgement(request_id uuid, status_token_hash text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.resend_acknowledgement(request_id uuid, status_token_hash text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.resend_answer(request_id uuid, mail_id uuid, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.resend_answer(request_id uuid, mail_id uuid, address text) TO authenticated;

REVOKE ALL ON FUNCTION public.resend_confirmation(request_id uuid, confirm_token_hash text, status_token_hash text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.resend_confirmation(request_id uuid, confirm_token_hash text, status_token_hash text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.resend_invitation(invitation_id uuid, email text, token_hash text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.resend_invitation(invitation_id uuid, email text, token_hash text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.resend_message_mail(submission_id uuid, mail_id uuid, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.resend_message_mail(submission_id uuid, mail_id uuid, address text) TO authenticated;

REVOKE ALL ON FUNCTION public.restore_submission(submission_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.restore_submission(submission_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.restrict_subject(request_id uuid, reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.restrict_subject(request_id uuid, reason text) TO authenticated;

REVOKE ALL ON FUNCTION public.resubscribe_member(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.resubscribe_member(token text) TO anon;
GRANT ALL ON FUNCTION public.resubscribe_member(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.review_network_member(member_id uuid, action text, note text, seen_version integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.review_network_member(member_id uuid, action text, note text, seen_version integer) TO authenticated;

REVOKE ALL ON FUNCTION public.save_letter(letter_id uuid, subject text, body text, to_states text[], to_kind text, to_field text, seen_version integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.save_letter(letter_id uuid, subject text, body text, to_states text[], to_kind text, to_field text, seen_version integer) TO authenticated;

REVOKE ALL ON FUNCTION public.save_own_name(name text, signature text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.save_own_name(name text, signature text) TO authenticated;

REVOKE ALL ON FUNCTION public.save_reply_draft(submission_id uuid, draft text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.save_reply_draft(submission_id uuid, draft text) TO authenticated;

REVOKE ALL ON FUNCTION public.save_reply_snippet(snippet_id uuid, name text, body text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.save_reply_snippet(snippet_id uuid, name text, body text) TO authenticated;

REVOKE ALL ON FUNCTION public.send_letter(letter_id uuid, expected integer, seen_version integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.send_letter(letter_id uuid, expected integer, seen_version integer) TO authenticated;

REVOKE ALL ON FUNCTION public.send_network_link(member_id uuid, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.send_network_link(member_id uuid, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.send_reply(submission_id uuid, reply_id uuid, reply text, mail jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.send_reply(submission_id uuid, reply_id uuid, reply text, mail jsonb) TO authenticated;

REVOKE ALL ON FUNCTION public.set_submission_state(submission_id uuid, state text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.set_submission_state(submission_id uuid, state text) TO authenticated;

REVOKE ALL ON FUNCTION public.set_time_zone(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.set_time_zone(name text) TO service_role;

REVOKE ALL ON FUNCTION public.settle_mails(attempts jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.settle_mails(attempts jsonb) TO service_role;

REVOKE ALL ON FUNCTION public.stop_letter(letter_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.stop_letter(letter_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.take_up_request(request_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_up_request(request_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.try_letter(letter_id uuid, mail jsonb, seen_version integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.try_letter(letter_id uuid, mail jsonb, seen_version integer) TO authenticated;

REVOKE ALL ON FUNCTION public.undo_submission_change(submission_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.undo_submission_change(submission_id uuid) TO authenticated;

REVOKE ALL ON FUNCTION public.unsubscribe_member(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.unsubscribe_member(token text) TO anon;
GRANT ALL ON FUNCTION public.unsubscribe_member(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.use_recovery_code(person uuid, code_digest text, own_session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.use_recovery_code(person uuid, code_digest text, own_session uuid) TO service_role;

REVOKE ALL ON FUNCTION public.use_setup_code(person uuid, code_digest text, own_session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.use_setup_code(person uuid, code_digest text, own_session uuid) TO service_role;

REVOKE ALL ON FUNCTION public.withdraw_data_rights_request(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.withdraw_data_rights_request(token text) TO anon;
GRANT ALL ON FUNCTION public.withdraw_data_rights_request(token text) TO authenticated;

REVOKE ALL ON FUNCTION public.withdraw_invitation(invitation_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.withdraw_invitation(invitation_id uuid) TO authenticated;

GRANT SELECT ON TABLE public.admin_events TO authenticated;

GRANT SELECT ON TABLE public.data_rights_events TO authenticated;

GRANT SELECT ON TABLE public.network_events TO authenticated;

GRANT SELECT ON TABLE public.user_consents TO service_role;

GRANT SELECT ON TABLE public.user_roles TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.user_roles TO service_role;

ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON SEQUENCES TO anon;
ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON SEQUENCES TO authenticated;
ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON SEQUENCES TO service_role;

ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON FUNCTIONS TO anon;
ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON FUNCTIONS TO authenticated;
ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON FUNCTIONS TO service_role;

ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON TABLES TO anon;
ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON TABLES TO authenticated;
ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON TABLES TO service_role;

