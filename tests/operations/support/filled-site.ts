import type { PGlite } from "@electric-sql/pglite";

/** Number of messages: 500 people sent two each; 100 messages are recent. */
export const messages = 1000;

/** Consent id of a visitor who allowed analytics. */
export const consentId = "c".repeat(32);

/** Values that must never be in the pack. */
export const personalData = ["Zoë Example", "zoe1@example.com", "A private question", "203.0.113.7", "Mozilla/5.0"];

/** Fills a database as after some years of use, including proofs of deletions. */
export async function fillSite(database: Pick<PGlite, "exec">): Promise<void> {
  await database.exec(`
    insert into public.contact_submissions
      (id, name, email, company, stage, goal, message, ip_address, created_at, consented_at, consent_policy_version, consent_text_hash)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Zoë Example', 'zoe' || (n + 1) / 2 || '@example.com', 'C', 'S', 'G',
      'A private question', '203.0.113.7', now() - case when n <= 100 then interval '1 day' else interval '60 days' end,
      now(), '1.0', '0b8b8ae6cd1f7b2cf0121590d4ad685288eb0fa7e89ea62ba925acd77c36eee9'
    from generate_series(1, ${messages}) as n;

    insert into public.data_rights_requests
      (reference, request_type, name, email, description, state, received_at, due_on, confirmed_at, closed_at, extended_at, extension_reason)
    select 'DR-2222-222' || n, type, 'Zoë Example', 'request' || n || '@example.com', 'A private question', state,
      now() - age, (now() - age)::date + 30, case when state <> 'unconfirmed' then now() - age end,
      case when state in ('completed', 'refused') then now() - age + took end, extended, case when extended is not null then 'Many' end
    from (values
      (2, 'access', 'completed', interval '20 days', interval '4 days', null),
      (3, 'access', 'completed', interval '20 days', interval '8 days', null),
      (4, 'access', 'unconfirmed', interval '2 days', null, null),
      (5, 'erasure', 'open', interval '40 days', null, null),
      (6, 'object', 'refused', interval '30 days', interval '6 days', now())
    ) as request (n, type, state, age, took, extended);

    insert into private.retention_runs (ran_at, source, counts) values
      (date_trunc('month', now()), 'server', '{"submissions": 2, "mails": 3}'),
      (date_trunc('month', now()) + interval '1 second', 'server', '{"submissions": 3, "mails": 4}'),
      (date_trunc('month', now()) - interval '1 day', 'server', '{"submissions": 4}');
    insert into private.erasure_tombstones (reference, email_hash, counts, erased_by)
      values ('DR-GONE-2222', repeat('a', 64), '{}', gen_random_uuid());

    insert into private.consent_history
      (session_id, analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source, decided_at)
      values ('${consentId}', true, false, true, '1.0', '9bcb4f3f73fc2cd8a08c1eb5c43531d57ad7eba60aee58a8907bb61c1a2302df', 'banner', '2026-03-04T05:06:07Z');
    insert into public.user_consents
      (session_id, analytics_consent, marketing_consent, functional_consent, user_agent, consent_version, updated_at)
      values ('${consentId}', true, false, true, 'Mozilla/5.0 (Test)', '1.0', '2026-03-04T05:06:07Z');`);
}
