-- The investor network: members, their log, their links, and the digests of those who left.

-- Returns true for one line of 1 to most characters that a reader can see, as normalizeLine leaves it
-- (app/lib/plain-text.ts; a test compares the two). Members change their texts with the publishable key alone, so the
-- database itself refuses line breaks, which would reach a mail header, and characters that misrepresent a name.
-- PostgreSQL knows no Unicode properties, so these are code points.
create function private.is_line(words text, most integer) returns boolean
language sql immutable
set search_path = ''
as $$
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

-- Members of the network, and people who asked to join it. A membership moves along these transitions and no others:
--
--   from                | to                  | by
--   --------------------|---------------------|-----------------------------------------------------------
--   (nothing)           | asked               | any visitor, by the contact form
--   asked               | confirmed           | holder of the email, by the link in it, within seven days
--   confirmed, admitted,| admitted, declined  | an admin
--   declined            |                     |
--   any                 | (deleted)           | the member, by their link; an erasure; an admin
--   asked               | (deleted)           | retention, seven days after the mail to confirm was delivered
--   declined            | (deleted)           | retention, 24 months after the decision
--   any                 | (deleted)           | retention, seven days after the member stopped all mail
--   confirmed, admitted | (deleted)           | retention, 60 days after a renewal that got no response
--
-- Visitors can enter other people's addresses. An address that is known already therefore changes nothing that is
-- kept: the later wish waits in pending until the holder of the mailbox confirms it.
create table public.network_members (
  id uuid primary key default gen_random_uuid(),
  email text not null check (char_length(email) between 1 and 255),
  name text not null check (private.is_line(name, 100)),
  company text not null check (private.is_line(company, 200)),
  -- The member states these themselves; nothing is checked. The values are those of functions/_shared/network-fields.ts
  -- (a test compares them).
  kind text check (kind in ('angel', 'credentialed', 'family-office', 'fund', 'lender', 'corporate')),
  fields text[] not null default '{}' check (private.is_choice(
    fields, array['platforms', 'ai', 'care-delivery', 'behavioral-health', 'devices', 'wellness', 'infrastructure']
  )),
  check_size text check (check_size in ('under-25k', '25k-100k', '100k-500k', '500k-2m', 'over-2m')),
  place text check (private.is_line(place, 100)),
  qualification text check (qualification in ('income', 'net-worth', 'license', 'entity', 'no')),
  state text not null default 'asked' check (state in ('asked', 'confirmed', 'admitted', 'declined')),
  -- The first ask, or when an admin sent the link again; the delivery of its mail moves it (start_network_clocks). It
  -- begins the seven days; a later ask does not extend them.
  asked_at timestamptz not null default now(),
  confirmed_at timestamptz,
  -- The last yes: the confirmation, or a renewal.
  renewed_at timestamptz,
  -- When an admin admitted or declined the member.
  decided_at timestamptz,
  -- A later ask with the same address, unconfirmed: the texts, the choices and the consent, by the names of their
  -- columns. It expires seven days after pending_at, which the delivery of its mail moves.
  pending jsonb,
  pending_at timestamptz,
  -- Proof of consent (GDPR, article 7(1)), as in contact_submissions.
  consent_text_hash text not null check (consent_text_hash ~ '^[0-9a-f]{64}$'),
  consent_policy_version text not null check (consent_policy_version ~ '^[0-9]{1,4}\.[0-9]{1,4}$'),
  -- When the reminder, and the question to stay, were delivered.
  reminded_at timestamptz,
  renewal_asked_at timestamptz,
  -- Since when the mailbox refuses mail, and the refusal's code (private.email_outbox).
  paused_at timestamptz,
  pause_reason text check (pause_reason ~ '^[a-z0-9_-]{1,40}$'),
  -- When the member stopped all mail. The membership is deleted seven days later, unless they take it back.
  unsubscribed_at timestamptz,
  -- Start of a restriction (GDPR, article 18).
  frozen_at timestamptz,
  -- When the newest link to the member's page was made. The link's code contains it, so a later time ends all earlier
  -- links.
  page_link_at timestamptz not null default now(),
  -- Increments with each change of a field that admins and members base decisions on (private.count_version).
  version integer not null default 0,
  constraint network_members_confirmed_check check (
    (confirmed_at is null) = (state = 'asked') and (renewed_at is null) = (state = 'asked')
  ),
  constraint network_members_pending_check check ((pending is null) = (pending_at is null)),
  constraint network_members_paused_check check (pause_reason is null or paused_at is not null),
  constraint network_members_decided_check check ((decided_at is null) = (state in ('asked', 'confirmed')))
);

