import { packageDays } from "~/content/facts";
import type { SiteDatabase } from "../site-database.server";

/**
 * What GDPR Article 33(3)(a) asks to be reported of a breach: categories and approximate numbers of people and of records.
 * Within reach was everything that the database held since then, so what is held now and what was deleted meanwhile.
 * @param since when the breach began at the latest: ISO 8601
 */
export async function measureBreach({ read }: SiteDatabase, since: string) {
  const [people] = await read<Record<string, number>>(countPeople, [since]);
  const categories = await read<Record<string, string | number | null>>(countRecords, [since]);
  const deleted = await read<{ kind: string; records: number }>(
    `select kind, sum(amount::bigint)::int as records
     from private.retention_runs, jsonb_each_text(counts) as counted (kind, amount)
     where ran_at >= $1::timestamptz group by kind having sum(amount::bigint) > 0 order by kind`,
    [since],
  );
  const [erased] = await read<{ people: number }>(
    "select count(*)::int as people from private.erasure_tombstones where erased_at >= $1::timestamptz",
    [since],
  );
  const actions = await read<Record<string, string | number>>(
    `select action, count(*)::int as times, min(at) as first, max(at) as last from (
       select action, at from public.admin_events
       union all select action, at from public.data_rights_events where action in ('exported', 'handed-over', 'fetched')
     ) as done
     where at >= $1::timestamptz group by action order by action`,
    [since],
  );
  return {
    since,
    people,
    records: categories,
    deletedSince: { byRetention: deleted, peopleErased: erased?.people ?? 0 },
    exportsAndChangesSince: actions,
    reading: "Within reach was what is held now, and what was deleted since.",
    notInTheseFigures: [
      "Mailboxes, downloaded files, backups and copies of the disk: they may hold more, and people who are no longer here.",
      "What was read: the program logs what staff export, change and delete, and not what anybody looks at.",
      "Whether there was a breach, what it may lead to and what is done about it (Article 33(3)(c) and (d)): the firm must answer this.",
    ],
  };
}

const countPeople = `
  select count(distinct person) filter (where kind in ('message', 'request'))::int as "peopleWithAddresses",
    count(distinct person) filter (where kind in ('message', 'request') and since >= $1::timestamptz)::int as "ofThemNewSince",
    count(distinct person) filter (where kind = 'message')::int as "whoWroteMessages",
    count(distinct person) filter (where kind = 'request')::int as "whoMadeRequests",
    count(distinct person) filter (where kind = 'account')::int as staff
  from (
    select 'message' as kind, private.subject_key(email) as person, created_at as since from public.contact_submissions
    union all select 'request', private.subject_key(email), received_at from public.data_rights_requests
    union all select 'account', id::text, created_at from auth.users
  ) as known`;

/** Kinds of which nothing is held are told as well: somebody has to know that they were counted. */
const countRecords = `
  with kinds (kind, category, data) as (values
    (1, 'Messages', 'name, email, company, stage, goal, message'),
    (2, 'Messages with an IP address', 'IP address'),
    (3, 'Replies to messages, and drafts', 'what the firm answered'),
    (4, 'Data rights requests', 'name, email, type and details'),
    (5, 'Data handed over, not yet deleted', 'a copy of what was held about one person'),
    (6, 'Emails', 'addresses, and what the emails say'),
    (7, 'Choices about cookies', 'random number, choice, browser; no name and no address'),
    (8, 'Accounts of staff', 'email address, hash of the password')
  ), records (kind, at) as (
    select 1, created_at from public.contact_submissions
    union all select 2, created_at from public.contact_submissions where ip_address is not null
    union all select 3, written_at from private.message_replies
    union all select 3, saved_at from private.reply_drafts
    union all select 4, received_at from public.data_rights_requests
    union all select 5, available_until - interval '${packageDays} days' from private.data_packages
    union all select 6, created_at from private.email_outbox
    union all select 7, updated_at from public.user_consents
    union all select 8, created_at from auth.users
  )
  select category, data, count(at)::int as held, (count(at) filter (where at >= $1::timestamptz))::int as "newSince",
    min(at) as oldest, max(at) as newest
  from kinds left join records using (kind)
  group by kind, category, data
  order by kind`;
