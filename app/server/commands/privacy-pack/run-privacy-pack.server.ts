import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { instantFormat } from "~/lib/dates";
import { findRecipientsInUse } from "~/server/config/recipients-in-use.server";
import type { Settings } from "~/server/config/settings.server";
import { readSettings } from "~/server/config/read-settings.server";
import { privacyPackFolder } from "#supabase/embedded/folder/data-folder";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { tellOutcome } from "#supabase/embedded/operations/run-operation";
import packageJson from "../../../../package.json" with { type: "json" };
import { proveConsent, writeConsent } from "./consent-proof.server";
import { writeRecord } from "./record-of-processing.server";
import { describeRetention, writeRetention } from "./retention.server";
import { type ReadDatabase, withSiteDatabase } from "./site-database.server";

const usage = `Usage:

  npm run privacy-pack [-- --to <folder>]                writes the pack: Markdown, and the figures as JSON
  npm run privacy-pack -- consent <number> [--json]      prints what proves one consent

Without --to it goes into DATA_DIR/privacy-pack.`;

/**
 * Does `privacy-pack` for the site that these variables set up, and tells the operator the result.
 * @param args the command line behind the command
 * @param environment variables by name; DATABASE_URL is needed with a hosted project
 * @returns the exit code: 0, or 1 when nothing was written
 */
export async function runPrivacyPack(
  args: string[],
  environment: Record<string, string | undefined> = process.env,
): Promise<number> {
  return tellOutcome(async () => {
    const command = readCommand(args);
    const settings = readSettings(environment);
    return withSiteDatabase(settings, environment.DATABASE_URL?.trim(), async (read) => {
      if (!("number" in command)) {
        return writeFiles(await makePack(read, settings), command.folder ?? join(settings.dataDir, privacyPackFolder));
      }
      const proof = await proveConsent(read, command.number);
      return command.asJson ? JSON.stringify(proof, null, 2) : writeConsent(proof, settings.replyClock.timeZone);
    });
  });
}

/** @throws OperationRefused with the usage, or with the mistake */
function readCommand(args: string[]): { folder?: string } | { number: string; asJson: boolean } {
  const [first = "", second = "", ...rest] = args;
  if (args.length === 0) return {};
  if (first === "--to" && second && rest.length === 0) return { folder: second };
  const asJson = rest[0] === "--json";
  if (first !== "consent" || !second || rest.length > (asJson ? 1 : 0)) throw new OperationRefused(usage);
  if (/^[A-Za-z0-9_-]{32,128}$/.test(second)) return { number: second, asJson };
  throw new OperationRefused(
    "A consent’s number has 32 characters or more; the dialog of the cookie preferences shows it. A message’s reference is its whole id.",
  );
}

/**
 * Shows how the firm handles personal data (GDPR Article 5(2)), and holds none itself.
 * @returns texts by the names of their files
 */
async function makePack(read: ReadDatabase, settings: Settings): Promise<Record<string, string>> {
  const { timeZone } = settings.replyClock;
  const madeAt = instantFormat(timeZone)(new Date().toISOString());
  const about = `${settings.siteUrl}, version ${packageJson.version}, ${settings.backend.kind} database, ${madeAt}`;
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
    throw new OperationRefused(`${folder} cannot be written (${code}). Name another folder: --to <folder>.`);
  }
  const names = Object.keys(files).map((name) => `- ${name}`);
  return [`Written to ${folder}, with nobody’s data in it:`, ...names].join("\n");
}
