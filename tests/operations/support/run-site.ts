import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { coverageVariables, shortLived } from "../../support/short-lived";

/** Output of a command. An operator must be able to act on `err`. */
type Result = Record<"out" | "err", string> & { code: number | null };

/** Conventional user id of "nobody". */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/**
 * True if a test can meet a folder without permissions. root may use all folders, and can run a command as "nobody" only
 * if that user can read this checkout.
 */
export const canBeRefused =
  !isRoot || spawnSync(process.execPath, [resolve("bin/site.mjs"), "help"], { uid: nobody, gid: nobody }).status === 0;

/**
 * Runs a command to its end, in a folder with only an `.env` file and links to the build. Kills it after a minute.
 * @param surroundings `envFile`: content of .env; `asNobody`: as a user without rights to root's files; `program`:
 *   another one of the product
 */
export async function runSite(
  words: string[],
  surroundings: {
    settings?: Record<string, string>;
    envFile?: string | Uint8Array;
    asNobody?: boolean;
    program?: string;
  } = {},
): Promise<Result> {
  const { settings = {}, envFile, asNobody = false, program = "bin/site.mjs" } = surroundings;
  const cwd = await makePublicFolder();
  for (const name of ["build", "public"]) await symlink(resolve(name), join(cwd, name));
  if (envFile !== undefined) await writeFile(join(cwd, ".env"), envFile);
  const child = spawn(process.execPath, [...shortLived, resolve(program), ...words], {
    cwd,
    env: { ...(asNobody ? {} : coverageVariables()), PATH: process.env.PATH, NODE_ENV: "production", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
    ...(asNobody && isRoot ? { uid: nobody, gid: nobody } : {}),
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, out, err };
}

/** Makes a folder that everybody may enter, and write to if `mode` allows it. */
export async function makePublicFolder(mode: 0o755 | 0o777 = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "public-"));
  await chmod(folder, mode);
  return folder;
}

/** Makes a folder as if another user owned it, until the test is over: the command may read it (755) or not (700). */
export async function makeForeignFolder(mode: 0o755 | 0o700): Promise<string> {
  const folder = join(await makePublicFolder(), "foreign");
  await mkdir(folder);
  // All folders are removed later.
  onTestFinished(() => chmod(folder, 0o700));
  await chmod(folder, isRoot ? mode : (mode & 0o055) * 0o10);
  return folder;
}

/** Returns the message of a failed command, which must be one line of one or two sentences, without other output. */
export function sentenceOf({ code, out, err }: Result): string {
  expect({ code, out, lines: err.trimEnd().split("\n") }).toEqual({
    code: 1,
    out: "",
    lines: [expect.stringMatching(/\.$/)],
  });
  return err.trimEnd();
}
