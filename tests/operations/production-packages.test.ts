import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeSiteFolder } from "../support/site-folder";

/** What somebody copies to a server where nothing is to be built; `npm install` needs the empty package in scripts. */
const copied = ["package.json", "package-lock.json", "bin", "scripts", "public", "build"];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "production-"));
  for (const path of copied) await cp(path, join(folder, path), { recursive: true });
  const options = ["--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  await promisify(execFile)("npm", ["install", ...options], { cwd: folder });
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

it("a site that was built elsewhere starts on production's packages, even if a source is newer than the build", async () => {
  await writeFile(join(folder, "public/newer.txt"), "");
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NODE_ENV: "production",
    PORT: "0",
    DATA_DIR: await makeSiteFolder(),
  } as Record<string, string> & { NODE_ENV: "production" };
  const child = spawn(process.execPath, ["scripts/start.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  try {
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (printed += String(chunk)));
    const ready = /Ready:\s+(http:\/\/\S+)/;
    await expect
      .poll(() => [printed, child.exitCode], { timeout: 150_000 })
      .toEqual([expect.stringMatching(ready), null]);
    const page = await fetch(new URL("/contact", ready.exec(printed)?.[1]));
    expect(page.status).toBe(200);
    expect(printed).toContain("serving it as it is");
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}, 200_000);
