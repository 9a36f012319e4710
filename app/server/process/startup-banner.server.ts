import { fstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { commandLine } from "~/lib/command-line";
import { isLoopback } from "~/lib/http/loopback";
import { siteVersion } from "~/lib/site-version";
import type { Settings } from "../config/settings.server";

/**
 * Builds the lines that the operator reads when the server and its backend are ready.
 * @param port the actual port, if the setting was 0
 * @param firstAdmin only if this start generated a password, which is shown here once and stored nowhere
 * @param isJournal true if systemd's journal would keep the password
 */
export function describeStart(
  settings: Settings,
  port: number,
  firstAdmin: { email: string; password: string } | null,
  isJournal = false,
): string {
  const host = formatHost(settings.host);
  const lines = [`Ready:  http://${host === "0.0.0.0" || host === "127.0.0.1" ? "localhost" : host}:${port}`];
  lines.push(`Build:  ${siteVersion}`);
  if (settings.siteUrlIsExplicit) lines.push(`Site:   ${settings.siteUrl}`);
  const { metrics } = settings;
  if (metrics) lines.push(`Stats:  http://${formatHost(metrics.host)}:${metrics.port}/metrics`);
  if (settings.backend.kind === "hosted") {
    lines.push(`Data:   the Supabase project at ${settings.backend.url}`);
  } else {
    lines.push(`Data:   ${resolve(settings.dataDir)}`);
    const hasMailServer = settings.mail.smtpUrl !== undefined || settings.mail.resendApiKey !== undefined;
    if (!hasMailServer)
      lines.push(`Mail:   kept as files in ${resolve(join(settings.dataDir, "mail"))} (no mail server is set)`);
  }
  if (!settings.siteUrlIsExplicit && !isLoopback(settings.host)) lines.push("", ...siteUrlWarning(settings), "");
  if (firstAdmin) lines.push("", `Admin:  ${firstAdmin.email}`, ...describePassword(firstAdmin, isJournal), "");
  return lines.join("\n");
}

function describePassword({ email, password }: { email: string; password: string }, isJournal: boolean): string[] {
  if (!isJournal)
    return [`        password ${password}`, "        Shown only now: write it down, then sign in at /login."];
  return [
    "        The journal would keep the password. To set one, print a link:",
    `        ${commandLine(`admin new-password-link ${email}`)}`,
  ];
}

/** Returns true if standard output goes to systemd's journal (JOURNAL_STREAM in systemd.exec(5)). */
export function writesToJournal(): boolean {
  const { dev, ino } = fstatSync(process.stdout.fd);
  return process.env.JOURNAL_STREAM === `${dev}:${ino}`;
}

function siteUrlWarning({ host, siteUrl }: Settings): string[] {
  return [
    `Warning: SITE_URL is not set, and with HOST=${host} other machines can reach this server.`,
    "         Until it is set, forms are accepted under any name that leads to this server, cookies",
    `         travel without https, and links in emails point to ${siteUrl}.`,
    "         Set SITE_URL to the address that visitors type, for example https://firm.example.",
  ];
}

function formatHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
