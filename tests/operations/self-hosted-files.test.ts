import { execFile } from "node:child_process";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { makeDataDir } from "../support/site-folder";
import { readSettingsFile } from "../support/stack/unit";

const run = promisify(execFile);

it("makes settings once, readable by their owner only", async () => {
  const folder = join(await makeDataDir(), "site");
  const make = () => run(process.execPath, ["deploy/self-hosted/make-settings.mjs", "https://firm.example/", folder]);
  expect((await make()).stdout).toMatch(/functions\.env.*Fill in the empty lines/);
  expect((await readdir(folder)).toSorted()).toEqual([
    "auth.env",
    "functions.env",
    "rest.env",
    "secret-key",
    "site.env",
  ]);
  for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  const site = await readSettingsFile(join(folder, "site.env"));
  const functions = await readSettingsFile(join(folder, "functions.env"));
  expect(site).toMatchObject({ SITE_URL: "https://firm.example", SITE_KEY: functions.SITE_KEY });
  await expect(make()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing was written") });
  expect(await readSettingsFile(join(folder, "site.env"))).toEqual(site);
});

const hasAnalyzer = await run("systemd-analyze", ["--version"]).then(
  () => true,
  () => false,
);

it.skipIf(!hasAnalyzer)("has units that systemd accepts, each with few rights", async () => {
  const root = await makeDataDir();
  const programs = [
    "usr/local/bin/auth",
    "usr/local/bin/postgrest",
    "usr/local/bin/deno",
    "usr/bin/caddy",
    "usr/bin/curl",
  ];
  for (const file of programs) {
    await mkdir(join(root, file, ".."), { recursive: true });
    await writeFile(join(root, file), "", { mode: 0o755 });
  }
  const units = join(root, "etc/systemd/system");
  await run("mkdir", ["-p", units]);
  await run("cp", ["-r", "deploy/self-hosted/systemd/.", units]);
  // Units of systemd itself, to which ours refer.
  await run("mkdir", ["-p", join(root, "usr/lib/systemd")]);
  await run("cp", ["-r", "/lib/systemd/system", join(root, "usr/lib/systemd")]);
  const names = (await readdir(units)).filter((name) => /^site-.*\.(?:service|timer)$/.test(name));
  const verified = await run("systemd-analyze", ["verify", `--root=${root}`, "--man=no", ...names]);
  expect(verified.stderr.split("\n").filter((line) => line.includes("site-"))).toEqual([]);
  const services = names.filter((name) => name.endsWith(".service"));
  await run("systemd-analyze", ["security", "--offline=true", "--threshold=20", `--root=${root}`, ...services]);
});
