import { siteVersion, versionsOf } from "~/lib/site-version";
import type { Settings } from "../../config/settings.server";
import { type Finding, type Installation, fix, lookAt, notChecked, notYet, ok } from "./finding.server";
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
  const { backend } = settings;
  const { state, isReady, parts } = await server;
  const holder = await running;
  if (state === "starting") return [notYet(name, "The server is starting.", "Wait a minute")];
  if (state !== "up" && backend.kind === "hosted") return [];
  if (state !== "up" && holder.state === "none")
    return [notYet(name, "Only the server opens it, and a start says what is wrong with it.", "Start it")];
  if (state !== "up" && (holder.state === "unknown" || holder.state === "hidden"))
    return [notChecked(name, holder.text, holder.remedy)];
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
