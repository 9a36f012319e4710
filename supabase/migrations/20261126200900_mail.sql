-- The outbox, the mail limits and the attempt counters.

-- Returns the mailbox that mail providers deliver an address to, in lower case: they ignore a +tag, and Gmail ignores
-- dots. Gmail's second domain becomes gmail.com.
create function private.mailbox_key(email text) returns text
language sql immutable
set search_path = ''
as $$
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
$$;

-- Mail to be sent, stored in the same transaction as the change that it reports. It contains a visitor's own text, so
-- it references its message or request and is deleted with it; mail with an account link references the link, and mail
-- to a member of the network the member. Only digests, mails about trouble, account mails, letters that admins mail to
-- themselves and the last mail to an erased person reference nothing; these are deleted as soon as they are delivered. A
-- given-up account mail or letter to oneself stays for the admins' list, the others go.
create table private.email_outbox (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid references public.contact_submissions (id) on delete cascade,
  kind text not null check (kind in (
    'firm', 'digest', 'acknowledgement', 'reply', 'request-firm', 'request-acknowledgement', 'request-answer', 'account',
    'account-link', 'network', 'letter', 'letter-trial', 'trouble'
  )),
  -- Null means the firm, at the address set at the time of delivery, so that a mistyped setting can be corrected.
  recipient text,
  reply_to text,
  -- For the From header: the admin who wrote the reply, or the firm that sends the letter.
  sender_name text,
  subject text not null,
  body text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- The site tries for five days from the first attempt, or from the first after an admin sent it again.
  first_attempt_at timestamptz,
  attempted_at timestamptz,
  -- The connection was lost after the whole mail, so it may have arrived. One more try follows, or none.
  is_perhaps_delivered boolean not null default false,
  leased_until timestamptz,
  delivered_at timestamptz,
  gave_up_at timestamptz,
  -- A code like 'smtp-550-5-1-1', and after a space the server's own words in one line, without addresses. 'expired-'
  -- before it: given up because of the time, not by the mailbox.
  last_error text check (last_error ~ '^[a-z0-9_-]{1,48}( [^\n\r@]+)?$' and char_length(last_error) <= 350),
  request_id uuid references public.data_rights_requests (id) on delete cascade,
  -- True for mail that references nothing (see above).
  forget_when_delivered boolean not null default false,
  -- A mail with an account link is deleted with the link.
  account_link_id uuid references private.account_links (id) on delete cascade,
  -- Earlier mails of the same conversation, the oldest first (RFC 5322, section 3.6.4).
  thread uuid[] not null default '{}',
  member_id uuid references public.network_members (id) on delete cascade,
  -- The member's link that stands between body and closing (private.member_token). It is added when the mail is claimed.
  link_to text check (link_to in ('page', 'letter')),
  closing text,
  -- Set while the mail waits for the hourly limit: the client network that caused it (private.mail_turn). Until then,
  -- next_attempt_at is its place in the line.
  line text check (line ~ '^([A-Za-z0-9_-]{43})?$'),
  -- A mail that the network sends by itself.
  about text check (about in ('reminder', 'renewal')),
  constraint email_outbox_link_check check (link_to is null or (member_id is not null and closing is not null)),
  constraint email_outbox_recipient_check check (recipient is not null or kind in ('firm', 'digest', 'trouble', 'request-firm')),
  constraint email_outbox_owner_check check (
    num_nonnulls(submission_id, request_id, account_link_id, member_id) = case when forget_when_delivered then 0 else 1 end
  )
);

create index email_outbox_due on private.email_outbox (next_attempt_at)
  where delivered_at is null and gave_up_at is null;

create index email_outbox_submission on private.email_outbox (submission_id);

create index email_outbox_request on private.email_outbox (request_id);

create index email_outbox_mailbox on private.email_outbox (private.mailbox_key(recipient), created_at)
  where kind in ('acknowledgement', 'request-acknowledgement');

create index email_outbox_acknowledged on private.email_outbox (created_at)
  where kind in ('acknowledgement', 'request-acknowledgement');

-- The admin's page counts undelivered mail, which is little compared with a month of delivered mail.
create index email_outbox_undelivered on private.email_outbox (created_at) where delivered_at is null;

create index email_outbox_line on private.email_outbox (kind, next_attempt_at) where line is not null;

create index email_outbox_attempted on private.email_outbox (attempted_at) where kind = 'letter';

create index email_outbox_delivered on private.email_outbox (delivered_at) where delivered_at is not null;

create index email_outbox_account_link on private.email_outbox (account_link_id);

create index email_outbox_member on private.email_outbox (member_id) where member_id is not null;

create trigger tell_what_is_gone after delete on private.email_outbox
  referencing old table as changed for each statement execute function private.tell_what_is_gone();

-- Raises 22023 unless a mail {subject, body, closing} has a subject of one line and a body. closing follows a member's
-- link; other mails have none. The largest is a letter of 20,000 characters with its footer.
create function private.require_mail(mail jsonb) returns void
language plpgsql immutable
set search_path = ''
as $$
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

