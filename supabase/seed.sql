-- Examples for development (`npm run seed`, or `supabase db reset` of a local stack): messages in every state, data
-- rights requests of all seven types at every age, consents, members of the network in every state. Running it again adds nothing. All people in it are
-- fictional.
insert into public.contact_submissions
  (id, name, email, company, stage, goal, message, created_at, ip_address, quarantine_reason, state, answered_at,
    answer_notice)
select
  ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
  'Example Sender ' || n,
  'sender' || n || '@example.com',
  'Example Company ' || n,
  (array['Startup', 'Small business', 'Growth stage', 'Enterprise', 'Investor'])[1 + n % 5],
  (array['Automate intake', 'Plan a launch', 'Raise a round', 'Review our data'])[1 + n % 4],
  repeat('We would like to talk about example ' || n || '. ', 1 + n % 7),
  now() - n * interval '9 hours',
  case when n % 3 = 0 then '192.0.2.' || n end,
  case when n % 10 = 9 then 'honeypot' end,
  (array['new', 'new', 'in_progress', 'done', 'spam'])[1 + n % 5],
  case when n % 5 = 3 then now() - n * interval '9 hours' + n % 8 * interval '4 hours' end,
  -- Otherwise the next delivery would send a mail about each.
  case when n > 1 then 'late' end
from generate_series(1, 60) as n
on conflict (id) do nothing;

-- Received 2 to 128 days ago: due in the distant future, soon, today and overdue; one in five is extended.
with example as (
  select
    n,
    ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid as id,
    (array['access', 'rectification', 'erasure', 'portability', 'restrict', 'object', 'other'])[1 + n % 7] as request_type,
    (array['unconfirmed', 'open', 'in_progress', 'open', 'completed', 'refused', 'withdrawn', 'open'])[1 + n % 8] as state,
    now() - n * interval '3 days' + interval '1 hour' as received_at,
    n % 5 = 4 as is_extended
  from generate_series(1, 42) as n
)
insert into public.data_rights_requests
  (id, reference, request_type, name, email, description, state, received_at, due_on, extended_at, extension_reason,
   confirmed_at, closed_at)
select
  id,
  'DR-EXMP-' || translate(lpad(n::text, 4, '2'), '01', 'AB'),
  request_type,
  'Example Person ' || n,
  'person' || n || '@example.com',
  'This is an example of a request about ' || request_type || '.',
  state,
  received_at,
  case
    when is_extended then private.data_rights_extended_to((received_at at time zone 'UTC')::date)
    else private.data_rights_due_on((received_at at time zone 'UTC')::date)
  end,
  case when is_extended then received_at + interval '1 day' end,
  case when is_extended then 'The example is large.' end,
  case when state not in ('unconfirmed', 'refused', 'withdrawn') then received_at + interval '1 hour' end,
  case when state in ('completed', 'refused', 'withdrawn') then received_at + interval '2 days' end
from example
on conflict do nothing;

insert into public.data_rights_events (request_id, at, actor_kind, action)
select id, received_at, 'requester', 'received'
from public.data_rights_requests as request
where reference like 'DR-EXMP-%'
  and not exists (select 1 from public.data_rights_events as event where event.request_id = request.id);

insert into public.user_consents
  (session_id, analytics_consent, marketing_consent, functional_consent, user_agent, consent_version, updated_at)
select md5('example consent ' || n), n % 2 = 0, n % 4 = 0, true, 'Example Browser', '1.0', now() - n * interval '20 days'
from generate_series(1, 30) as n
on conflict do nothing;

insert into private.consent_history
  (session_id, analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source, decided_at)
select session_id, analytics_consent, marketing_consent, true, consent_version, encode(sha256('example'), 'hex'), 'banner', updated_at
from public.user_consents
where user_agent = 'Example Browser'
on conflict do nothing;

-- Asked one to six days ago, so that the links still work; the others confirmed up to two months ago.
with example as (
  select
    n,
    (array['asked', 'confirmed', 'confirmed', 'admitted', 'declined'])[1 + n % 5] as state,
    now() - case when n % 5 = 0 then n % 6 + 1 else n * 2 end * interval '1 day' + interval '1 hour' as asked_at
  from generate_series(1, 29) as n
)
insert into public.network_members
  (id, email, name, company, kind, fields, check_size, place, qualification, state, asked_at, confirmed_at, renewed_at,
   decided_at, consent_text_hash, consent_policy_version)
select
  ('00000000-0000-4000-a000-' || lpad(n::text, 12, '0'))::uuid,
  'investor' || n || '@example.com',
  'Example Investor ' || n,
  'Example Fund ' || n,
  (array['angel', 'credentialed', 'family-office', 'fund', 'lender', 'corporate'])[1 + n % 6],
  (array['platforms', 'ai', 'care-delivery', 'behavioral-health', 'devices', 'wellness', 'infrastructure'])
    [1 + n % 7:2 + n % 7],
  (array['under-25k', '25k-100k', '100k-500k', '500k-2m', 'over-2m'])[1 + n % 5],
  (array['Vermont', 'Ohio', 'Ontario', null])[1 + n % 4],
  (array['income', 'net-worth', 'license', 'entity', 'no'])[1 + n % 5],
  state,
  asked_at,
  case when state <> 'asked' then asked_at + interval '1 hour' end,
  case when state <> 'asked' then asked_at + interval '1 hour' end,
  case when state in ('admitted', 'declined') then asked_at + interval '1 day' end,
  repeat('a', 64),
  '1.0'
from example
on conflict do nothing;

insert into public.network_events (member_id, at, actor_kind, action)
select member.id, step.at, 'member', step.action
from public.network_members as member
cross join lateral (values (1, 'asked', member.asked_at), (2, 'confirmed', member.confirmed_at)) as step (place, action, at)
where member.id::text like '00000000-0000-4000-a000-%' and step.at is not null
  and not exists (select 1 from public.network_events as known where known.member_id = member.id)
order by member.id, step.place;
