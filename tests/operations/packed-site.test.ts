import { execFile } from "node:child_process";
import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { list } from "tar";
import { beforeAll, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { makeDataDir } from "../support/site-folder";
import { startProduct } from "../support/product";
import { Visitor, filledContactForm } from "../support/visitor";

const run = promisify(execFile);

let archive: string;
/** where it is unpacked */
let current: string;

beforeAll(async () => {
  const folder = await makeDataDir();
  await run(process.execPath, ["scripts/pack.mjs", folder]);
  const [name = ""] = (await readdir(folder)).filter((each) => each.endsWith(".tar.gz"));
  archive = join(folder, name);
  current = join(folder, "current");
  await mkdir(current);
  await run("tar", ["-xzf", archive, "-C", current, "--strip-components=1"]);
});

it("holds what runs, in order and without owners, and nothing of development or this machine", async () => {
  const paths: string[] = [];
  await list({
    file: archive,
    onReadEntry: ({ path, header, linkpath }) => {
      paths.push(path);
      expect([header.uid, header.gid], path).toEqual([undefined, undefined]);
      expect(linkpath ?? "", path).not.toMatch(/^\//);
    },
  });
  // A build between releases has its commit in the name, so that no two land in one folder.
  expect(basename(archive)).toMatch(/^site-\d+\.\d+\.\d+(?:-dev\+[\w.-]+)?\.tar\.gz$/);
  const root = `${basename(archive, ".tar.gz")}/`;
  expect(paths).toEqual(paths.toSorted());
  expect(paths.filter((path) => !path.startsWith(root))).toEqual([]);
  const needed = ["bin/site.mjs", "deploy/site.service", "sbom.cdx.json", "CHANGELOG.md", "node_modules/pg/LICENSE"];
  expect(paths).toEqual(expect.arrayContaining(needed.map((path) => root + path)));
  // Only tests can change timeouts, with a program of theirs (`serve-with-timeouts.mjs`).
  const packages = ["vite", "vitest", "typescript", "playwright", "express", "@remix-run/serve"];
  const unneeded = ["tests/", "bin/dev", ...packages.map((name) => `node_modules/${name}/`)].map((path) => root + path);
  expect(paths.filter((path) => unneeded.some((start) => path.startsWith(start)))).toEqual([]);
  expect(paths.filter((path) => /\/\.git(?:\/|$)/.test(path))).toEqual([]);
  const bill = JSON.parse(await readFile(join(current, "sbom.cdx.json"), "utf8")) as { metadata: object };
  expect(JSON.stringify(bill)).toContain(`cpe:2.3:a:postgresql:postgresql:${packageJson.config.postgresql}:`);
  expect(bill.metadata).toMatchObject({ component: { name: packageJson.name, version: packageJson.version } });
  expect(Object.keys(bill.metadata)).not.toContain("timestamp");
  for (const path of ["package.json", "sbom.cdx.json"])
    expect(await readFile(join(current, path), "utf8"), path).not.toContain(process.cwd());
});

it("warns that it serves an old build, which it cannot make anew", async () => {
  for (const name of ["start.mjs", "run.mjs"]) await cp(join("scripts", name), join(current, "scripts", name));
  await writeFile(join(current, "public/newer.txt"), "");
  const env = { NODE_ENV: "production", PATH: process.env.PATH, SITE_ENV: "none.env" } as const;
  const started = run(process.execPath, ["scripts/start.mjs"], { cwd: current, env });
  await expect(started).rejects.toMatchObject({ stderr: expect.stringContaining("serving the old build") });
});

it("runs with its own packages", async () => {
  const site = await startProduct({}, { cwd: current });
  expect((await new Visitor(site.url).post("/contact", filledContactForm)).status).toBe(303);
  const admin = new Visitor(site.url);
  await admin.signIn();
  expect((await admin.get("/admin")).html).toContain(filledContactForm.name);
  expect(await site.stop()).toBe(0);
});