-- A request's or an account's mail contains secret links. After delivery, the retained copy must not. (Members' links
-- are in no stored mail.)
create function private.without_tokens(body text) returns text
language sql immutable
set search_path = ''
as $$ select regexp_replace(body, 'token=[A-Za-z0-9_-]+', 'token=(removed)', 'g') $$;

-- Returns true for a mail that is part of restricted data.
create function private.is_frozen(mail private.email_outbox) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.personal_records as owner
    where owner.id = coalesce(mail.submission_id, mail.request_id, mail.member_id) and owner.frozen_at is not null
  )
$$;

-- Returns true for a mail that must wait: for its turn in the line, or until a restriction is lifted. The reply to a data rights request does not
-- wait, because the firm owes it even under a restriction (GDPR, articles 12(3), 18(3)); neither does the link to
-- released data, which is part of that reply. Mail to the firm about a request does not wait either: it names a
-- reference and a day, and the firm's duty is not restricted. A mail with an expired account link waits to be deleted
-- with the link.
create function private.is_held(mail private.email_outbox) returns boolean
language sql stable
set search_path = ''
as $$
  select mail.line is not null or mail.kind not in ('request-answer', 'request-firm') and private.is_frozen(mail)
    and not exists (select 1 from private.data_packages as package where package.request_id = mail.request_id)
    or exists (
      select from private.account_links as link where link.id = mail.account_link_id and link.expires_at <= now()
    )
$$;

-- Lists the letters that may be tried now: 60 a minute in all and 20 to one domain, because mail services slow down
-- senders of many mails.
create function private.list_paced_letters() returns setof uuid
language sql stable
set search_path = ''
as $$
  with recent as (
    select split.domain from private.email_outbox as mail
    cross join lateral lower(substring(mail.recipient from '[^@]*$')) as split (domain)
    where mail.kind = 'letter' and mail.attempted_at between now() - interval '1 minute' and now() + interval '1 minute'
  ), waiting as (
    select mail.id, mail.next_attempt_at, split.domain,
      row_number() over (partition by split.domain order by mail.next_attempt_at, mail.id) as place
    from private.email_outbox as mail
    cross join lateral lower(substring(mail.recipient from '[^@]*$')) as split (domain)
    where mail.kind = 'letter' and mail.delivered_at is null and mail.gave_up_at is null
      and mail.next_attempt_at <= now() and (mail.leased_until is null or mail.leased_until <= now())
  )
  select waiting.id from waiting
  where waiting.place + (select count(*) from recent where recent.domain = waiting.domain) <= 20
  order by waiting.next_attempt_at, waiting.id
  limit greatest(0, 60 - (select count(*) from recent))
$$;

-- Leases due mail, except held mail, to one worker. Several workers may run: each mail is leased to one, and the mails
-- of a crashed worker become due again when the lease expires. Delivery is therefore at least once. Letters to the
-- network are leased by themselves, at a limited pace, and only while no other mail is due, so that they delay no other
-- mail.
create function public.claim_due_mail(batch_size integer, lease_seconds integer, letters boolean default false)
returns table (
  id uuid, kind text, recipient text, reply_to text, sender_name text, subject text, body text, thread uuid[],
  attempts integer, created_at timestamptz, link jsonb
)
language sql security definer
set search_path = ''
as $$
  with due as (
    select mail.id
    from private.email_outbox as mail
    where mail.delivered_at is null
      and mail.gave_up_at is null
      and mail.next_attempt_at <= now()
      and (mail.leased_until is null or mail.leased_until <= now())
      and not private.is_held(mail)
      and (mail.kind = 'letter') = letters
      and (not letters or mail.id in (select private.list_paced_letters()))
      and not (letters and exists (
        select from private.email_outbox as other
        where other.delivered_at is null and other.gave_up_at is null and other.next_attempt_at <= now()
          and (other.leased_until is null or other.leased_until <= now())
          and other.kind <> 'letter' and not private.is_held(other)
      ))
    -- Mails of one moment have an order, too, so that both engines lease the same.
    order by mail.next_attempt_at, mail.kind
    limit least(greatest(batch_size, 0), 100)
    for update skip locked
  )
  update private.email_outbox as mail
  set leased_until = now() + make_interval(secs => lease_seconds), attempts = mail.attempts + 1, attempted_at = now(),
    -- A clock that was ahead would grant more than five days.
    first_attempt_at = least(mail.first_attempt_at, now())
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

comment on function public.claim_due_mail is
  'Leases up to batch_size due mails (100 at most) for lease_seconds and counts the attempt. Settle them with '
  'settle_mails. letters: leases letters to the network, as many as their pace allows and none while other mail is '
  'due; otherwise other mail only. thread: the ids of earlier mails in the conversation, the oldest first. link: {to, '
  'token, closing}, the member''s link that follows the body, and the text after it; null for other mails.';
