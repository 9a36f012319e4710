import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Settings } from "~/server/config/settings.server";
import { privacyPackFolder } from "#supabase/embedded/folder/data-folder";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import packageJson from "../../../package.json" with { type: "json" };
import { findRecipientsInUse } from "~/server/config/recipients-in-use.server";
import { proveConsent } from "./consent-proof.server";
import { describeProcessing } from "./record-of-processing.server";
import { renderMarkdown } from "./render-markdown.server";
import { describeRetention } from "./retention.server";
import { type SiteDatabase, withSiteDatabase } from "./site-database.server";

/** The operator's command, checked. */
export type PackCommand =
  { kind: "pack"; folder: string | undefined } | { kind: "consent"; number: string; asJson: boolean };

/** One chapter of the pack: a Markdown file named by the key of its part of the JSON. */
interface Chapter {
  name: string;
  title: string;
  content: unknown;
}

/**
 * Reads the site's database and does what was asked.
 * @returns what the operator reads
 * @throws OperationRefused saying what to do; then nothing was written
 */
export async function carryOutCommand(
  command: PackCommand,
  settings: Settings,
  databaseUrl: string | undefined,
): Promise<string> {
  const { timeZone } = settings.replyClock;
  if (command.kind === "pack") {
    const chapters = await withSiteDatabase(settings, databaseUrl, (database) => makePack(settings, database));
    return writePack(chapters, timeZone, command.folder ?? join(settings.dataDir, privacyPackFolder));
  }
  const proof = await withSiteDatabase(settings, databaseUrl, (database) => proveConsent(database, command.number));
  if (command.asJson) return JSON.stringify(proof, null, 2);
  return renderMarkdown("Proof of one consent", proof, timeZone).trimEnd();
}

/** Shows how the firm handles personal data (GDPR Article 5(2)); holds no personal data itself. */
async function makePack(settings: Settings, database: SiteDatabase): Promise<Chapter[]> {
  const about = {
    site: settings.siteUrl,
    madeAt: new Date().toISOString(),
    version: packageJson.version,
    database: settings.backend.kind,
  };
  const record = await describeProcessing(database, findRecipientsInUse(settings));
  const retention = await describeRetention(database);
  return [
    { name: "about", title: "About this pack", content: about },
    { name: "record-of-processing", title: "Record of processing activities (GDPR Article 30)", content: record },
    { name: "retention", title: "Retention, and proof of deletion", content: retention },
  ];
}

async function writePack(chapters: Chapter[], timeZone: string, place: string): Promise<string> {
  const folder = resolve(place);
  const whole = Object.fromEntries(chapters.map(({ name, content }) => [name, content]));
  const files: [name: string, text: string][] = [
    ...chapters.map(({ name, title, content }): [string, string] => [
      `${name}.md`,
      renderMarkdown(title, content, timeZone),
    ]),
    ["privacy-pack.json", `${JSON.stringify(whole, null, 2)}\n`],
  ];
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [name, text] of files) await writeFile(join(folder, name), text, { mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new OperationRefused(`${folder} cannot be written (${code}). Name another folder: --to <folder>.`);
  }
  return [`Written to ${folder}, with nobody’s data in it:`, ...files.map(([name]) => `- ${name}`)].join("\n");
}
