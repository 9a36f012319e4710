import { factNames, type SiteFacts } from "#supabase/functions/_shared/host/runtime";
import { type ConnectionPurpose, withHostedDatabase } from "#supabase/embedded/operations/hosted-database";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { looksUnfilled } from "~/content/firm/unfilled";
import { commandLine } from "~/lib/command-line";
import { listSiteFacts } from "../../../config/site-facts.server";
import { type Finding, type Installation, fix, notChecked, ok } from "../finding.server";

const visit: ConnectionPurpose = {
  operation: "doctor",
  begin: "begin",
  called: "The database of DATABASE_URL",
  outcome: "Nothing was written.",
};

/**
 * Compares the facts in a project's database with the site's, after writing them if the operator asked for it. Refuses to
 * write from a machine that has only defaults in place of the site's address or the firm's name: mails would name them.
 */
export async function checkStoredFacts({ settings, databaseUrl, writesFacts }: Installation): Promise<Finding[]> {
  if (settings.backend.kind === "embedded") return [];
  const name = "stored facts";
  const unknown = writesFacts ? fix : notChecked;
  if (!databaseUrl) {
    const remedy = "Set DATABASE_URL for this command: docs/operations/hosted.md, “From embedded to hosted”.";
    return [unknown(name, "Only the database shows the facts that mails name.", remedy)];
  }
  const missing = settings.siteUrlIsExplicit ? looksUnfilled(settings.mail.firmName) && "the firm's facts" : "SITE_URL";
  if (missing) return [unknown(name, `This machine lacks ${missing}.`, "Run this command with the site's settings.")];
  const facts: SiteFacts = listSiteFacts(settings);
  try {
    const [row] = await withHostedDatabase(databaseUrl, visit, async ({ query, run }) => {
      if (writesFacts) await run("select public.set_site_facts($1)", [JSON.stringify(facts)]);
      return query<{ facts: SiteFacts }>("select facts from private.site_facts");
    });
    const different = factNames.filter((fact) => facts[fact] !== row?.facts[fact]);
    if (different.length === 0) return [ok(name, "Mails name the facts and settings of the site.")];
    const text = `Mails do not follow the site's ${different.join(", ")}.`;
    return [
      fix(name, text, `Run \`${commandLine("doctor --write-facts")}\` with the site's settings and DATABASE_URL.`),
    ];
  } catch (error) {
    if (!(error instanceof OperationRefused)) throw error;
    return [unknown(name, error.message, "Correct DATABASE_URL, then run this command again.")];
  }
}
