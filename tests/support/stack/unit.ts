import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Service, startService } from "../../database/support/postgres/child-process.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const folder = join(repository, "deploy/self-hosted/systemd/");

/** Differences between this machine and the one that a unit is written for. */
export interface UnitChanges {
  /** the programs by their names in ExecStart, for example "postgrest" */
  programs: Record<string, string>;
  /** the files of /etc/site-project by name, as `makeSettings` makes them */
  settings: Record<string, Record<string, string> | string>;
  /** variables to change, such as ports and the folder of the database's socket */
  environment: Record<string, string>;
}

/**
 * Reads the command, the environment and the standard input of a unit in deploy/self-hosted/systemd as systemd does, as
 * far as our units use its syntax.
 */
export async function readUnit(name: string, { programs, settings, environment }: UnitChanges) {
  const lines = await readUnitLines(name);
  const valuesOf = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((it) => it.slice(key.length + 1));
  const variables: Record<string, string> = {};
  for (const assignment of valuesOf("Environment").flatMap((it) => it.split(" "))) assign(variables, assignment);
  for (const file of valuesOf("EnvironmentFile")) Object.assign(variables, await readEnvironmentFile(file, settings));
  Object.assign(variables, environment);
  const input = settings[basename(valuesOf("StandardInput")[0] ?? "")];
  const [program = "", ...words] = (valuesOf("ExecStart")[0] ?? "").split(/\s+/);
  return {
    program: programs[basename(program)] ?? program,
    args: words.map((word) => inRepository(word.replaceAll(/\$\{(\w+)\}/g, (_, key) => variables[key] ?? ""))),
    environment: variables,
    input: typeof input === "string" ? input : "",
  };
}

/** Starts a unit's command in the repository, as one of its services. */
export async function startUnit(name: string, changes: UnitChanges, isReady: () => Promise<boolean>): Promise<Service> {
  const { program, args, environment } = await readUnit(name, changes);
  const env = { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, ...environment };
  return startService(program, args, { cwd: repository, env }, isReady);
}

/** Reads a file of settings in the format of systemd's EnvironmentFile. */
export async function readSettingsFile(path: string): Promise<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const line of (await readFile(path, "utf8")).split("\n")) if (/^\w/.test(line)) assign(variables, line);
  return variables;
}

/** Returns the lines of a unit and of the drop-in for all of them. A backslash continues a line. */
async function readUnitLines(name: string): Promise<string[]> {
  const files = [name, "site-.service.d/limits.conf"].map((file) => readFile(join(folder, file), "utf8"));
  return (await Promise.all(files))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
}

async function readEnvironmentFile(path: string, settings: UnitChanges["settings"]): Promise<Record<string, string>> {
  const made = path.startsWith("/etc/site-project/") ? settings[basename(path)] : undefined;
  return typeof made === "object" ? made : readSettingsFile(inRepository(path));
}

function inRepository(text: string): string {
  return text.replace("/srv/site/current/", repository);
}

function assign(variables: Record<string, string>, assignment: string): void {
  const [name = ""] = assignment.split("=", 1);
  variables[name] = assignment.slice(name.length + 1);
}
