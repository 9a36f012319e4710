import { readSettings } from "~/server/process/read-settings.server";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { tellOutcome } from "#supabase/embedded/operations/run-operation";
import type { PackCommand } from "./pack-command.server";

const usage = `Usage:

  npm run privacy-pack [-- --to <folder>]                writes the pack: Markdown, and one JSON file
  npm run privacy-pack -- consent <number> [--json]      prints what proves one consent

Without --to it goes into DATA_DIR/privacy-pack.`;

/**
 * Does `privacy-pack` for the site that these variables set up, and tells the operator the result.
 * @param words the command line behind the command
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

/** @throws OperationRefused with the usage, or with the mistake */
function readCommand(words: string[]): PackCommand {
  const [first = "", second = "", ...rest] = words;
  if (words.length === 0) return { kind: "pack", folder: undefined };
  if (first === "--to" && second && rest.length === 0) return { kind: "pack", folder: second };
  const asJson = rest[0] === "--json";
  if (first !== "consent" || !second || rest.length > (asJson ? 1 : 0)) throw new OperationRefused(usage);
  if (/^[A-Za-z0-9_-]{32,128}$/.test(second)) return { kind: "consent", number: second, asJson };
  throw new OperationRefused(
    "A consent’s number has 32 characters or more; the dialog of the cookie preferences shows it. A message’s reference is its whole id.",
  );
}
