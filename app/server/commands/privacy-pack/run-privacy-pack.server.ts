import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { instantFormat } from "~/lib/dates";
import { findRecipientsInUse } from "~/server/config/recipients-in-use.server";
import type { Settings } from "~/server/config/settings.server";
import { readSettings } from "~/server/config/read-settings.server";
import { privacyPackFolder } from "#supabase/embedded/folder/data-folder";
import { dataDirOf } from "#supabase/embedded/operations/command-words";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { printOutcome } from "#supabase/embedded/operations/run-operation";
import { siteVersion } from "~/lib/site-version";
import { proveConsent, writeConsent } from "./consent-proof.server";
import { writeRecord } from "./record-of-processing.server";
import { describeRetention, writeRetention } from "./retention.server";
import { type ReadDatabase, withSiteDatabase } from "./site-database.server";

/**
 * Runs `privacy-pack` for the site that these variables configure, and prints the result.
 * @param args command-line arguments after the command
 * @param environment variables by name; a hosted project needs DATABASE_URL
 * @returns the exit code: 0, or 1 if the command failed
 */
export async function runPrivacyPack(
  args: string[],
  environment: Record<string, string | undefined> = process.env,
): Promise<number> {
  return printOutcome(async () => {
    const command = readCommand(args);
    const settings = readSettings(environment);
    const needsFolder = settings.backend.kind === "embedded" || (!("number" in command) && command.folder === null);
    const dataDir = needsFolder ? dataDirOf(environment) : "";
    return withSiteDatabase({ ...settings, dataDir }, environment.DATABASE_URL?.trim(), async (read) => {
      if (!("number" in command))
        return writeFiles(await makePack(read, settings), command.folder ?? join(dataDir, privacyPackFolder));
      const proof = await proveConsent(read, command.number);
      return command.asJson ? JSON.stringify(proof, null, 2) : writeConsent(proof, settings.replyClock.timeZone);
    });
  });
}

/** @throws OperationRefused when no consent can have this number */
function readCommand(args: string[]): { folder: string | null } | { number: string; asJson: boolean } {
  const [first = "", second = "", third] = args;
  if (first !== "consent") return { folder: second || null };
  const asJson = third === "--json";
  if (/^[A-Za-z0-9_-]{32,128}$/.test(second)) return { number: second, asJson };
  throw new OperationRefused(
    "A consent number has 32 characters or more and is shown in the cookie preferences. The reference of a message is its full id.",
  );
}

/**
 * Makes the pack: it shows how the firm handles personal data (GDPR Article 5(2)) and contains none.
 * @returns texts by file name
 */
async function makePack(read: ReadDatabase, settings: Settings): Promise<Record<string, string>> {
  const { timeZone } = settings.replyClock;
  const madeAt = instantFormat(timeZone)(new Date().toISOString());
  const about = `${settings.siteUrl}, version ${siteVersion}, ${settings.backend.kind} database, ${madeAt}`;
  const retention = await describeRetention(read);
  return {
    "record-of-processing.md": await writeRecord(read, findRecipientsInUse(settings), about),
    "retention.md": writeRetention(retention, about, timeZone),
    "privacy-pack.json": `${JSON.stringify({ about, retention }, null, 2)}\n`,
  };
}

async function writeFiles(files: Record<string, string>, target: string): Promise<string> {
  const folder = resolve(target);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new OperationRefused(`Cannot write to ${folder} (${code}). Choose another folder: --to <folder>.`);
  }
  const names = Object.keys(files).map((name) => `- ${name}`);
  return [`Written to ${folder}, without personal data:`, ...names].join("\n");
}
