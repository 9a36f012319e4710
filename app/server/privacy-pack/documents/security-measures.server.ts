import type { Settings } from "~/server/config/settings.server";
import { describeBackups } from "./backup-measures.server";
import { firmMustAnswer } from "./firm-must-answer.server";
import { type Measure, yesIf } from "../measure.server";
import type { SiteDatabase } from "../site-database.server";

/** What protects the data of this site, with the evidence; what it does not do is said as well. */
export async function listMeasures(settings: Settings, database: SiteDatabase): Promise<Measure[]> {
  return [
    ...(await readMeasures(database)),
    ...(await describeStorage(settings)),
    ...listSettings(settings),
    ...proven,
  ];
}

/** What the database itself shows at this moment. */
async function readMeasures({ read }: SiteDatabase): Promise<Measure[]> {
  const [tables] = await read<{ all: number; guarded: number; open: number }>(`
    select count(*)::int as all, count(*) filter (where relrowsecurity)::int as guarded,
      count(*) filter (where has_table_privilege('anon', oid, 'select, insert, update, delete, truncate'))::int as open
    from pg_class where relkind in ('r', 'p') and relnamespace in ('public'::regnamespace, 'private'::regnamespace)`);
  const [accounts] = await read<{ all: number; hashed: number; admins: number }>(`
    select count(*)::int as all, count(*) filter (where encrypted_password like '$2_$__$%')::int as hashed,
      (select count(*)::int from public.user_roles where role = 'admin') as admins
    from auth.users`);
  const [factors] = await read<{ with_one: number; required: boolean }>(`
    select count(*)::int as with_one, exists (select from private.second_factor_rule) as required
    from public.user_roles as held where role = 'admin' and exists (
      select from auth.mfa_factors as factor where factor.user_id = held.user_id and factor.status = 'verified')`);
  const [log] = await read<{ entries: number; sealed: boolean }>(`
    select count(*)::int as entries, exists (
      select 1 from pg_trigger where tgrelid = 'public.admin_events'::regclass and tgname = 'keep_log' and tgenabled = 'O'
    ) as sealed
    from public.admin_events where at >= now() - interval '12 months'`);
  const [retention] = await read<{ late: boolean }>(`
    select coalesce(max(ran_at) < now() - interval '2 days', true) as late from private.retention_runs`);
  return [
    {
      measure: "Every table is guarded row by row, and visitors hold no right on any of them.",
      holds: yesIf(tables?.guarded === tables?.all && tables?.open === 0),
      evidence: `Read from the database: ${tables?.guarded} of ${tables?.all} tables guarded; visitors have rights on ${tables?.open}. Tests: tests/database/rights/grants.test.ts`,
    },
    {
      measure: "Passwords of staff are kept as bcrypt hashes only.",
      holds: yesIf(accounts?.hashed === accounts?.all),
      evidence: `Read from the database: ${accounts?.hashed} of ${accounts?.all} accounts; ${accounts?.admins} of them are admins`,
    },
    {
      measure: "Staff sign in with a second factor.",
      // Of a site that nobody has signed in to yet nothing is known.
      holds: yesIf(accounts !== undefined && accounts.admins > 0 && factors?.with_one === accounts.admins),
      evidence: `Read from the database: ${factors?.with_one} of ${accounts?.admins} admins have one; nobody who has one reads anything without it. It is ${factors?.required ? "required of everybody" : "not required"}. Tests: tests/database/rights/second-factor.test.ts`,
    },
    {
      measure: "What staff export, change and delete is logged, and no entry can be changed. Looking is not logged.",
      holds: yesIf(log?.sealed === true),
      evidence: `Read from the database: ${log?.entries} entries in twelve months. Tests: tests/database/inbox/inbox-changes.test.ts`,
    },
    {
      measure: "Data past its time is deleted every day.",
      holds: yesIf(retention?.late === false),
      evidence: "Read from the database: retention.md has the runs. Tests: tests/database/retention/retention.test.ts",
    },
  ];
}

function describeStorage(settings: Settings): Promise<Measure[]> | Measure[] {
  return settings.backend.kind === "hosted" ? describeHosted(settings) : describeEmbedded(settings);
}

