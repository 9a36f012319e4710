import { readFile, readdir, readlink } from "node:fs/promises";
import type { Settings } from "../../../config/settings.server";
import { type Finding, type Installation, lookAt } from "../finding.server";

/** Finds servers of this installation that accept connections past the proxy, as far as this machine shows them. */
export async function checkListeners({ settings, isContainer }: Installation): Promise<Finding[]> {
  const parts = settings.backend.kind === "hosted" ? await listOpenParts().catch(() => []) : [];
  return [
    ...(isContainer ? [] : checkOwn(settings)),
    ...parts.map(({ program, port }) =>
      lookAt(
        "listeners",
        `${program} accepts connections on port ${port} from every address.`,
        "Let it listen on 127.0.0.1 (docs/operations/self-hosted.md), or close the port in the firewall.",
      ),
    ),
  ];
}

function checkOwn({ host, metrics, trustedProxies }: Settings): Finding[] {
  const findings: Finding[] = [];
  if (isUnspecified(host) && trustedProxies > 0)
    findings.push(
      lookAt(
        "listeners",
        `HOST=${host}: other machines reach the site past the proxy, and can choose the address they are counted by.`,
        "Set HOST=127.0.0.1, or let only the proxy connect.",
      ),
    );
  if (metrics && isUnspecified(metrics.host))
    findings.push(
      lookAt("listeners", "METRICS_PORT accepts connections from every address.", "Set METRICS_HOST=127.0.0.1."),
    );
  return findings;
}

function isUnspecified(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/**
 * Lists the parts of a self-hosted project on this machine that listen on all addresses. Linux shows the sockets of
 * one's own processes only, and root those of all.
 */
async function listOpenParts(): Promise<{ program: string; port: number }[]> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const ports = new Map(
    tables.flatMap((table) =>
      [...table.matchAll(openSocket)].map(([, port = "", inode = ""]) => [inode, Number.parseInt(port, 16)]),
    ),
  );
  const found: { program: string; port: number }[] = [];
  for (const id of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const program = nameOf(await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => ""));
    if (program === null) continue;
    for (const file of await readdir(`/proc/${id}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${id}/fd/${file}`).catch(() => "");
      const port = ports.get(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? "");
      if (port !== undefined) found.push({ program, port });
    }
  }
  return found;
}

/** A line of /proc/net/tcp or tcp6: a listening socket (0A) on 0.0.0.0 or ::. */
const openSocket = /^ *\d+: 0+:([0-9A-F]{4}) [0-9A-F]+:0000 0A (?:\S+ +){5}(\d+) /gm;

/** Recognizes PostgREST, Supabase Auth, and Deno with our functions. */
function nameOf(commandLine: string): string | null {
  const [program = "", ...words] = commandLine.split("\0");
  const name = program.replace(/^.*\//, "");
  if (/^(?:postgrest|gotrue|auth)$/.test(name)) return name;
  const served = words
    .map((word) => /functions\/([a-z-]+)\/index\.ts$|self-hosted\/functions\.ts$/.exec(word))
    .find(Boolean);
  if (!served || !name.startsWith("deno")) return null;
  return served[1] ? `The function ${served[1]}` : "The edge functions’ process";
}