revoke all on function public.claim_due_mail from public, anon, authenticated, service_role;
grant execute on function public.claim_due_mail to service_role;

-- Shared by all containers: counts of attempts with passwords and codes, of acknowledgements, and of unsigned calls.
-- Keys of the first two are HMACs that only the web tier can compute, so a caller with the publishable key can neither
-- find nor raise another person's count. Unlogged: after a database crash counting starts over, and no attempt waits
-- for a disk.
--
-- Calls that the site signs with SITE_KEY are limited by the site itself. All unsigned callers together share 20 an
-- hour for each function. The keys of these shared counts do not match what count_attempt accepts, so an anonymous
-- caller cannot reset one. The same applies to the shared count of callers without a client code.
create unlogged table private.rate_limits (
  key text primary key check (key ~ '^([A-Za-z0-9_-]{43}|(no-client|unsigned|all):[a-z-]{1,40})$'),
  hits integer not null check (hits <= 1000000),
  resets_at timestamptz not null,
  -- The time from the first hit to resets_at.
  lasts interval not null
);

create index rate_limits_resets_at on private.rate_limits (resets_at);

-- Adds an attempt to a subject's count, or takes one back, and returns the total. The web tier defines the limits.
create function public.count_attempt(subject_key text, change integer, seconds integer)
returns table (hits integer, seconds_left integer)
language plpgsql security definer
set search_path = ''
as $$
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
    insert into private.rate_limits as existing (key, hits, resets_at, lasts)
    select subject_key, change, now() + make_interval(secs => seconds), make_interval(secs => seconds)
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
$$;

comment on function public.count_attempt is
  'Counts an attempt of a subject (change 1), or takes one back (-1). A count lasts for the given seconds from its '
  'first attempt. Returns the total {hits, seconds_left}; no row for a new key while the table is full. Raises 22023 '
  'for malformed arguments.';
revoke all on function public.count_attempt from public, anon, authenticated, service_role;
grant execute on function public.count_attempt to anon;

