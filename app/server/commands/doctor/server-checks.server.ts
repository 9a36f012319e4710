import { existsSync } from "node:fs";
import { join } from "node:path";
import { siteVersion, versionsOf } from "~/lib/site-version";
import { isFolderHeld } from "#supabase/embedded/folder/lock";
import { DataFolderUnusable, requireOwnDatabase } from "#supabase/embedded/folder/usable-folder";
import { type Finding, type Installation, fix, lookAt, notChecked, ok, splitMessage } from "./finding.server";
import { type LocalServer, isSameVersion } from "./local-server.server";

/** Checks that the server of this installation runs, as this build. */
export async function checkServer(installation: Installation): Promise<Finding[]> {
  const server = await installation.server;
  return [judgeServer(server, await isHeld(installation))];
}

/** Returns null for a hosted project, whose servers hold no folder. */
async function isHeld({ settings }: Installation): Promise<boolean | null> {
  if (settings.backend.kind === "hosted") return null;
  return isFolderHeld(settings.dataDir).catch(() => false);
}

function judgeServer({ state, origin, parts }: LocalServer, isFolderInUse: boolean | null): Finding {
  const name = "server";
  if (origin === null) return notChecked(name, "PORT is 0, so its port is unknown.", "Set PORT.");
  if (state === "foreign")
    return fix(name, `Another program responds at ${origin}, so a start would fail.`, "Set PORT to a free port.");
  if (state === "silent")
    return isFolderInUse === true
      ? lookAt(
          name,
          `A process holds the data folder, and none responds at ${origin}.`,
          "Set PORT and HOST to that server's values. If they are right, restart it.",
        )
      : notChecked(name, `No server runs at ${origin}.`, "Start it, then run this command again.");
  if (isFolderInUse === false)
    return lookAt(
      name,
      `The server at ${origin} does not hold this data folder.`,
      "Set DATA_DIR, PORT and HOST to the values of one server.",
    );
  if (state === "starting") return notChecked(name, "It is starting.", "Run this command again in a minute.");
  if (parts && !isSameVersion(parts.version))
    return lookAt(name, `It runs ${parts.version}, and this program is ${siteVersion}.`, "Restart the server.");
  return ok(name, `It responds at ${origin}${parts ? `, as ${parts.version}` : ""}.`);
}

/** Checks the database through the running server, and never opens it: two processes at a time would lose data. */
export async function checkDatabase({ settings, server }: Installation): Promise<Finding[]> {
  const name = "database";
  const { backend, dataDir } = settings;
  const { state, isReady, parts } = await server;
  if (state === "starting") return [notChecked(name, "The server is starting.")];
  if (state !== "up") return backend.kind === "hosted" ? [] : [checkFiles(name, join(dataDir, "pg"))];
  const { postgresql } = versionsOf(settings);
  if (isReady === true)
    return [ok(name, `It responds${postgresql ? ` (PostgreSQL ${postgresql})` : ""}, and has every migration.`)];
  if (parts?.migrations === "missing")
    return [
      fix(
        name,
        "It lacks a migration of this version.",
        backend.kind === "hosted" ? "Run `supabase db push`." : "Restart the server, which applies it.",
      ),
    ];
  if (parts?.draining) return [notChecked(name, "The server is stopping.")];
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

function checkFiles(name: string, files: string): Finding {
  if (!existsSync(files)) return notChecked(name, "There is none yet.", "The first start creates it.");
  try {
    requireOwnDatabase(files);
    return notChecked(name, "Only a running server can tell.", "Start the server, then run this command again.");
  } catch (error) {
    if (error instanceof DataFolderUnusable) return fix(name, ...splitMessage(error.message));
    throw error;
  }
}
