import { Resolver } from "node:dns/promises";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { Finding } from "~/server/commands/doctor/finding.server";
import type { DoctorOptions } from "~/server/commands/doctor/run-doctor.server";
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

/** A line that the command prints, its cause, and more such lines: variables of an operator, or work that may return some. */
export type Fault = [line: string, given: Variables | (() => Promise<Variables | void>), ...more: string[]];
type Variables = Record<string, string>;

export async function cause(given: Fault[1]): Promise<Variables> {
  return (typeof given === "function" ? await given() : given) ?? {};
}

/**
 * Runs the command in the test's process, as an operator would with these variables. Its exit code must follow from the
 * worst verdict.
 * @returns each finding on a line
 */
export async function diagnose(
  environment: Record<string, string | undefined>,
  { args = [], ...options }: DoctorOptions & { args?: string[] } = {},
): Promise<string[]> {
  const { runDoctor } = await load();
  const { code, said } = await runInProcess(() => runDoctor(["--json", ...args], environment, undefined, options));
  expect(said).not.toContain(environment.SMTP_PASSWORD || "a-secret-of-mail");
  const findings = JSON.parse(said) as Finding[];
  const verdicts = findings.map(({ verdict }) => verdict);
  expect(code).toBe(verdicts.includes("fix") ? 2 : verdicts.includes("look at") ? 1 : 0);
  return findings.map(({ verdict, name, text, remedy }) => `${verdict} ${name}: ${text} ${remedy}`);
}

/** A resolver that asks this name server, or by default one that does not respond. */
export function resolveAt(address?: string): Resolver {
  const resolver = new Resolver(address === undefined ? { timeout: 200, tries: 1 } : { timeout: 2_000, tries: 2 });
  resolver.setServers([address ?? "127.0.0.1:9"]);
  return resolver;
}

/** Matches findings among which are lines that begin with these; "…" stands for any words. */
export function printed(...lines: string[]): unknown {
  const patterns = lines.map((line) =>
    line
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join(".*"),
  );
  return expect.arrayContaining(patterns.map((pattern) => expect.stringMatching(new RegExp(`^${pattern}`))));
}

/** Lists the findings that an operator has to act on. */
export function problemsOf(lines: string[]): string[] {
  return lines.filter((line) => /^(?:fix|look at) /.test(line));
}