-- Visitors can enter other people's addresses in a form, so the mails that forms cause are limited. Confirmations, which
-- a page promises (of data rights requests, and with members' links), are limited per mailbox, and wait for the site's
-- hourly limit in a line. Acknowledgements of contact messages, which no page promises, are limited per client as well,
-- and above a limit they are not sent. app/content/facts.ts repeats these limits for the policy and the settings.
create function private.acknowledgement_limits()
returns table (
  per_mailbox_and_day integer, per_client_and_day integer, per_network_and_day integer, per_hour integer,
  waiting integer, waiting_per_network integer
)
language sql immutable
set search_path = ''
as $$ values (3, 5, 20, 60, 200, 5) $$;

-- Increments a count in the table of attempts, which lasts for a period from its first hit, and returns the total.
create function private.count_hit(code text, period interval) returns integer
language sql
set search_path = ''
as $$
  insert into private.rate_limits as existing (key, hits, resets_at, lasts)
  values (code, 1, now() + period, period)
  on conflict (key) do update set
    hits = case when existing.resets_at <= now() then 1 else least(existing.hits + 1, 1000000) end,
    resets_at = case when existing.resets_at <= now() then excluded.resets_at else existing.resets_at end
  returning existing.hits
$$;

-- Returns the key under which questions about a mailbox are counted. Only the database can compute it.
create function private.mailbox_code(purpose text, email text) returns text
language sql
set search_path = ''
as $$
  select translate(rtrim(encode(
    private.keyed_digest(private.link_key(), concat_ws(' ', 'mailbox', purpose, private.mailbox_key(email))), 'base64'
  ), '='), '+/', '-_')
$$;

-- Returns how many reminders and renewals the network may send in an hour: a third of the hourly limit, so that they and
-- the mails that visitors ask for leave room for each other.
create function private.reminders_per_hour(per_hour integer) returns integer
language sql immutable
set search_path = ''
as $$
  select case when reminders_per_hour.per_hour = 0 then 20
    else least(20, greatest(1, coalesce(reminders_per_hour.per_hour, limits.per_hour) / 3)) end
  from private.acknowledgement_limits() as limits
$$;

-- Returns how many more mails of a kind the hourly limit allows now. 0 as the limit turns it off. Mails with members'
-- links are counted by a counter, because the place of an unknown address counts too. Of the others no more than the limit
-- are counted: without a limit an hour can have thousands.
create function private.room_this_hour(kind text, per_hour integer) returns integer
language sql stable
set search_path = ''
as $$
  select case when allowed.mails = 0 then 1000000 else allowed.mails - case
    when kind = 'network' then coalesce((
      select counted.hits from private.rate_limits as counted
      -- A later end was set while the clock was ahead.
      where counted.key = 'all:network' and counted.resets_at between now() and now() + interval '61 minutes'
    ), 0)
    else (
      select count(*) from (
        select from private.email_outbox as mail
        where mail.kind in ('acknowledgement', 'request-acknowledgement') and mail.kind = room_this_hour.kind
          and mail.created_at between now() - interval '1 hour' and clock_timestamp() and mail.line is null
        limit allowed.mails
      ) as sent
    )
  end end
  from private.acknowledgement_limits() as limits
  cross join lateral (select coalesce(room_this_hour.per_hour, limits.per_hour) as mails) as allowed
$$;

-- A mail's turn in the line for the hourly limit.
create type private.mail_turn as (
  -- The client network: its code, or empty for all callers without one.
  line text,
  -- Its place among all that wait.
  place timestamptz,
  -- The most hours until it goes; 0 when it need not wait.
  hours integer,
  -- True when it cannot wait: the line, or the network's part of it, is full.
  is_full boolean,
  -- The limit because of which this mail is not sent at all: mailbox, client or site. The page must not reveal it.
  withheld_by text
);

-- Finds the turn that a mail would get now. Each mail that a network has waiting moves its next one back by the time in
-- which a full line empties. So networks take turns, each with its oldest mail, and nothing waits longer than five
-- times that. A line never holds more than a day's mails. is_again: the same form was posted a moment ago, so the
-- network's last place is its own.
create function private.find_turn(kind text, client_codes jsonb, per_hour integer, is_again boolean default false)
returns private.mail_turn
language plpgsql stable
set search_path = ''
as $$
declare
  limits record;
  turn private.mail_turn;
  -- Mails of the line in an hour.
  pace numeric;
  most integer;
  total integer;
  own integer;
  last_own timestamptz;
  ahead integer;
begin
  select * into limits from private.acknowledgement_limits();
  pace := greatest(1, coalesce(nullif(coalesce(per_hour, limits.per_hour), 0), 1000000)
    - case when kind = 'network' then private.reminders_per_hour(per_hour) else 0 end);
  most := least(limits.waiting, 24 * pace);
  turn.line := coalesce(client_codes ->> 'network', client_codes ->> 'client', '');
  select count(*), count(*) filter (where mail.line = turn.line),
    max(mail.next_attempt_at) filter (where mail.line = turn.line)
  into total, own, last_own
  from private.email_outbox as mail where mail.line is not null and mail.kind = find_turn.kind;
  if is_again and own > 0 then
    own := own - 1;
    total := total - 1;
  end if;
  turn.place := greatest(
    clock_timestamp() + own * most / pace * interval '1 hour', last_own + interval '1 microsecond'
  );
  if private.room_this_hour(kind, per_hour) > total then
    turn.hours := 0;
    turn.is_full := false;
    return turn;
  end if;
  select count(*) into ahead from private.email_outbox as mail
  where mail.line is not null and mail.kind = find_turn.kind and mail.next_attempt_at < turn.place;
  -- Later mails of other networks may pass all but a network's first.
  turn.hours := ceil(case when own = 0 then (ahead + 1 - is_again::integer) / pace else (own + 1) * most / pace end);
  turn.is_full := total >= most or own >= limits.waiting_per_network;
  return turn;
end;
$$;

-- Decides when a mail that a visitor causes goes, if it goes. Contact messages, data rights requests and questions to
-- the network have separate limits: otherwise three contact messages in a person's name would withhold the links that
-- this person's request depends on. client_codes: {client, network}, HMACs from the web tier; all callers without a
-- code count as one client and one network.
--
-- Of the network, questions are counted and not mails. Hours and is_full never depend on the address.
create function private.decide_mail(kind text, recipient text, client_codes jsonb, per_hour integer)
returns private.mail_turn
language plpgsql
set search_path = ''
as $$
declare
  limits record;
  turn private.mail_turn;
  mailbox text := private.mailbox_key(recipient);
  is_over boolean := false;
  of_mailbox integer;
begin
  select * into limits from private.acknowledgement_limits();
  -- Serializes concurrent calls, so that the counts below are exact. No caller waits for another advisory lock after
  -- this one.
  perform pg_advisory_xact_lock(hashtextextended('acknowledgements', 0));
  if kind = 'acknowledgement' then
    select bool_or(private.count_hit(code, interval '24 hours') > most) into is_over
    from (
      select code, most
      from (
        values (coalesce(client_codes ->> 'client', 'no-client:acknowledgement'), limits.per_client_and_day),
          (client_codes ->> 'network', limits.per_network_and_day)
      ) as codes (code, most)
      where code is not null order by code
    ) as codes;
  else
    turn := private.find_turn(kind, client_codes, per_hour);
  end if;
  if kind = 'network' then
    of_mailbox := private.count_hit(private.mailbox_code(kind, mailbox), interval '24 hours') - 1;
  else
    select count(*) into of_mailbox
    from private.email_outbox as mail
    -- Both conditions: the first matches the partial index, the second is known only at run time.
    where mail.kind in ('acknowledgement', 'request-acknowledgement') and mail.kind = decide_mail.kind
      and mail.created_at > now() - interval '24 hours' and private.mailbox_key(mail.recipient) = mailbox;
  end if;
  turn.withheld_by := case
    when of_mailbox >= limits.per_mailbox_and_day then 'mailbox'
    when is_over then 'client'
    when kind = 'acknowledgement' and private.room_this_hour(kind, per_hour) <= 0 then 'site'
  end;
  return turn;
end;
$$;

-- Raises PT429 if a promised mail would have no place in the line: then nothing is stored.
create function private.require_room(turn private.mail_turn) returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  if turn.is_full then
    raise exception 'too many mails wait' using errcode = 'PT429';
  end if;
end;
$$;

-- Returns true while a mail to a member, or to the person of a request, waits in the line.
create function private.has_mail_in_line(owner_id uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.email_outbox as mail
    where mail.line is not null and (mail.member_id = owner_id or mail.request_id = owner_id)
  )
$$;

-- Lets a mail in the line go, and counts it. The place of an address that gets no mail is deleted, and so is the mail of
-- a request that was closed. Earlier links to a member's page end only now. The caller has locked its owner.
create function private.release_mail(mail private.email_outbox) returns void
language plpgsql
set search_path = ''
as $$
begin
  if mail.kind = 'network' then
    perform private.count_hit('all:network', interval '1 hour');
  end if;
  delete from private.email_outbox as waiting
  where waiting.id = mail.id and waiting.line is not null and (waiting.forget_when_delivered or exists (
    select from public.data_rights_requests as request
    where request.id = waiting.request_id and request.closed_at is not null
  ));
  update private.email_outbox as waiting set line = null, created_at = now(), next_attempt_at = now()
  where waiting.id = mail.id and waiting.line is not null;
  if found then
    update private.open_members as member set page_link_at = now() where member.id = mail.member_id;
  end if;
end;
$$;

-- Each run of deliver-outbox asks for the mails that the hour still allows, kind by kind, in the order of their places.
-- A place was fixed when the mail joined the line, so nothing is sorted by network here, and no later mail of a network
-- can pass the first mail of another. Owners are locked before their mails, as everywhere.
create function public.release_waiting_mail(per_hour integer default null) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  mails private.email_outbox[];
begin
  -- Usually nothing waits, and this is called every few seconds.
  if not exists (select from private.email_outbox as waiting where waiting.line is not null) then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('acknowledgements', 0));
  mails := array(
    select mail::private.email_outbox
    from unnest(array['request-acknowledgement', 'network']) as line (kind)
    cross join lateral (
      select * from private.email_outbox as waiting
      where waiting.line is not null and waiting.kind = line.kind
      order by waiting.next_attempt_at, waiting.id
      limit greatest(0, private.room_this_hour(line.kind, per_hour))
    ) as mail
  );
  -- Owners before their mails, in the order of settle_mails.
  perform from public.data_rights_requests as request
  where request.id in (select mail.request_id from unnest(mails) as mail) order by request.id for update;
  perform from public.network_members as member
  where member.id in (select mail.member_id from unnest(mails) as mail) order by member.id for update;
  perform private.release_mail(mail::private.email_outbox) from unnest(mails) as mail;