create unique index network_members_subject on public.network_members (lower(btrim(email)));
alter table public.network_members enable row level security;
revoke all on table public.network_members from public, anon, authenticated, service_role;

-- Members whose data is not restricted, as private.open_submissions. Their own page reads the table.
create view private.open_members as select * from public.network_members where frozen_at is null;

-- Everything that is held about people by their address, restricted or not. A mail belongs to one of these rows, an account
-- link or nothing.
create view private.personal_records as
  select id, email, frozen_at from public.contact_submissions
  union all select id, email, frozen_at from public.data_rights_requests
  union all select id, email, frozen_at from public.network_members;

-- Returns true if a member may be written to for this purpose. Each line is a state and the purposes that it allows:
--   letter     letters to the network
--   network    mails that the network sends by itself: the reminder to confirm, and the question to stay
--   link       the link to their page, or to confirm, that an admin sends
--   reply      replies to their own messages, and the link that they ask for
--   statutory  replies to data rights requests
-- No SET clause, so that PostgreSQL inlines it: each run of deliver-outbox asks it about every member.
create function private.may_write(member public.network_members, purpose text) returns boolean
language sql immutable
as $$
  select (member.state in ('confirmed', 'admitted') or purpose in ('network', 'link', 'reply', 'statutory'))
    and (member.paused_at is null or purpose in ('link', 'reply', 'statutory'))
    and (member.unsubscribed_at is null or purpose in ('reply', 'statutory'))
    and (member.frozen_at is null or purpose in ('statutory'))
$$;

-- Returns the member with this address, or null; for the links from messages.
create function private.find_member_id(email text) returns uuid
language sql stable
set search_path = ''
as $$
  select member.id from private.open_members as member
  where lower(btrim(member.email)) = lower(btrim(find_member_id.email))
$$;

create trigger check_email_address before insert on public.network_members
  for each row execute function private.check_email_address();

create trigger count_version
  before update of state, email, name, company, kind, fields, check_size, place, qualification, frozen_at
  on public.network_members for each row execute function private.count_version();

-- The log of a membership: who did what, when and why. It shows since when the firm has known a member, and who
-- reviewed them.
create table public.network_events (
  id bigint generated always as identity primary key,
  member_id uuid not null references public.network_members (id) on delete cascade,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('member', 'admin', 'system')),
  actor uuid check ((actor_kind = 'admin') = (actor is not null)),
  action text not null check (action in (
    'asked', 'asked-again', 'confirmed', 'changed', 'change-discarded', 'reminded', 'renewal-asked', 'renewed', 'noted',
    'admitted', 'declined', 'link-sent', 'paused', 'unsubscribed', 'resumed', 'corrected', 'restricted',
    'restriction-lifted', 'links-ended'
  )),
  note text check (char_length(note) between 1 and 2000)
);

create index network_events_member on public.network_events (member_id, id);
alter table public.network_events enable row level security;
revoke all on table public.network_events from public, anon, authenticated, service_role;
revoke all on sequence public.network_events_id_seq from public, anon, authenticated, service_role;

create trigger keep_log before update or delete or truncate on public.network_events
  for each statement execute function private.keep_log();

