-- The rest of what two admins may change at once (migration "seen_versions"): corrections, texts for replies, and people.

-- As before, and the message that is corrected must be the one that the caller saw: each correction has the text of one form, and its
-- request does not change by it.
drop function public.correct_submission(uuid, uuid, text, text);
create function public.correct_submission(
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
    '%s of message %s. SHA-256 of the old text: %s', field, submission.id, private.digest(old_value)
  ));
  insert into public.admin_events (actor, action, submission_id) values (actor, 'submission-corrected', submission.id);
end;
$$;

comment on function public.correct_submission(uuid, uuid, text, text, integer) is
  'Puts value in the place of name, company, stage, goal or message of a message of whoever made this confirmed request for '
  'rectification (or other request), and logs the digest of the old one. Raises 42501 for others than admins, P0002 for an '
  'unknown request or a message of somebody else, 55000 for a request in another state or of another type, 22023 for '
  'another field, 23514 for a text that is too long or empty, PT409 where seen_version is not the message''s.';

-- As before, with what the caller must have seen; the same words again change nothing.
create or replace function public.save_reply_snippet(snippet_id uuid, name text, body text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  kept private.reply_snippets;
begin
  perform private.require_admin();
  if snippet_id is null then
    insert into private.reply_snippets (name, body) values (save_reply_snippet.name, save_reply_snippet.body);
    return;
  end if;
  select * into kept from private.reply_snippets as snippet where snippet.id = snippet_id for update;
  if not found then
    raise exception 'there is no such text' using errcode = 'P0002';
  end if;
  if kept.name = save_reply_snippet.name and kept.body = save_reply_snippet.body then
    return;
  end if;
  perform private.require_seen(kept.version);
  update private.reply_snippets as snippet
  set name = save_reply_snippet.name, body = save_reply_snippet.body
  where snippet.id = snippet_id;
end;
$$;

comment on function public.list_reply_snippets() is
  'All texts for replies by name: [{id, name, body, version}]. Raises 42501 for others than admins.';

comment on function public.save_reply_snippet(uuid, text, text) is
  'Changes a text for replies, or adds one where snippet_id is null. Raises 42501 for others than admins, P0002 for an unknown one, '
  'PT409 where the caller saw another version, 23505 for a name that another has, 23514 or 23502 for a name or text that is empty or too '
  'long.';

create or replace function public.delete_reply_snippet(snippet_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  kept private.reply_snippets;
begin
  perform private.require_admin();
  select * into kept from private.reply_snippets as snippet where snippet.id = delete_reply_snippet.snippet_id for update;
  if not found then
    raise exception 'there is no such text' using errcode = 'P0002';
  end if;
  perform private.require_seen(kept.version);
  delete from private.reply_snippets as snippet where snippet.id = kept.id;
end;
$$;

comment on function public.delete_reply_snippet(uuid) is
  'Deletes a text for replies. Raises 42501 for others than admins, P0002 for an unknown one, PT409 where the caller saw another version.';

-- Who may use the admin area has one version for all: every change of it is in the log.
create function private.people_version() returns bigint
language sql stable
set search_path = ''
as $$ select coalesce(max(event.id), 0) from public.admin_events as event where event.person is not null $$;

-- As before, and the list must be the one that the caller saw.
create or replace function private.require_admin_alone() returns uuid
language plpgsql volatile security definer
set search_path = ''
as $$
declare
  actor uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  actor := private.require_admin();
  perform private.require_seen(private.people_version());
  return actor;
end;
$$;

comment on function private.require_admin_alone() is
  'As require_admin; nobody else changes who is an admin until the transaction ends. Raises PT409 where the caller saw another version of '
  'the list.';

-- As before, with the version of the list.
create or replace function public.read_people() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  caller uuid := private.require_admin();
begin
  return jsonb_build_object(
    'version', private.people_version(),
    'admins', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', account.id, 'email', lower(account.email), 'since', held.granted_at, 'is_self', account.id = caller,
        -- From the log of sign-ins where there is one: not every authentication service keeps renewals of a token apart.
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
        'events', private.list_events_of(account.id, lower(account.email))
      ) order by held.granted_at, account.id), '[]')
      from public.user_roles as held join auth.users as account on account.id = held.user_id
      where held.role = 'admin'
    ),
    'invitations', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', link.id, 'email', link.email, 'made_at', link.made_at, 'expires_at', link.expires_at,
        'events', private.list_events_of(null, link.email)
      ) order by link.made_at desc), '[]')
      from private.account_links as link
      where link.purpose = 'invitation' and link.expires_at > now()
    ),
    'others', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'email', gone.person,
        'events', private.list_events_of(
          (select account.id from auth.users as account where lower(account.email) = gone.person), gone.person
        )
      ) order by gone.newest desc), '[]')
      from (
        select event.person, max(event.id) as newest from public.admin_events as event
        where event.person is not null
          and not exists (
            select from private.account_links as link
            where link.purpose = 'invitation' and link.expires_at > now() and link.email = event.person
          )
          and not exists (
            select from public.user_roles as held join auth.users as account on account.id = held.user_id
            where held.role = 'admin' and lower(account.email) = event.person
          )
        group by event.person order by newest desc limit 50
      ) as gone
    )
  );
end;
$$;

comment on function public.read_people() is
  'Who is, is to be, or was an admin, as {version, admins: [{id, email, since, is_self, last_sign_in, sessions, events}], invitations: '
  '[{id, email, made_at, expires_at, events}], others: [{email, events}]}; events: the newest 30 as {id, at, action, person, '
  'by}, null as by where the operator did it. Raises 42501 for others than admins.';

revoke all on function
  private.people_version(), public.correct_submission(uuid, uuid, text, text, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.correct_submission(uuid, uuid, text, text, integer) to authenticated;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126160300' $$;