end;
$$;

comment on function public.release_waiting_mail is
  'Lets as many mails in the line go as the hourly limit allows, one client network in turn. per_hour: the limit; null '
  'for the default, 0 for none.';
revoke all on function public.release_waiting_mail from public, anon, authenticated, service_role;
grant execute on function public.release_waiting_mail to service_role;

create function public.send_waiting_mail(mail_id uuid) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  mail private.email_outbox;
begin
  perform private.require_admin();
  select * into mail from private.email_outbox as waiting
  where waiting.id = send_waiting_mail.mail_id and waiting.line is not null and not waiting.forget_when_delivered;
  if mail.id is null then
    return false;
  end if;
  perform from public.data_rights_requests as request where request.id = mail.request_id for update;
  perform from public.network_members as member where member.id = mail.member_id for update;
  perform private.release_mail(mail);
  if mail.request_id is not null then
    perform private.record_request_event(mail.request_id, 'admin', 'confirmation-hurried', null);
  else
    perform private.record_member_event(mail.member_id, 'admin', 'link-sent', null);
  end if;
  return true;
end;
$$;

comment on function public.send_waiting_mail is
  'Lets a mail in the line for the hourly limit go at once, and logs it. Returns false for a mail that does not wait '
  'there. Raises 42501 for non-admins.';
revoke all on function public.send_waiting_mail from public, anon, authenticated, service_role;
grant execute on function public.send_waiting_mail to authenticated;

