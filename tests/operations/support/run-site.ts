import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { shortLived } from "../../support/short-lived";

/** How a command of bin/site.mjs ended, and what it said. */
export interface Ended {
  code: number | null;
  out: string;
  /** standard error, which must be what an operator can act on */
  err: string;
}

/** What a command finds. */
export interface Surroundings {
  settings?: Record<string, string>;
  /** what stands in .env */
  envFile?: string | Uint8Array;
  /** as a user with no rights to what root owns; else as the user who runs the tests */
  asNobody?: boolean;
  /** of Node.js, instead of the test's own */
  nodeOptions?: string[];
  /** where the files of the pages are not */
  isElsewhere?: boolean;
  /** another program of the product than bin/site.mjs */
  program?: string;
}

/** "nobody", wherever there is one. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** Whether this machine lets a test meet a folder that it may not use: root may use all, and can be somebody else only where it may read us. */
export const canBeRefused =
  !isRoot || spawnSync(process.execPath, [resolve("bin/site.mjs"), "help"], { uid: nobody, gid: nobody }).status === 0;

/** Runs a command where nothing is but an `.env` file, until it ends; the test fails when it does not within a minute. */
export async function runSite(words: string[], surroundings: Surroundings = {}): Promise<Ended> {
  const { settings = {}, envFile, asNobody = false, nodeOptions = [], program = "bin/site.mjs" } = surroundings;
  const cwd = await makePublicFolder();
  const linked = surroundings.isElsewhere ? [] : ["build", "public"];
  for (const name of linked) await symlink(resolve(name), join(cwd, name));
  if (envFile !== undefined) await writeFile(join(cwd, ".env"), envFile);
  const child = spawn(process.execPath, [...shortLived, ...nodeOptions, resolve(program), ...words], {
    cwd,
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
    ...(asNobody && isRoot ? { uid: nobody, gid: nobody } : {}),
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, out, err };
}

/** Makes a folder that everybody may enter, and fill where `mode` says so. */
export async function makePublicFolder(mode: 0o755 | 0o777 = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "public-"));
  await chmod(folder, mode);
  return folder;
}

/** Makes a folder as somebody else has it: one that the command may look at (755), or may not (700). */
export async function makeForeignFolder(mode: 0o755 | 0o700): Promise<string> {
  const folder = join(await makePublicFolder(), "foreign");
  await mkdir(folder);
  foreign.push(folder);
  await chmod(folder, isRoot ? mode : (mode & 0o055) * 0o10);
  return folder;
}

const foreign: string[] = [];

/** Lets such folders be removed with all others. */
export async function openForeignFolders(): Promise<void> {
  for (const folder of foreign.splice(0)) await chmod(folder, 0o700);
}

/** What a failed command says: a sentence or two on one line, and nothing before or after it. */
export function sentenceOf({ code, out, err }: Ended): string {
  expect({ code, out, lines: err.trimEnd().split("\n") }).toEqual({
    code: 1,
    out: "",
    lines: [expect.stringMatching(/\.$/)],
  });
  return err.trimEnd();
}