-- Adds an entry to a member's log. For actor_kind admin, the actor is the caller. The list of erasures beside the backups
-- names stops of mail and their ends, so that a restore repeats them.
create function private.record_member_event(member_id uuid, actor_kind text, action text, note text) returns void
language sql volatile
set search_path = ''
as $$
  insert into public.network_events (member_id, actor_kind, actor, action, note)
  values (member_id, actor_kind, case when actor_kind = 'admin' then auth.uid() end, action, note);
  select pg_catalog.pg_notify('what_is_gone', '') where action in ('unsubscribed', 'resumed');
$$;

-- The secret keys of members' links. One is in use; an operator replaces it after a leak. Backups and moves hold them.
-- Made at first use, so that each database has its own.
create table private.link_keys (
  reference text primary key default 'LK-' || substr(private.new_request_reference(), 4) check (reference ~ '^LK-'),
  secret bytea not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    check (octet_length(secret) = 32),
  -- Links in letters work for 60 days more, links to pages end at once.
  ended_at timestamptz
);

create unique index link_keys_in_use on private.link_keys ((true)) where ended_at is null;

-- The list of erasures beside the backups names replaced keys, so that a restore replaces them again.
create trigger tell_what_is_gone after update on private.link_keys
  referencing new table as changed for each statement execute function private.tell_what_is_gone();

-- Returns the key in use, and makes the first one.
create function private.link_key() returns bytea
language plpgsql
set search_path = ''
as $$
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

-- Ends the key in use, and with it all links to members' pages at once: the next link makes a new key. Links in letters
-- go on stopping mail for 60 days, and later letters have new ones. For operators, after a leak of the database or a
-- backup.
create function private.change_link_key() returns void
language sql
set search_path = ''
as $$ update private.link_keys set ended_at = now() where ended_at is null $$;

-- Returns the HMAC-SHA-256 (RFC 2104) of a text. The key has at most 64 bytes. In SQL, because the extension with the
-- function hmac is not in every engine.
create function private.keyed_digest(key bytea, content text) returns bytea
language sql immutable
set search_path = ''
as $$
  select sha256(outer_key || sha256(inner_key || convert_to(content, 'UTF8')))
  from (
    select string_agg(set_byte('\x00', 0, byte # 54), '' order by n) as inner_key,
      string_agg(set_byte('\x00', 0, byte # 92), '' order by n) as outer_key
    from generate_series(0, 63) as n, get_byte(key || decode(repeat('00', 64 - length(key)), 'hex'), n) as byte
  ) as padded
$$;

-- Returns the code in a member's link. purpose: "letter", whose link works as long as the member is stored, or "page",
-- whose link ends with the next one.
create function private.member_link_code(key bytea, member public.network_members, purpose text) returns bytea
language sql stable
set search_path = ''
as $$
  select private.keyed_digest(key, concat_ws(
    ' ', 'link', purpose, member.id,
    case when purpose = 'page' then (extract(epoch from member.page_link_at) * 1000000)::bigint end
  ))
$$;

-- Returns the token of a member's link: the id and the code, in base64url. Nothing of it is stored.
create function private.member_token(member public.network_members, purpose text) returns text
language sql
set search_path = ''
as $$
  select translate(
    encode(uuid_send(member.id) || private.member_link_code(private.link_key(), member, purpose), 'base64'), '+/', '-_'
  )
$$;

-- All that remains of a person who left. A restore of an older backup removes them again by it. A person who joins anew
-- clears it.
create table private.network_departures (
  -- The list of erasures with the backups names departures and erasures alike, so the references differ.
  reference text primary key default 'NW-' || substr(private.new_request_reference(), 4) check (reference ~ '^NW-'),
  -- Salted; see private.salted_digest.
  email_hash text not null check (email_hash ~ '^[0-9a-f]{96}$'),
  left_at timestamptz not null default now()
);

create trigger salt_tombstone before insert on private.network_departures
  for each row execute function private.salt_tombstone();

create trigger tell_what_is_gone after insert on private.network_departures
  referencing new table as changed for each statement execute function private.tell_what_is_gone();