-- Records the results of delivery attempts. Mails sent in parallel finish at about the same time, so one call settles
-- them all in one statement, which writes each mail and its index entries once.
--
-- A mailbox that refuses a mail ends the attempts: the mail is given up and reopens its message or request. Every other
-- failure is the operator's to mend, so the mail waits, and /admin shows it. If another mailbox was refused with the same
-- code, and no mail was delivered since, the server may refuse everybody: then the mail waits as well. After five days
-- any mail is given up, and stands where admins look. A mail that may have arrived is tried once more if somebody waits
-- for it, and given up otherwise, or when it may have arrived again. A busy server costs no try.
--
-- Results of the same batch may contradict each other, because a lease can end while its session goes on: then success
-- wins, since a second copy is worse than a mail that is marked as delivered. What follows from a result (a message that
-- is answered, a request that is open again, a member whose clock starts) happens in this transaction too, so a crash
-- between the mail server and this call repeats all of it or nothing.
--
-- Copies retained after delivery contain no secret links. Without a mail server, a mail is a file
-- named after its row and deleted with it. The last mail to an erased person must therefore keep its row while its file
-- may still be read: 'filed' counts as delivered, but deletes nothing.
create function public.settle_mails(attempts jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  last_delivery timestamptz := (select max(mail.delivered_at) from private.email_outbox as mail where mail.delivered_at is not null);
  ids uuid[] := array(select attempt.mail_id from jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid));
  doubted_codes text[];
  settled private.email_outbox;
begin
  if exists (
    select from jsonb_to_recordset(settle_mails.attempts) as attempt (outcome text)
    where attempt.outcome is null or attempt.outcome not in ('delivered', 'filed', 'retry', 'rejected', 'busy', 'perhaps')
  ) then
    raise exception 'unknown outcome' using errcode = '22023';
  end if;

  -- Lock messages, requests, members and account links before their mails, as other functions do.
  perform from public.contact_submissions as submission
  where submission.id in (
    select mail.submission_id from private.email_outbox as mail where mail.id = any (ids) and mail.kind = 'reply'
  ) order by submission.id for update;
  perform from public.data_rights_requests as request
  where request.id in (
    select mail.request_id from private.email_outbox as mail
    where mail.id = any (ids) and mail.kind in ('request-answer', 'request-acknowledgement')
  ) order by request.id for update;
  perform from public.network_members as member
  where member.id in (
    select mail.member_id from private.email_outbox as mail
    where mail.id = any (ids) and mail.kind in ('network', 'letter')
  ) order by member.id for update;
  perform from private.account_links as link
  where link.id in (
    select mail.account_link_id from private.email_outbox as mail where mail.id = any (ids)
  ) order by link.id for update;
  -- So stop_letter runs before these attempts are settled, or after.
  perform from public.network_letters as letter
  where letter.id in (
    select recipient.letter_id from private.letter_recipients as recipient where recipient.mail_id = any (ids)
  ) order by letter.id for share;

  -- A server that refuses everybody gives all the same reply.
  doubted_codes := array(
    select split_part(coalesce(attempt.error_code, mail.last_error), ' ', 1)
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

  -- The firm's mail was taken for some of its addresses: the others get it by themselves.
  insert into private.email_outbox (
    submission_id, request_id, kind, recipient, reply_to, subject, body, forget_when_delivered, next_attempt_at
  )
  select mail.submission_id, mail.request_id, mail.kind, address, mail.reply_to, mail.subject, mail.body,
    mail.forget_when_delivered, now() + interval '5 minutes'
  from jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid, postponed text[])
  join private.email_outbox as mail on mail.id = attempt.mail_id
  cross join unnest(attempt.postponed) as address
  where mail.recipient is null and mail.delivered_at is null;

  for settled in update private.email_outbox as mail
  set leased_until = null,
    last_error = case
      when attempt.is_sent then null
      when attempt.is_expired then 'expired-' || coalesce(attempt.error_code, 'failed')
      else attempt.error_code
    end,
    attempts = mail.attempts - case when attempt.outcome = 'busy' then 1 else 0 end,
    is_perhaps_delivered = mail.is_perhaps_delivered or attempt.outcome = 'perhaps',
    delivered_at = case when attempt.is_sent then now() end,
    gave_up_at = case when attempt.is_given_up or attempt.is_expired then now() end,
    -- 15 s, 30 s, 1 min … 6 h, plus up to 10% jitter so that a recovered server does not get all mail at the same
    -- moment.
    next_attempt_at = now() + case
      when attempt.outcome = 'busy' then make_interval(secs => coalesce(attempt.wait_seconds, 15))
      else least(interval '15 seconds' * power(2, least(greatest(mail.attempts - 1, 0), 12)), interval '6 hours')
        * (1 + random() / 10)
    end,
    body = case
      when (attempt.is_sent or attempt.is_given_up or attempt.is_expired) and mail.kind in ('firm', 'request-acknowledgement', 'account-link')
      then private.without_tokens(mail.body)
      else mail.body
    end
  from (
    -- If a mail is settled twice, success wins.
    select distinct on (attempt.mail_id) attempt.*, attempt.outcome in ('delivered', 'filed') as is_sent,
      (
        attempt.outcome = 'rejected' and queued.recipient is not null
        and not coalesce(split_part(attempt.error_code, ' ', 1) = any (doubted_codes), false)
      ) or (
        attempt.outcome = 'perhaps' and (
          queued.is_perhaps_delivered
          or queued.kind in ('letter', 'letter-trial', 'acknowledgement', 'request-acknowledgement', 'account')
        )
      ) as is_given_up,
      attempt.outcome in ('retry', 'rejected', 'busy') and queued.first_attempt_at < now() - interval '5 days' as is_expired
    from jsonb_to_recordset(settle_mails.attempts) as attempt (
      mail_id uuid, outcome text, error_code text, wait_seconds double precision
    )
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
    elsif settled.kind = 'network' and settled.last_error like 'expired-%' then
      -- An outage costs nobody the days to confirm: a reminder follows.
      update public.network_members as member set asked_at = now()
      where member.id = settled.member_id and member.state = 'asked';
    elsif settled.kind = 'request-acknowledgement' then
      perform private.settle_reminder(settled);
    elsif settled.kind = 'account-link' and settled.delivered_at is not null then
      -- The link lasts as long as if there had been no wait.
      update private.account_links as link set expires_at = link.expires_at + (now() - settled.created_at)
      where link.id = settled.account_link_id;
    end if;
  end loop;
  perform private.start_network_clocks(ids);

  -- Stops mail to a mailbox that refuses it, until the member says that mail may come again. A mail that expired unsent
  -- tells nothing about the mailbox.
  with paused as (
    update public.network_members as member
    set paused_at = now(), pause_reason = split_part(attempt.error_code, ' ', 1)
    from jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid, outcome text, error_code text)
    join private.email_outbox as mail on mail.id = attempt.mail_id
    where member.id = mail.member_id and member.paused_at is null
      and mail.kind in ('network', 'letter') and mail.gave_up_at is not null and attempt.outcome = 'rejected'
      and not coalesce(split_part(attempt.error_code, ' ', 1) = any (doubted_codes), false)
    returning member.id
  )
  insert into public.network_events (member_id, actor_kind, action)
  select paused.id, 'system', 'paused' from paused;

  delete from private.email_outbox as mail
  using jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid, outcome text)
  where mail.id = attempt.mail_id
    and mail.forget_when_delivered
    and attempt.outcome <> 'filed'
    and (mail.delivered_at is not null or (mail.gave_up_at is not null and mail.kind not in ('account', 'letter-trial')));
