import { Resolver } from "node:dns/promises";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { commandLine } from "~/lib/command-line";
import { withTimeout } from "~/lib/with-timeout";
import { DataFolderUnusable } from "#supabase/embedded/folder/usable-folder";
import { printable } from "#supabase/embedded/operations/run-operation";
import { checkBackups } from "./backup-checks.server";
import { checkContent } from "./content-checks.server";
import { checkDataFolder } from "./data-folder-check.server";
import {
  type Check,
  type Finding,
  type Installation,
  type MailResolver,
  lookAt,
  notChecked,
  notYet,
} from "./finding.server";
import { checkListeners } from "./listener-check.server";
import { askLocalServer } from "./local-server.server";
import { checkMailRecordsOfSite, checkMailServer } from "./mail-checks.server";
import { checkOutside } from "./outside/outside-checks.server";
import { checkProxies } from "./outside/proxy-checks.server";
import type { Outside } from "./outside/visit.server";
import { checkProjectDatabase } from "./project/database-checks.server";
import { checkProject } from "./project/project-checks.server";
import { checkRunningServer } from "./running-checks.server";
import { askRunningServer } from "./running-server.server";
import { checkDatabase, checkServer } from "./server-checks.server";
import { type EnvFile, examineSettings } from "./settings-checks.server";

/** Longest time of a check, unless it has its own; the whole takes less than ten seconds with the start of the program. */
const limitMs = 8_000;

/** All checks after the settings, in the order of the output. They run at the same time. */
const checks: readonly [name: string, check: Check, limitMs?: number][] = [
  ["facts", checkContent],
  ["data folder", checkDataFolder],
  ["server", checkServer],
  ["listeners", checkListeners],
  ["database", checkDatabase],
  ["running server", checkRunningServer],
  ["mail DNS", checkMailRecordsOfSite],
  // Sending a mail may take long.
  ["mail server", checkMailServer, 90_000],
  ["backups", checkBackups],
  ["project", checkProject],
  ["stored facts", checkProjectDatabase],
];

/** Checks of `--from-outside`. */
const outsideChecks: typeof checks = [
  ["outside", checkOutside],
  ["proxies", checkProxies],
];

/** Differences from an operator's call, for tests. */
export interface DoctorOptions {
  resolver?: MailResolver;
  outside?: Outside;
  isContainer?: boolean;
}

/**
 * Runs `doctor`: examines an installation, and prints one line for each finding. It changes nothing, unless `--send-mail`
 * sends the firm an email, or `--write-facts` writes the site's facts into a hosted project's database.
 * @param args command-line arguments after the command, which fit its usage in bin/site.mjs
 * @param environment variables by name
 * @returns the exit code: 2 if something is to be fixed, 1 if something is to be looked at, else 0
 */
export async function runDoctor(
  args: readonly string[],
  environment: Record<string, string | undefined> = process.env,
  envFile: EnvFile = { names: [], mistakes: null },
  { resolver, outside = { locate: () => null }, isContainer = isInContainer(environment) }: DoctorOptions = {},
): Promise<number> {
  const isStrict = args.includes("--strict");
  const { settings, findings } = await examineSettings(environment, envFile);
  if (settings === null) {
    findings.push(notChecked("other checks", "They need the settings.", "Correct these, then run this command again."));
  } else {
    const installation: Installation = {
      settings,
      databaseUrl: environment.DATABASE_URL?.trim() || undefined,
      resolver: resolver ?? new Resolver({ timeout: 2_000, tries: 2 }),
      server: askLocalServer(settings),
      running: askRunningServer(settings),
      outside,
      isContainer,
      writesFacts: args.includes("--write-facts"),
      sendsMail: args.includes("--send-mail"),
      selector: args.includes("--selector") ? args[args.indexOf("--selector") + 1] : undefined,
      isStrict,
    };
    const nothing = environment.DATA_DIR?.trim() || isStrict ? null : await findNoSite(installation);
    const chosen = args.includes("--from-outside") ? [...checks, ...outsideChecks] : checks;
    if (nothing !== null) findings.splice(0, Infinity, nothing);
    else findings.push(...(await Promise.all(chosen.map((each) => runCheck(each, installation)))).flat());
  }
  console.log(args.includes("--json") ? JSON.stringify(findings, null, 2) : formatFindings(findings));
  return findings.some(({ verdict }) => verdict === "fix")
    ? 2
    : Number(findings.some(({ verdict }) => verdict === "look at"));
}

/** Finds out that no site is here: no setting says where, the default folder does not exist, and no server runs. */
async function findNoSite({ settings, server }: Pick<Installation, "settings" | "server">): Promise<Finding | null> {
  const folder = resolve(settings.dataDir);
  if (settings.backend.kind === "hosted" || settings.siteUrlIsExplicit || existsSync(folder)) return null;
  if ((await server).state !== "silent") return null;
  const text = `DATA_DIR is not set, ${folder} does not exist, and no server runs.`;
  return lookAt("site", text, "Set DATA_DIR to the site's data folder, or start a new site.");
}

/** Recognizes Docker, Podman and Kubernetes. */
function isInContainer(environment: Record<string, string | undefined>): boolean {
  const marks = ["/.dockerenv", "/run/.containerenv"];
  return environment.KUBERNETES_SERVICE_HOST !== undefined || marks.some((file) => existsSync(file));
}

async function runCheck(
  [name, check, mostMs = limitMs]: (typeof checks)[number],
  installation: Installation,
): Promise<Finding[]> {
  const again = `Run \`${commandLine("doctor")}\` again`;
  const late = () => [
    notChecked(name, `The check took longer than ${mostMs / 1000} seconds.`, `${again} when the machine is less busy.`),
  ];
  return withTimeout(check(installation), mostMs, late).catch((error: unknown) => {
    if (error instanceof DataFolderUnusable)
      return [notYet(name, "It needs the data folder, which cannot be used.", "Correct that")];
    // A message may quote personal data or a secret.
    const { name: kind = "unknown", code } = error as { name?: string; code?: unknown };
    const text = `The check failed (${typeof code === "string" ? code : kind}).`;
    return [notChecked(name, text, `${again} as the site's user. If it fails again, report it with the version.`)];
  });
}

/** Formats one line for each finding, and the lists after all of them. */
function formatFindings(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ name, verdict, text, remedy }) => `${verdict.padEnd(11)}  ${name}: ${text}${remedy ? ` ${remedy}` : ""}`,
  );
  const lists = findings.flatMap(({ details = [] }) => details.map((line) => `- ${line}`));
  return printable([...lines, ...(lists.length > 0 ? ["", ...lists] : [])].join("\n"));
}
