import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { Finding, Verdict } from "~/server/commands/doctor/finding.server";
import type { DoctorOptions } from "~/server/commands/doctor/run-doctor.server";
import type { EnvFile } from "~/server/commands/doctor/settings-checks.server";
import { runInProcess } from "../../support/commands/run-in-process";
import { makeDataDir } from "../../support/site-folder";

/** Facts of a firm that has supplied all of them. */
const completeFacts = `
name: Firm One
email: office@firm-one.test
linkedin: ""
address: Street One
jurisdiction: the State of One
arbitrationBody: Arbiter One
founder: { name: Person One, role: Role One, linkedin: "", story: [Story One.], portrait: portrait.bin }
`;

const load = () => import("~/server/commands/doctor/run-doctor.server");

/** Writes a complete file of facts, sets SITE_FACTS to it, and loads the command, which reads the facts then. */
export async function supplyFacts(): Promise<string> {
  const file = join(await makeDataDir(), "facts.yaml");
  await writeFile(file, completeFacts);
  await writeFile(join(file, "../portrait.bin"), Buffer.from("\xff\xd8\xff\xe0", "latin1"));
  vi.stubEnv("SITE_FACTS", file);
  await load();
  return file;
}

/** Result of the command. */
export interface Diagnosis {
  code: number;
  findings: Finding[];
}

/** Runs the command in the test's process, as an operator would with these variables. */
export async function diagnose(
  environment: Record<string, string | undefined>,
  { args = [], envFile, ...options }: DoctorOptions & { args?: string[]; envFile?: EnvFile } = {},
): Promise<Diagnosis> {
  const { runDoctor } = await load();
  const { code, said } = await runInProcess(() => runDoctor(["--json", ...args], environment, envFile, options));
  expect(said).not.toContain(environment.SMTP_PASSWORD || "a-secret-of-mail");
  return { code: code ?? -1, findings: JSON.parse(said) as Finding[] };
}

/** Returns the findings with this verdict and name, one per line. @throws with all findings if there is none */
export function lineOf({ findings }: Pick<Diagnosis, "findings">, verdict: Verdict, name: string): string {
  const lines = findings.map((one) => `${one.verdict} ${one.name}: ${one.text} ${one.remedy}`);
  const named = lines.filter((line) => line.startsWith(`${verdict} ${name}: `));
  if (named.length === 0) throw new Error(`No finding is “${verdict} ${name}”:\n${lines.join("\n")}`);
  return named.join("\n");
}

/** Lists the findings that an operator has to act on. */
export function problemsOf({ findings }: Pick<Diagnosis, "findings">): string[] {
  return findings
    .filter(({ verdict }) => verdict === "fix" || verdict === "look at")
    .map(({ name, verdict, text }) => `${verdict} ${name}: ${text}`);
}