end;
$$;

comment on function public.settle_mails is
  'Settles several attempts, all or none: [{mail_id, outcome, error_code, wait_seconds, postponed}]. outcome: '
  'delivered, filed (written to a file, so the row must stay), retry (after a growing delay), busy (after '
  'wait_seconds; counts as no try), perhaps (it may have arrived) or rejected: the mailbox refused it, which ends the '
  'attempts unless the server may refuse everybody. error_code: a code, and after a space the server''s words. '
  'postponed: addresses of the firm that get its mail later. A mail that is already delivered stays delivered. Raises '
  '22023 for another outcome.';
revoke all on function public.settle_mails from public, anon, authenticated, service_role;
grant execute on function public.settle_mails to service_role;

-- A reply answers its message once the mail server has taken it, and reopens it when the mailbox refuses it, unless a
-- later reply arrived.
create function private.settle_reply(mail private.email_outbox) returns void
language plpgsql
set search_path = ''
as $$
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

-- A reply that nobody received does not close a request (GDPR, article 12(3)).
create function private.reopen_request(mail private.email_outbox) returns void
language plpgsql
set search_path = ''
as $$
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

-- Returns true if a later mail of the same kind about the same message or request was delivered.
create function private.is_replaced(mail private.email_outbox) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.email_outbox as later
    where (later.submission_id = mail.submission_id or later.request_id = mail.request_id) and later.kind = mail.kind
      and later.delivered_at is not null and later.created_at > mail.created_at
  )
$$;

-- Returns true for a mail that an admin may send again: one that was given up, or waits after a failure. A second press
-- of the button finds neither.
create function private.is_resendable(mail private.email_outbox) returns boolean
language sql immutable
set search_path = ''
as $$ select mail.delivered_at is null and (mail.gave_up_at is not null or mail.last_error is not null) $$;

-- Makes a mail due now, to the recipient given, together with all else of its message or request that the same mailbox
-- did not get. They keep their ids, and so their Message-IDs. A running attempt keeps its lease, so that no mail is sent
-- twice.
create function private.requeue(mail private.email_outbox, recipient text) returns setof private.email_outbox
language sql
set search_path = ''
as $$
  update private.email_outbox as queued
  set recipient = requeue.recipient, gave_up_at = null, last_error = null, attempts = 0, next_attempt_at = now(),
    first_attempt_at = null, is_perhaps_delivered = false
  where queued.id = mail.id or (
    (queued.submission_id = mail.submission_id or queued.request_id = mail.request_id)
    and queued.kind in ('firm', 'reply', 'acknowledgement', 'request-answer')
    and queued.recipient is not distinct from mail.recipient
    and private.is_resendable(queued) and not private.is_replaced(queued)
  )
  returning queued.*
$$;

