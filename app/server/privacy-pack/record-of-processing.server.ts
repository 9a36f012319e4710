import { company } from "~/content/company";
import { processing, statedColumns } from "~/content/processing";
import { type KeptData, type PeriodKind, periodsCountFrom, recipients } from "~/content/processing/terms";
import type { SitesRecipients } from "~/content/privacy/access-information";
import { looksUnfilled } from "~/content/firm/unfilled";
import type { SiteDatabase } from "./site-database.server";

/** Stands wherever the program cannot know the answer. */
const firmMustAnswer = "The firm must answer this.";

/** The record of processing activities (GDPR Article 30(1)) of a site with these recipients. */
export async function describeProcessing(database: SiteDatabase, site: SitesRecipients) {
  const periods = new Map((await readPeriods(database)).map(({ kind, period }) => [kind, period]));
  const describeKept = (kept: KeptData["kept"]) =>
    typeof kept === "string"
      ? kept
      : kept.map((kind) => `${periods.get(kind) ?? firmMustAnswer} ${periodsCountFrom[kind]}`).join("; ");
  return {
    controller: {
      name: statedByFirm(company.name),
      address: statedByFirm(company.address),
      email: statedByFirm(company.email),
      representativeInTheEuropeanUnion: statedByFirm(company.representatives.europeanUnion),
      representativeInTheUnitedKingdom: statedByFirm(company.representatives.unitedKingdom),
      dataProtectionOfficer: firmMustAnswer,
    },
    activities: processing
      .filter(({ only }) => only !== "analytics" || site.hasAnalytics)
      .map((activity) => ({
        name: activity.name,
        people: activity.people,
        legalBasis: activity.legalBasis,
        recipients: activity.recipients
          .filter((key) => isInUse(recipients[key].on, site))
          .map((key) => recipients[key].name),
        elsewhere: activity.elsewhere,
        data: activity.data.map(({ what, purpose, columns, kept }) => ({
          what,
          purpose,
          columns: Object.entries(columns).map(([table, names]) => `${table}: ${names.replaceAll(" ", ", ")}`),
          kept: describeKept(kept),
        })),
      })),
    transfersToOtherCountries: `${firmMustAnswer} It follows from where the recipients are.`,
    security: firmMustAnswer,
    columnsWithoutPurpose: (await listColumns(database)).filter((column) => !statedColumns.has(column)),
  };
}

/** Tells sites of one kind from the others by their recipients. */
function isInUse(on: (typeof recipients)[keyof typeof recipients]["on"], site: SitesRecipients): boolean {
  const { isHosted, sendsMail, copiesBackups, hasAnalytics } = site;
  return {
    "every site": true,
    "a hosted project": isHosted,
    "a mail server": sendsMail,
    "copies of backups": copiesBackups,
    analytics: hasAnalytics,
  }[on];
}

/** A fact of the firm, or a request to supply it where it is empty, or in brackets or under `.example`. */
function statedByFirm(fact: string): string {
  if (fact === "") return firmMustAnswer;
  return looksUnfilled(fact) ? `${firmMustAnswer} (The firm’s facts still say ${fact}.)` : fact;
}

/** Every column of the product's tables, as `schema.table.column`. */
export async function listColumns({ read }: SiteDatabase): Promise<string[]> {
  const rows = await read<{ name: string }>(`
    select format('%s.%s.%s', nspname, relname, attname) as name
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('public', 'private') and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    order by name`);
  return rows.map(({ name }) => name);
}

/** How long each kind of data is kept, as the database itself keeps to it. */
export function readPeriods({ read }: SiteDatabase): Promise<{ kind: PeriodKind; period: string }[]> {
  return read("select kind, period::text as period from private.retention_periods() order by kind");
}
