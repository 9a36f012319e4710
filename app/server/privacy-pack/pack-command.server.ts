import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Settings } from "~/server/config/settings.server";
import { privacyPackFolder } from "#supabase/embedded/folder/data-folder";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { measureBreach } from "./documents/breach-scope.server";
import { proveConsent } from "./documents/consent-proof.server";
import { type Chapter, makePrivacyPack } from "./privacy-pack.server";
import { renderMarkdown } from "./render-markdown.server";
import { withSiteDatabase } from "./site-database.server";

/** What the operator asks of `privacy-pack`, checked. */
export type PackCommand =
  | { kind: "pack"; folder: string | undefined }
  | { kind: "consent"; number: string; asJson: boolean }
  /** `since`: ISO 8601, UTC */
  | { kind: "breach-scope"; since: string; asJson: boolean };

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
    const chapters = await withSiteDatabase(settings, databaseUrl, (database) => makePrivacyPack(settings, database));
    return writePack(chapters, timeZone, command.folder ?? join(settings.dataDir, privacyPackFolder));
  }
  const { title, content } = await withSiteDatabase(settings, databaseUrl, async (database) =>
    command.kind === "consent"
      ? { title: "Proof of one consent", content: await proveConsent(database, command.number) }
      : { title: "Scope of a breach (GDPR Article 33(3)(a))", content: await measureBreach(database, command.since) },
  );
  return command.asJson ? JSON.stringify(content, null, 2) : renderMarkdown(title, content, timeZone).trimEnd();
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
