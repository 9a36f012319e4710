import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { commandLine } from "~/lib/command-line";
import { siteVersion, versionsOf } from "~/lib/site-version";
import { readRestorePlan } from "#supabase/embedded/backups/finish-restore";
import { isFolderHeld } from "#supabase/embedded/folder/lock";
import { requireNoLoss } from "#supabase/embedded/folder/marker";
import { DataFolderUnusable, requireUsableFolder } from "#supabase/embedded/folder/usable-folder";
import { MigrationFailed } from "#supabase/embedded/migrations";
import type { Settings } from "../../config/settings.server";
import { type Finding, type Installation, fix, lookAt, notChecked, notYet, ok, splitMessage } from "./finding.server";
import { type LocalServer, isSameVersion } from "./local-server.server";
import { inTime } from "./running-checks.server";
import type { RunningServer } from "./running-server.server";

/** Checks that the server of this installation runs, as this build. */
export async function checkServer({ settings, server, running }: Installation): Promise<Finding[]> {
  return [judgeServer(await server, await running, settings)];
}

function judgeServer({ state, origin, parts }: LocalServer, running: RunningServer, { backend }: Settings): Finding {
  const name = "server";
  if (origin === null) return notChecked(name, "PORT is 0, so its port is unknown.", "Set PORT.");
  if (state === "foreign")
    return fix(name, `Another program responds at ${origin}, so a start would fail.`, "Set PORT to a free port.");
  if (state === "silent" && (running.state === "up" || running.state === "unknown"))
    return lookAt(
      name,
      `A process holds the data folder, and none responds at ${origin}.`,
      "Restart the server if “settings in effect” names PORT or HOST; else set both to that server's values.",
    );
  if (state === "silent")
    return notChecked(name, `No server runs at ${origin}.`, "Start it, then run this command again.");
  // A hosted project's servers hold no folder.
  if (backend.kind === "embedded" && running.state === "none")
    return lookAt(
      name,
      `The server at ${origin} does not hold this data folder.`,
      "Set DATA_DIR, PORT and HOST to the values of one server.",
    );
  if (state === "starting") return notChecked(name, "It is starting.", "Run this command again in a minute.");
  const status = running.state === "up" ? running.status : null;
  const version = parts?.version ?? status?.version;
  if (version !== undefined && !isSameVersion(version))
    return lookAt(name, `It runs ${version}, and this program is ${siteVersion}.`, "Restart the server.");
  const since = status ? `, for ${inTime(status.uptimeSeconds)}` : "";
  return ok(name, `It responds at ${origin}${version ? `, as ${version}` : ""}${since}.`);
}

/** Checks the database through the running server, and never opens it: two processes at a time would lose data. */
export async function checkDatabase({ settings, server, running }: Installation): Promise<Finding[]> {
  const name = "database";
  const { backend, dataDir } = settings;
  const { state, isReady, parts } = await server;
  const holder = await running;
  if (state === "starting") return [notYet(name, "The server is starting.", "Wait a minute")];
  if (state !== "up" && backend.kind === "hosted") return [];
  if (state !== "up" && (holder.state === "none" || holder.state === "hidden")) return explainStart(resolve(dataDir));
  if (state !== "up" && holder.state === "unknown") return [notChecked(name, holder.text, holder.remedy)];
  const postgresql = holder.state === "up" ? holder.status.postgresql : versionsOf(settings).postgresql;
  if (isReady === true || state !== "up")
    return [ok(name, `It responds${postgresql ? ` (PostgreSQL ${postgresql})` : ""}, and has every migration.`)];
  if (parts?.migrations === "missing")
    return [
      fix(
        name,
        "It lacks a migration of this version.",
        backend.kind === "hosted" ? "Run `supabase db push`." : "Restart the server, which applies it.",
      ),
    ];
  if (parts?.draining) return [notYet(name, "The server is stopping.", "Start it")];
  const open = Object.entries(parts?.breakers ?? {}).filter(([, breaker]) => breaker === "open");
  const details = open.map(([service]) => `${service} does not respond`);
  if (parts) details.unshift(`backend ${parts.backend}`, `disk ${parts.disk ?? "unused"}`);
  return [
    lookAt(
      name,
      `The server is not ready${details.length > 0 ? ` (${details.join(", ")})` : ""}.`,
      parts
        ? "Look for errors in its log: docs/operations/monitoring.md, “The log”."
        : "Set METRICS_PORT and restart the server. This command then names the part.",
    ),
  ];
}

/** Says what a start would say about a data folder that no process holds. It looks as the start does, in its order. */
async function explainStart(dataDir: string): Promise<Finding[]> {
  const name = "database";
  requireUsableFolder(dataDir);
  try {
    if (await readRestorePlan(dataDir))
      return [lookAt("restore", "A restore is not finished.", "Start the server, which finishes it.")];
    await requireNoLoss(dataDir);
    // Files that it left would be root's, and the site could not remove them.
    if (process.getuid?.() === 0 && (statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0) !== 0)
      return [notYet(name, "root runs this command.", "Become the site's user")];
    if (!existsSync(join(dataDir, "pg")))
      return [notChecked(name, "There is none yet.", "The first start creates it.")];
    const { tryDatabase } = await import("#supabase/embedded/operations/try-database");
    const { missing } = await tryDatabase(dataDir);
    const next = missing === 0 ? "" : ` The start adds ${missing === 1 ? "a migration" : `${missing} migrations`}.`;
    return [ok(name, `A start can open it.${next}`)];
  } catch (error) {
    if (await isFolderHeld(dataDir)) return [notYet(name, "A server started meanwhile.", "Wait a minute")];
    if (error instanceof DataFolderUnusable || error instanceof MigrationFailed)
      return [fix(name, ...splitMessage(error.message))];
    if (!isSystemError(error)) {
      const remedy = `Restore the newest backup: \`${commandLine("restore <file> --replace")}\`.`;
      return [fix(name, `A start cannot open it (${(error as Error).name}).`, remedy)];
    }
    if (error.code !== "ENOSPC") throw error;
    return [notYet(name, "The disk has no room for the copy that this check opens.", "Free some space")];
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "errno" in error;
}
