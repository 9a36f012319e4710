import { execFile } from "node:child_process";
import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { list } from "tar";
import { beforeAll, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { startProduct } from "../support/product";
import { shortLived } from "../support/short-lived";
import { Visitor, filledContactForm } from "../support/visitor";

const run = promisify(execFile);

let archive: string;
/** Folders of this version, and of one with a migration more. */
let current: string;
let later: string;

beforeAll(async () => {
  const folder = await makeDataDir();
  await run(process.execPath, ["scripts/pack.mjs", folder]);
  const [name = ""] = (await readdir(folder)).filter((each) => each.endsWith(".tar.gz"));
  archive = join(folder, name);
  [current, later] = [join(folder, "current"), join(folder, "later")];
  await mkdir(current);
  await run("tar", ["-xzf", archive, "-C", current, "--strip-components=1"]);
  await cp(current, later, { recursive: true, verbatimSymlinks: true });
  await addMigration(later);
});

/** Adds a migration to a build. */
async function addMigration(folder: string): Promise<void> {
  const assets = join(folder, "build/server/assets");
  const names = (await readdir(assets)).filter((name) => /^migrations-.*\.js$/.test(name));
  expect(names).toHaveLength(1);
  const file = join(assets, names[0] ?? "");
  const program = await readFile(file, "utf8");
  const changed = program.replace(
    /("\.\.\/migrations\/\d{14}_\w+\.sql": __vite_glob_0_0,)/,
    '$1 "../migrations/20990101000000_later.sql": "create table private.later (id integer);",',
  );
  expect(changed).not.toBe(program);
  await writeFile(file, changed);
}

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
  for (const path of [
    "bin/site.mjs",
    "deploy/site.service",
    "sbom.cdx.json",
    "CHANGELOG.md",
    "node_modules/pg/LICENSE",
  ])
    expect(paths, path).toContain(root + path);
  // Only tests can change timeouts, with a program of theirs (`serve-with-timeouts.mjs`).
  expect(paths.filter((path) => path.startsWith(`${root}tests/`))).toEqual([]);
  for (const name of ["vite", "vitest", "typescript", "playwright"])
    expect(paths.filter((path) => path.startsWith(`${root}node_modules/${name}/`))).toEqual([]);
  const bill = JSON.parse(await readFile(join(current, "sbom.cdx.json"), "utf8")) as { metadata: object };
  expect(JSON.stringify(bill)).toContain(`cpe:2.3:a:postgresql:postgresql:${packageJson.config.postgresql}:`);
  expect(bill.metadata).toMatchObject({ component: { name: packageJson.name, version: packageJson.version } });
  expect(Object.keys(bill.metadata)).not.toContain("timestamp");
  for (const path of ["package.json", "sbom.cdx.json"])
    expect(await readFile(join(current, path), "utf8"), path).not.toContain(process.cwd());
});

it("runs, is upgraded by folder, and goes back to the backup made before the upgrade", async () => {
  const dataDir = await makeSiteFolder();
  const settings = { BACKUP_EVERY: "1d" };
  const before = await startProduct(settings, { dataDir, cwd: current });
  expect((await new Visitor(before.url).post("/contact", filledContactForm)).status).toBe(303);
  await before.stop();

  const upgraded = await startProduct(settings, { dataDir, cwd: later });
  expect(await readInbox(upgraded.url)).toContain(filledContactForm.name);
  await upgraded.stop();

  const refusal = await startProduct(settings, { dataDir, cwd: current }).catch((error: Error) => error.message);
  const backup = /restore (\S+\.tar\.gz) --replace/.exec(String(refusal))?.[1] ?? "";
  expect(refusal).toContain(join(dataDir, "backups"));
  await run(process.execPath, [...shortLived, "bin/site.mjs", "restore", backup, "--replace", "--yes"], {
    cwd: current,
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: dataDir },
  });

  const back = await startProduct(settings, { dataDir, cwd: current });
  expect(await readInbox(back.url)).toContain(filledContactForm.name);
  await back.stop();
});

async function readInbox(url: string): Promise<string> {
  const admin = new Visitor(url);
  await admin.signIn();
  return (await admin.get("/admin")).html;
}
