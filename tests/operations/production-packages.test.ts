import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { shortLivedProduct } from "../support/short-lived";
import { makeSiteFolder } from "../support/site-folder";

const run = promisify(execFile);

/** Files that an operator copies to a server without building there; a package links to the empty one in scripts. */
const copied = ["package.json", "bin", "scripts", "public", "build"];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "production-"));
  await run("cp", ["-R", ...copied, folder]);
  const packages = await listProductionPackages();
  for (const scope of new Set(packages.map(dirname))) {
    const target = join(folder, scope);
    await mkdir(target, { recursive: true });
    const ofScope = packages.filter((path) => dirname(path) === scope);
    // A symbolic link to a package would lead Node back to this checkout's other packages.
    await run("cp", ["-R", ...ofScope, target]);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Lists the folders that `npm install --omit=dev` fills, each with its nested packages. */
async function listProductionPackages(): Promise<string[]> {
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as {
    packages: Record<string, { dev?: true; optional?: true }>;
  };
  // Optional packages are installed for this platform only.
  return Object.entries(packages).flatMap(([path, { dev, optional }]) =>
    /^node_modules\/(?!.*\/node_modules\/)/.test(path) && !dev && !(optional && !existsSync(path)) ? [path] : [],
  );
}

it("starts a site built elsewhere on production's packages, even if a source is newer than the build", async () => {
  await writeFile(join(folder, "public/newer.txt"), "");
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NODE_ENV: "production",
    PORT: "0",
    DATA_DIR: await makeSiteFolder(),
  } as Record<string, string> & { NODE_ENV: "production" };
  const child = spawn(process.execPath, [...shortLivedProduct, "scripts/start.mjs"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
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
    expect(printed).toContain("serving the old build");
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
});
