import { company } from "~/content/company";
import { acknowledgementLimits, packageDays } from "~/content/facts";
import { looksUnfilled } from "~/content/firm/unfilled";
import type { SiteRecipients } from "~/content/privacy/access-information";
import page from "~/content/processing.md?raw";
import { escapeMarkdown } from "./markdown-table.server";
import type { ReadDatabase } from "./site-database.server";

/** Columns with a purpose in the record, as `schema.table.column`. */
export const statedColumns: ReadonlySet<string> = new Set(
  [...page.matchAll(/`(\w+\.\w+)`: ([\w, ]+)/g)].flatMap(([, table, columns = ""]) =>
    columns.split(",").map((column) => `${table}.${column.trim()}`),
  ),
);

/** Start of each retention period, by the kinds of data in `private.retention_periods()`. */
export const periodsCountFrom: Readonly<Record<string, string>> = {
  contact_submissions: "after the message arrived",
  consents: "after the last decision",
  withdrawn_consents: "after all consent was withdrawn",
  signal_records: "after it was recorded, if only a signal decided",
  sender_addresses: "after the message arrived",
  closed_requests: "after the request was closed",
  status_links: "after the request was closed, at most",
  unconfirmed_requests: "after the response was due, if it was never confirmed",
  unconfirmed_members: "after the person asked to join, if they did not confirm it",
  page_links: "after it was made: a link to a member's page, at most",
  away_mails: "after it asked for a link: the count of a mailbox that stopped or refuses mail, at most",
  ended_link_keys: "after the key was replaced: a link in a letter",
  answered_links: "after the message was answered: a link that marks it so",
  member_renewals: "after the last confirmation, when we ask again",
  silent_members: "after we asked again, without a response",
  declined_members: "after we declined the person",
  unsubscribed_members: "after the member stopped all our mail",
  mails: "after the email was delivered or given up",
  account_events: "after the event",
  receipts: "after the message arrived",
  day_counts: "after the counted day",
  records: "after the recorded event",
};

/** Placeholder for answers that only the firm knows. */
const firmMustAnswer = "The firm must answer this.";

/**
 * Fills the record of processing activities (GDPR Article 30(1)), `app/content/processing.md`, with the facts of the
 * firm and of this site. It omits activities without a recipient on this site, which do not take place.
 * @param about line under the title
 * @throws Error for a placeholder without a value
 */
export async function writeRecord(read: ReadDatabase, site: SiteRecipients, about: string): Promise<string> {
  const { name, address, email, representatives } = company;
  const unstated = (await listColumns(read)).filter((column) => !statedColumns.has(column));
  const values = new Map<string, string>([
    ...Object.entries({ name, address, email, ...representatives }).map(
      ([key, fact]) => [key, stateFact(fact)] as const,
    ),
    ...(await readPeriods(read)).map(({ kind, kept }) => [kind, kept] as const),
    ["about", about],
    ["firm", firmMustAnswer],
    ["packageDays", String(packageDays)],
    ["countedHours", String(acknowledgementLimits.countedHours)],
    ["columnsWithoutPurpose", unstated.map((column) => `- ${escapeMarkdown(column)}`).join("\n") || "None."],
  ]);
  const sections = page.split(/^(?=## )/m).flatMap((section) => fillRecipients(section, site));
  return sections.join("").replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => requireValue(values, key));
}

function fillRecipients(section: string, { isHosted, sendsMail, copiesBackups, hasAnalytics }: SiteRecipients) {
  const recipients = new Map([
    ["staff", `${escapeMarkdown(company.name)}: the people who answer`],
    ["host", "The hosting provider"],
    ["supabase", isHosted ? "Supabase" : ""],
    ["mail", sendsMail ? "Email providers" : ""],
    ["storage", copiesBackups ? "The backup storage provider" : ""],
    ["google", hasAnalytics ? "Google" : ""],
    ["advisors", "Professional advisors, authorities and courts"],
  ]);
  const [placeholder, keys = ""] = /\{\{recipients (.+)\}\}/.exec(section) ?? [];
  if (placeholder === undefined) return [section];
  const names = keys.split(" ").map((key) => requireValue(recipients, key));
  const inUse = names.filter((name) => name !== "");
  return inUse.length === 0 ? [] : [section.replace(placeholder, () => inUse.join("; "))];
}

function requireValue(values: ReadonlyMap<string, string>, key: string): string {
  const value = values.get(key);
  if (value === undefined) throw new Error(`app/content/processing.md has an unknown placeholder: ${key}`);
  return value;
}

/** Writes a fact of the firm. If it is empty, in brackets or under `.example`, writes that the firm must supply it. */
function stateFact(fact: string): string {
  if (fact === "") return firmMustAnswer;
  const stated = escapeMarkdown(fact);
  return looksUnfilled(fact) ? `${firmMustAnswer} (The firm’s facts still say ${stated}.)` : stated;
}

/** Lists all columns of the site's tables, as `schema.table.column`. */
export async function listColumns(read: ReadDatabase): Promise<string[]> {
  const rows = await read<{ name: string }>(`
    select format('%s.%s.%s', nspname, relname, attname) as name
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('public', 'private') and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    order by name`);
  return rows.map(({ name }) => name);
}

/**
 * Reads from the database how long each kind of data is retained, in words, e.g. "2 years after the message arrived".
 */
export async function readPeriods(read: ReadDatabase): Promise<{ kind: string; kept: string }[]> {
  const rows = await read<{ kind: string; period: string }>(
    "select kind, period::text as period from private.retention_periods() order by kind",
  );
  return rows.map(({ kind, period }) => ({ kind, kept: `${period} ${periodsCountFrom[kind] ?? ""}`.trim() }));
}
