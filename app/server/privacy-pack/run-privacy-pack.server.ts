import { FactsError, requireFacts } from "~/content/firm/company.server";
import { SettingsError, parseSettings } from "~/server/config/settings.server";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { tellOutcome } from "#supabase/embedded/operations/run-operation";
import type { PackCommand } from "./pack-command.server";

const usage = `Usage:

  npm run privacy-pack [-- --to <folder>]                              writes the pack: Markdown, and one JSON file
  npm run privacy-pack -- consent <number> [--json]                    prints what proves one consent
  npm run privacy-pack -- breach-scope --since <date or time> [--json] prints the figures of GDPR Article 33(3)(a)

Without --to it goes into DATA_DIR/privacy-pack. A time is in UTC, e.g. 2026-11-01 or 2026-11-01T09:30Z.`;

/**
 * Does `privacy-pack` for the site that these variables set up, and tells the operator what came of it.
 * @param words what stood on the command line behind the command
 * @param environment variables by name; DATABASE_URL is needed with a hosted project
 * @returns the exit code: 0, or 1 when nothing was written
 */
export async function runPrivacyPack(
  words: string[],
  environment: Record<string, string | undefined> = process.env,
): Promise<number> {
  return tellOutcome(async () => {
    const command = readCommand(words);
    // Loaded only when it is asked for: the server, in whose build it travels, needs none of it.
    const { carryOutCommand } = await import("./pack-command.server");
    return carryOutCommand(command, readSettings(environment), environment.DATABASE_URL?.trim());
  });
}

function readSettings(environment: Record<string, string | undefined>) {
  try {
    requireFacts();
    return parseSettings(environment);
  } catch (error) {
    throw error instanceof SettingsError || error instanceof FactsError ? new OperationRefused(error.message) : error;
  }
}

/** @throws OperationRefused with the usage, or with what is wrong */
function readCommand(words: string[]): PackCommand {
  const [first = ""] = words;
  const asJson = words.at(-1) === "--json";
  const rest = asJson ? words.slice(1, -1) : words.slice(1);
  if (words.length === 0) return { kind: "pack", folder: undefined };
  if (first === "--to" && words[1] && words.length === 2) return { kind: "pack", folder: words[1] };
  if (first === "consent" && rest.length === 1) return { kind: "consent", number: readNumber(rest[0] ?? ""), asJson };
  if (first === "breach-scope" && rest[0] === "--since" && rest.length === 2) {
    return { kind: "breach-scope", since: readTime(rest[1] ?? ""), asJson };
  }
  throw new OperationRefused(usage);
}

function readNumber(text: string): string {
  if (/^[A-Za-z0-9_-]{32,128}$/.test(text)) return text;
  throw new OperationRefused(
    "A consent’s number has 32 characters or more; the dialog of the cookie preferences shows it. A message’s reference is its whole id.",
  );
}

function readTime(text: string): string {
  const isTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/.test(text);
  const time = isTime ? new Date(text) : new Date(Number.NaN);
  // JavaScript makes 3 March of 31 February.
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(text.slice(0, 10))) {
    throw new OperationRefused(`${text} is no time: write 2026-11-01 or 2026-11-01T09:30Z (UTC).`);
  }
  if (time.getTime() > Date.now()) throw new OperationRefused(`${text} is in the future.`);
  return time.toISOString();
}
