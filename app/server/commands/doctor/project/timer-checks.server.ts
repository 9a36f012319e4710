import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { type ConnectionPurpose, withHostedDatabase } from "#supabase/embedded/operations/hosted-database";
import { type Finding, type Installation, fix, lookAt, notChecked, ok } from "../finding.server";

const reading: ConnectionPurpose = {
  operation: "doctor",
  begin: "begin transaction read only",
  called: "The database of DATABASE_URL",
  outcome: "Nothing was read.",
};

/** Traces that the timers leave in the database; null for none. */
interface TimerTraces {
  /** minutes for which the oldest mail has been due for its first attempt */
  waiting_minutes: number | null;
  /** days since the last retention run */
  retention_days: number | null;
  /** days since the first admin got the role */
  age_days: number | null;
}

/** Checks a project's timers by what they leave in its database, and says how to check its secrets. */
export async function checkTimers({ settings, databaseUrl }: Installation): Promise<Finding[]> {
  if (settings.backend.kind === "embedded") return [];
  const secrets = notChecked(
    "function secrets",
    "Only the project can list them.",
    "`supabase secrets list` must have ADMIN_EMAILS, MAIL_FROM, CONTACT_TO, and RESEND_API_KEY or SMTP_URL.",
  );
  if (!databaseUrl) {
    const remedy = "Set DATABASE_URL for this command: docs/operations/hosted.md, “From embedded to hosted”.";
    return [secrets, notChecked("timers", "Only the database shows if they run.", remedy)];
  }
  try {
    const [traces] = await withHostedDatabase(databaseUrl, reading, ({ query }) => query<TimerTraces>(tracesQuery));
    return [secrets, ...(traces ? judge(traces) : [])];
  } catch (error) {
    if (!(error instanceof OperationRefused)) throw error;
    return [secrets, notChecked("timers", error.message, "Correct DATABASE_URL, then run this command again.")];
  }
}

const tracesQuery = `
  select
    (select extract(epoch from now() - min(next_attempt_at))::float / 60 from private.email_outbox
      where delivered_at is null and gave_up_at is null and attempts = 0 and line is null) as waiting_minutes,
    (select extract(epoch from now() - max(ran_at))::float / 86400 from private.retention_runs) as retention_days,
    (select extract(epoch from now() - min(granted_at))::float / 86400 from public.user_roles) as age_days`;

function judge({ waiting_minutes: waiting, retention_days: retention, age_days: age }: TimerTraces): Finding[] {
  const see = "see docs/operations/hosted.md";
  const outbox =
    waiting !== null && waiting > 10
      ? fix(
          "outbox timer",
          `Mail has waited for ${Math.round(waiting)} minutes, untried.`,
          `Schedule it: ${see}, step 5.`,
        )
      : ok("outbox timer", "No mail waits for its first attempt.");
  const schedule = `Schedule it: ${see}, step 6.`;
  if (retention !== null)
    return [
      outbox,
      retention > 2
        ? fix("retention timer", `Its last run was ${Math.round(retention)} days ago.`, schedule)
        : ok("retention timer", "It ran within two days."),
    ];
  return [
    outbox,
    age !== null && age > 2
      ? fix("retention timer", "It has never run.", schedule)
      : lookAt("retention timer", "It has not run yet.", `${schedule} It runs once a day.`),
  ];
}
