import { Resolver } from "node:dns/promises";
import { existsSync } from "node:fs";
import { withTimeout } from "~/lib/with-timeout";
import { printable } from "#supabase/embedded/operations/run-operation";
import type { MailResolver } from "../mail-records.server";
import { checkBackups } from "./backup-checks.server";
import { checkDataFolder } from "./data-folder-check.server";
import { type Check, type Finding, type Installation, notChecked } from "./finding.server";
import { checkListeners } from "./listener-check.server";
import { askLocalServer } from "./local-server.server";
import { checkMailRecordsOfSite, checkMailServer } from "./mail-checks.server";
import { checkOutside } from "./outside/outside-checks.server";
import { checkProxies } from "./outside/proxy-checks.server";
import type { Outside } from "./outside/visit.server";
import { checkStoredFacts } from "./project/facts-check.server";
import { checkProject } from "./project/project-checks.server";
import { checkTimers } from "./project/timer-checks.server";
import { checkDatabase, checkServer } from "./server-checks.server";
import { type EnvFile, checkFacts, examineSettings } from "./settings-checks.server";

const words = ["--from-outside", "--json", "--write-facts"];
const usage = `Usage: node bin/site.mjs doctor ${words.map((word) => `[${word}]`).join(" ")}`;

/** All checks after the settings, in the order of the output. They run at the same time. */
const checks: readonly [name: string, check: Check][] = [
  ["facts", checkFacts],
  ["data folder", checkDataFolder],
  ["server", checkServer],
  ["listeners", checkListeners],
  ["database", checkDatabase],
  ["mail DNS", checkMailRecordsOfSite],
  ["mail server", checkMailServer],
  ["backups", checkBackups],
  ["project", checkProject],
  ["stored facts", checkStoredFacts],
  ["timers", checkTimers],
];

/** Checks of `--from-outside`. */
const outsideChecks: typeof checks = [
  ["outside", checkOutside],
  ["proxies", checkProxies],
];

/** Longest time of one check; the whole takes less than ten seconds with the start of the program. */
const limitMs = 8_000;

/** Differences from an operator's call, for tests. */
export interface DoctorOptions {
  resolver?: MailResolver;
  outside?: Outside;
  isContainer?: boolean;
}

/**
 * Runs `doctor`: examines an installation, and prints one line for each finding. It changes nothing, unless
 * `--write-facts` writes the site's facts into a hosted project's database.
 * @param args command-line arguments after the command
 * @param environment variables by name
 * @returns the exit code: 2 if something is to be fixed, 1 if something is to be looked at, else 0
 */
export async function runDoctor(
  args: readonly string[],
  environment: Record<string, string | undefined> = process.env,
  envFile: EnvFile = { names: [], mistakes: null },
  options: DoctorOptions = {},
): Promise<number> {
  if (!args.every((word) => words.includes(word))) {
    console.error(usage);
    return 2;
  }
  const { settings, findings } = await examineSettings(environment, envFile);
  if (settings === null) {
    findings.push(notChecked("other checks", "They need the settings.", "Correct these, then run this command again."));
  } else {
    const installation: Installation = {
      settings,
      databaseUrl: environment.DATABASE_URL?.trim() || undefined,
      resolver: options.resolver ?? new Resolver({ timeout: 2_000, tries: 2 }),
      server: askLocalServer(settings),
      outside: options.outside ?? { locate: () => null },
      writesFacts: args.includes("--write-facts"),
      isContainer: options.isContainer ?? isContainer(environment),
    };
    const chosen = args.includes("--from-outside") ? [...checks, ...outsideChecks] : checks;
    findings.push(...(await Promise.all(chosen.map(([name, check]) => runCheck(name, check, installation)))).flat());
  }
  console.log(args.includes("--json") ? JSON.stringify(findings, null, 2) : findings.map(formatFinding).join("\n"));
  return findings.some(({ verdict }) => verdict === "fix")
    ? 2
    : Number(findings.some(({ verdict }) => verdict === "look at"));
}

/** Recognizes Docker, Podman and Kubernetes. */
function isContainer(environment: Record<string, string | undefined>): boolean {
  const marks = ["/.dockerenv", "/run/.containerenv"];
  return environment.KUBERNETES_SERVICE_HOST !== undefined || marks.some((file) => existsSync(file));
}

async function runCheck(name: string, check: Check, installation: Installation): Promise<Finding[]> {
  const late = () => [notChecked(name, `The check took longer than ${limitMs / 1000} seconds.`)];
  return withTimeout(check(installation), limitMs, late).catch((error: unknown) => {
    // A message may quote personal data or a secret.
    const { name: kind = "unknown", code } = error as { name?: string; code?: unknown };
    return [notChecked(name, `The check failed (${typeof code === "string" ? code : kind}).`)];
  });
}

function formatFinding({ name, verdict, text, remedy }: Finding): string {
  return printable(`${verdict.padEnd(11)}  ${name}: ${text}${remedy ? ` ${remedy}` : ""}`);
}
