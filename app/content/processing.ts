import { keepingAccounts } from "./processing/accounts";
import { answeringRequests, proving } from "./processing/data-rights";
import { answeringMessages, sendingEmail } from "./processing/messages";
import type { ProcessingActivity } from "./processing/terms";
import { countingViews, countingVisits, deliveringPages, rememberingChoices } from "./processing/visits";

/**
 * What this program does with personal data: the record of GDPR Article 30 is written from it. Each column of each table
 * belongs to a purpose (tests/database/schema/processing.test.ts), so a migration that adds a column adds it here.
 */
export const processing: readonly ProcessingActivity[] = [
  answeringMessages,
  sendingEmail,
  answeringRequests,
  proving,
  rememberingChoices,
  deliveringPages,
  keepingAccounts,
  countingViews,
  countingVisits,
];

/** Every column with a purpose, as `schema.table.column`. */
export const statedColumns: ReadonlySet<string> = new Set(
  processing.flatMap(({ data }) =>
    data.flatMap(({ columns }) =>
      Object.entries(columns).flatMap(([table, names]) => names.split(" ").map((name) => `${table}.${name}`)),
    ),
  ),
);