function describeHosted({ backupKeepDays }: Settings): Measure[] {
  return [
    {
      measure: "The web server holds no key that reads the database past its rules.",
      holds: "yes",
      evidence: "SUPABASE_PUBLISHABLE_KEY is its only key (docs/decisions/backend/0005-no-privileged-key.md)",
    },
    {
      measure: "Stored data is encrypted. The program itself encrypts none.",
      holds: firmMustAnswer,
      evidence: "What the contract with the project’s host says",
    },
    {
      measure: "There are backups, and they end.",
      holds: firmMustAnswer,
      evidence: `The project’s own backups. BACKUP_KEEP_DAYS is ${backupKeepDays}`,
    },
    {
      measure: "After a restore, whoever was erased since is erased again.",
      holds: firmMustAnswer,
      evidence: "Done by hand (docs/OPERATIONS.md)",
    },
    {
      measure: "Sessions of staff end by themselves.",
      holds: firmMustAnswer,
      evidence: "Set in the project’s dashboard (docs/OPERATIONS.md)",
    },
  ];
}

async function describeEmbedded(settings: Settings): Promise<Measure[]> {
  return [
    {
      measure: "Website and database are one process: whoever controls it or its disk reads everything.",
      holds: firmMustAnswer,
      evidence: "Who has access to the machine (docs/decisions/backend/0005-no-privileged-key.md)",
    },
    {
      measure: "Stored data is encrypted. The program itself encrypts no file but backups.",
      holds: firmMustAnswer,
      evidence: "Whether the machine’s disk is encrypted",
    },
    ...(await describeBackups(settings)),
    {
      measure: "A restore erases again whoever was erased since, and is refused where it cannot.",
      holds: "yes",
      evidence: "Tests: tests/routes/backend/erasure-restore.test.ts",
    },
    {
      measure: "What was acknowledged is not lost when the process is killed.",
      holds: "yes",
      evidence: "Tests: tests/durability/kill.test.ts",
    },
    {
      measure: "Sessions of staff end by themselves.",
      holds: "yes",
      evidence: `ADMIN_SESSION_HOURS is ${settings.sessionLimits.maxSeconds / 3600}. Tests: tests/embedded/sessions.test.ts`,
    },
  ];
}

function listSettings({ isHttps, mail, postRateLimit, gaMeasurementId }: Settings): Measure[] {
  return [
    {
      measure: "Browsers use an encrypted connection only.",
      holds: yesIf(isHttps),
      evidence: `SITE_URL ${isHttps ? "begins with https: cookies are Secure, and Strict-Transport-Security is sent" : "does not begin with https"}`,
    },
    {
      measure: "Nothing that a visitor wrote is mailed to the firm.",
      holds: yesIf(mail.content === "notice"),
      evidence: `MAIL_CONTENT is ${mail.content}; with a hosted project the functions must be set alike`,
    },
    {
      measure: "What one client can send is limited.",
      holds: yesIf(postRateLimit > 0),
      evidence: `POST_RATE_LIMIT is ${postRateLimit}. Tests: tests/abuse/crowd.test.ts`,
    },
    {
      measure: "Pages load nothing from other companies.",
      holds: yesIf(gaMeasurementId === undefined),
      evidence: gaMeasurementId
        ? "GA_MEASUREMENT_ID is set: Google’s script, for visitors who allowed it"
        : "GA_MEASUREMENT_ID is not set. Tests: tests/e2e/consent/cookie-registry.spec.ts",
    },
  ];
}

/** What holds on every site, by tests of the repository and audits that are kept there with their dates. */
const proven: Measure[] = [
  ["The log names nobody.", "Tests: tests/routes/edge/log-privacy.test.ts"],
  ["An erasure reaches rows, emails and mail files.", "Tests: tests/routes/admin/erasure.test.ts"],
  ["Generated bad input breaks nothing.", "Tests: tests/fuzz/forms.test.ts, tests/fuzz/injection.test.ts"],
  ["Answers carry strict security headers.", "Audit: docs/evidence/observatory.md"],
  ["What production is made of is known, and checked for advisories.", "`npm run audit`"],
].map(([measure = "", evidence = ""]) => ({ measure, holds: "yes" as const, evidence }));
