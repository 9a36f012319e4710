import { factNames, type SiteFacts } from "#supabase/functions/_shared/host/runtime";
import { withHostedDatabase } from "#supabase/embedded/operations/hosted-database";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { looksUnfilled } from "~/content/firm/unfilled";
import { commandLine } from "~/lib/command-line";
import type { Settings } from "../../../config/settings.server";
import { listSiteFacts } from "../../../config/site-facts.server";
import { type Finding, type Installation, fix, lookAt, notChecked, ok } from "../finding.server";

/** Content of a project's database: the facts that mails name, and the traces of its timers; null for none. */
interface Stored {
  facts: SiteFacts | null;
  /** minutes for which the oldest mail has been due for its first attempt */
  waiting_minutes: number | null;
  /** days since the last retention run */
  retention_days: number | null;
  /** days since the first admin got the role */
  age_days: number | null;
}

/**
 * Compares the facts in a project's database with the site's, after writing them if the operator asked for it, and checks
 * its timers by what they leave there. Refuses to write from a machine that has only defaults in place of the site's
 * address or the firm's name: mails would name them.
 */
export async function checkProjectDatabase({ settings, databaseUrl, writesFacts }: Installation): Promise<Finding[]> {
  if (settings.backend.kind === "embedded") return [];
  const unknown = writesFacts ? fix : notChecked;
  const secrets = notChecked(
    "function secrets",
    "Only the project can list them.",
    "`supabase secrets list` must have ADMIN_EMAILS, MAIL_FROM, CONTACT_TO, and RESEND_API_KEY or SMTP_URL.",
  );
  if (!databaseUrl) {
    const remedy = "Set DATABASE_URL for this command: docs/operations/hosted.md, “From embedded to hosted”.";
    return [
      unknown("stored facts", "Only the database shows the facts that mails name.", remedy),
      secrets,
      notChecked("timers", "Only the database shows if they run.", remedy),
    ];
  }
  const lacking = findLacking(settings);
  const facts: SiteFacts = listSiteFacts(settings);
  const writes = writesFacts && lacking === null;
  const visit = {
    operation: "doctor",
    begin: writes ? "begin" : "begin transaction read only",
    called: "The database of DATABASE_URL",
    outcome: writes ? "Nothing was written." : "Nothing was read.",
  };
  try {
    const [stored] = await withHostedDatabase(databaseUrl, visit, async (query) => {
      if (writes) await query("select public.set_site_facts($1)", [JSON.stringify(facts)]);
      return query<Stored>(storedQuery);
    });
    return [
      lacking === null
        ? judgeFacts(factNames.filter((fact) => facts[fact] !== stored?.facts?.[fact]))
        : unknown("stored facts", lacking, "Run this command with the site's settings."),
      secrets,
      ...(stored ? judgeTimers(stored) : []),
    ];
  } catch (error) {
    if (!(error instanceof OperationRefused)) throw error;
    const remedy = "Correct DATABASE_URL, then run this command again.";
    return [unknown("stored facts", error.message, remedy), secrets, notChecked("timers", error.message, remedy)];
  }
}

/** Finds out that this machine has only defaults for what mails name. */
function findLacking({ siteUrlIsExplicit, mail }: Settings): string | null {
  if (!siteUrlIsExplicit) return "This machine lacks SITE_URL.";
  return looksUnfilled(mail.firmName) ? "This machine lacks the firm's facts." : null;
}

const storedQuery = `
  select (select facts from private.site_facts) as facts,
    (select extract(epoch from now() - min(next_attempt_at))::float / 60 from private.email_outbox
      where delivered_at is null and gave_up_at is null and attempts = 0 and line is null) as waiting_minutes,
    (select extract(epoch from now() - max(ran_at))::float / 86400 from private.retention_runs) as retention_days,
    (select extract(epoch from now() - min(granted_at))::float / 86400 from public.user_roles) as age_days`;

function judgeFacts(different: readonly string[]): Finding {
  if (different.length === 0) return ok("stored facts", "Mails name the facts and settings of the site.");
  const remedy = `Run \`${commandLine("doctor --write-facts")}\` with the site's settings and DATABASE_URL.`;
  return fix("stored facts", `Mails do not follow the site's ${different.join(", ")}.`, remedy);
}

function judgeTimers({ waiting_minutes: waiting, retention_days: retention, age_days: age }: Stored): Finding[] {
  return [
    waiting !== null && waiting > 10
      ? fix("outbox timer", `Mail has waited for ${Math.round(waiting)} minutes, untried.`, schedule(5))
      : ok("outbox timer", "No mail waits for its first attempt."),
    judgeRetention(retention, age, schedule(6)),
  ];
}

function schedule(step: number): string {
  return `Schedule it: see docs/operations/hosted.md, step ${step}.`;
}

function judgeRetention(days: number | null, age: number | null, remedy: string): Finding {
  const name = "retention timer";
  if (days !== null && days > 2) return fix(name, `Its last run was ${Math.round(days)} days ago.`, remedy);
  if (days !== null) return ok(name, "It ran within two days.");
  if (age !== null && age > 2) return fix(name, "It has never run.", remedy);
  return lookAt(name, "It has not run yet.", `${remedy} It runs once a day.`);
}