-- Returns the mails that were given up and still need an admin: their message or request is open, their invitation is
-- valid, or their link to a new password was requested within a day. Those that belong to nothing stand for a week.
create function private.find_undelivered() returns setof private.email_outbox
language sql stable
set search_path = ''
as $$
  select mail.*
  from private.email_outbox as mail
  where mail.delivered_at is null and mail.gave_up_at is not null and (
    exists (
      select from private.open_submissions as submission
      where submission.id = mail.submission_id and submission.state in ('new', 'in_progress')
        and submission.quarantine_reason is null and not private.is_replaced(mail)
    ) or exists (
      select from public.data_rights_requests as request
      where request.id = mail.request_id and request.closed_at is null and not private.is_replaced(mail)
    ) or exists (
      select from private.account_links as link
      where link.id = mail.account_link_id
        and link.expires_at > now() - case when link.purpose = 'invitation' then interval '0' else interval '1 day' end
    ) or (mail.forget_when_delivered and mail.gave_up_at > now() - interval '7 days')
  )
$$;

-- Returns why the last reply to a message or request was refused, as a code of the outbox, or null.
create function private.find_refusal(owner_id uuid) returns text
language sql stable
set search_path = ''
as $$
  select mail.last_error from private.email_outbox as mail
  where (mail.submission_id = owner_id or mail.request_id = owner_id) and mail.kind in ('reply', 'request-answer')
    and mail.gave_up_at is not null
  order by mail.gave_up_at desc limit 1
$$;

-- Describes a mail for the list of undelivered mail.
create function private.show_delivery(mail private.email_outbox) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', mail.id, 'kind', mail.kind, 'code', mail.last_error, 'created_at', mail.created_at, 'gave_up_at', mail.gave_up_at,
    'submission', (
      select jsonb_build_object('id', submission.id, 'name', submission.name, 'version', submission.version)
      from private.open_submissions as submission where submission.id = mail.submission_id
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
      from private.open_members as member where member.id = mail.member_id
    )
  )
$$;

create function public.list_undelivered() returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
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

comment on function public.list_undelivered is
  'Returns the mails that need an admin, at most a hundred of each, as private.show_delivery. undelivered: given up, '
  'the newest first; mails to members are on their pages instead. waiting: failed and tried again, the oldest first. '
  'Raises 42501 for non-admins.';
revoke all on function public.list_undelivered from public, anon, authenticated, service_role;
grant execute on function public.list_undelivered to authenticated;

create function public.find_mail(mail_id uuid) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select private.show_delivery(mail) || jsonb_build_object(
      'recipient', mail.recipient, 'waits_in_line', mail.line is not null,
      'is_resendable', private.is_resendable(mail) and mail.kind in ('firm', 'reply', 'acknowledgement', 'request-answer', 'account-link')
    )
    from private.email_outbox as mail where mail.id = mail_id and (mail.recipient is not null or mail.kind = 'firm')
  );
end;
$$;

comment on function public.find_mail is
  'Returns a mail to a person, or the firm''s about a message, as list_undelivered does, with {recipient, '
  'is_resendable, waits_in_line}, or null. recipient: null for the firm. Raises 42501 for non-admins.';
revoke all on function public.find_mail from public, anon, authenticated, service_role;
grant execute on function public.find_mail to authenticated;

-- For deliver-outbox, and for read_inbox, so that undelivered mail does not go unnoticed. Mail that is held on purpose does
-- not count. plpgsql, so that the query is planned once per session.
create function public.outbox_status()
returns table (waiting bigint, given_up bigint, oldest_waiting timestamptz)
language plpgsql stable security definer
set search_path = ''
as $$
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

comment on function public.outbox_status is
  'Returns how much mail waits, how much was given up and still needs an admin, and since when the oldest has been '
  'waiting (one row).';
revoke all on function public.outbox_status from public, anon, authenticated, service_role;
grant execute on function public.outbox_status to service_role;

create function public.count_unsigned_call(function_name text) returns integer
language plpgsql security definer
set search_path = ''
as $$
declare
  most constant integer := 20;
  own_key constant text := 'unsigned:' || function_name;
  counter private.rate_limits;
begin
  -- Read first, so that calls in a flood do not wait for each other's row lock.
  select * into counter from private.rate_limits as existing
  where existing.key = own_key and existing.resets_at > now() and existing.hits >= most;
  if not found then
    if private.count_hit(own_key, interval '1 hour') <= most then
      return null;
    end if;
    select * into counter from private.rate_limits as existing where existing.key = own_key;
  end if;
  return greatest(1, ceil(extract(epoch from counter.resets_at - now())))::integer;
end;
$$;

comment on function public.count_unsigned_call is
  'Counts a call of an edge function that the site did not sign. Returns null for the first 20 within the hour, '
  'otherwise the seconds until the next call is accepted.';
revoke all on function public.count_unsigned_call from public, anon, authenticated, service_role;
grant execute on function public.count_unsigned_call to service_role;
