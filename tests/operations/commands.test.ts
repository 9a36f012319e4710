import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { makeSiteFolder } from "../support/site-folder";
import { coverageVariables } from "../support/short-lived";
import { canBeRefused, makePublicFolder } from "./support/run-site";

/** Runs bin/site.mjs in a folder, with this environment alone. */
const run = (words: readonly string[], cwd?: string, env: Record<string, string> = {}) =>
  spawn(process.execPath, [resolve("bin/site.mjs"), ...words], cwd, { ...coverageVariables(), ...env });

function spawn(program: string, words: readonly string[], cwd = resolve("."), env: Record<string, string> = {}) {
  const surroundings = { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv;
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env: surroundings, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

/** Returns the lines of a command's usage. */
const usageOf = (env: Record<string, string>, cwd?: string) => run(["doctor", "--help"], cwd, env).out.split("\n");

const listed = run(["--help"]);
const names = [...listed.out.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name ?? "");

describe("help", () => {
  it("lists every command, and is an error for an unknown one", () => {
    expect(names.length).toBeGreaterThanOrEqual(12);
    for (const word of ["help", "-h"]) expect(run([word])).toEqual(listed);
    for (const words of [["serv"], [], ["help", "serv"]])
      expect(run(words)).toEqual({ code: 2, out: "", err: listed.out });
  });

  it.each(names)("of %s gives usage, effect and target, and other words are refused with it", async (name) => {
    const folder = await makePublicFolder();
    const env = { DATA_DIR: join(folder, "data"), NODE_ENV: "production" };
    const help = run([name, "--help"], folder, env);
    expect(help).toMatchObject({ code: 0, err: "" });
    expect(help.out).toMatch(/^Usage:\n(?: {2}\S.*\n)+\nEffect: \S.*\.\nTarget: \S/);
    for (const line of [`${name} -h`, `${name} a --help`, `help ${name}`])
      expect(run(line.split(" "), folder, env), line).toEqual(help);
    for (const words of ["--no-such", "-x", "a b c", ""])
      expect(run([name, ...words.split(" ")], folder, env), words).toEqual({ code: 2, out: "", err: help.out });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    "backup a b",
    "backup --replace",
    "backup-key check x",
    "restore --replace",
    "restore file --force",
    "move --replace",
    "admin",
    "admin revoke",
    "admin list --even-the-last",
    "admin set-password a@example.org phrase",
    "doctor --selector",
    "doctor --selector --strict",
    "privacy-pack --to",
    "privacy-pack consent",
    "privacy-pack --to x consent n",
    "privacy-pack no-such",
    "serve 3000",
  ])("is the reply to a mistake: %s", (line) => {
    expect(run(line.split(" "))).toEqual({ code: 2, out: "", err: expect.stringMatching(/^Usage:/) });
  });

  it("names each command as npm runs it", () => {
    const missing = names.filter((name) => !(name in packageJson.scripts));
    expect(missing.toSorted()).toEqual(["healthcheck", "serve", "version"]);
  });
});

describe("the program's name and folders in messages", () => {
  const root = resolve(".");
  const npm = { npm_package_json: join(root, "package.json"), npm_command: "run-script" };

  it.each<[Record<string, string>, string]>([
    [{}, "node bin/site.mjs doctor ["],
    [{ SITE_COMMAND: "site" }, "site doctor ["],
    [npm, "npm run doctor -- ["],
    [{ ...npm, npm_command: "exec" }, "node bin/site.mjs doctor ["],
    [{ ...npm, npm_package_json: join(root, "tests/package.json") }, "node bin/site.mjs doctor ["],
    [{ DATA_DIR: "it's" }, `DATA_DIR='${root}/it'\\''s' node bin/site.mjs doctor [`],
  ])("with %j", (env, call) => {
    expect(usageOf(env)[1]?.trim().slice(0, call.length)).toBe(call);
  });

  it("are right when called in another folder", async () => {
    const folder = await makePublicFolder();
    expect(usageOf({}, folder)[1]).toContain(` node ${root}/bin/site.mjs doctor `);
    expect(usageOf({}, folder).at(4)).toBe(`Target: the data folder ${root}/data`);
    expect(usageOf({ DATA_DIR: "d" }, folder).at(4)).toBe(`Target: the data folder ${folder}/d`);
    expect(usageOf({ NODE_ENV: "production" }, folder).at(4)).toContain("DATA_DIR, which is not set");
    const missing = `${folder}/no.tar.gz does not exist.\n`;
    expect(run(["verify-backup", "no.tar.gz"], folder).err).toBe(missing);
    expect(run(["verify-backup", "no.tar.gz"], root, { ...npm, INIT_CWD: folder }).err).toBe(missing);
  });
});

describe.skipIf(!canBeRefused || process.getuid?.() !== 0)("deploy/site (skipped unless root runs the tests)", () => {
  it("takes paths of the caller's folder and root's settings, and says what its user may not read or write", async () => {
    const dataDir = await makeSiteFolder();
    spawnSync("chown", ["-R", "nobody", dataDir]);
    const tools = await makePublicFolder();
    await chmod(dataDir, 0o700);
    const settings = join(tools, "site.env");
    // Root's alone: the command passes it on open.
    await writeFile(settings, "\ufeffSITE_URL=https://firm.example\r\nPORT=4321\r\n", { mode: 0o600 });
    const text = (await readFile("deploy/site", "utf8"))
      .replace("-u site", "-u nobody")
      .replace("/var/lib/site", dataDir)
      .replace("/etc/site.env", settings)
      .replace("/srv/site/current", resolve("."))
      .replace(" node ", ` ${process.execPath} `);
    await writeFile(join(tools, "site"), text, { mode: 0o755 });
    const open = await makePublicFolder(0o777);
    const site = (cwd: string, ...words: string[]) => {
      // Its user may not use the tests' own temporary folder.
      const { code, out, err } = spawn(join(tools, "site"), words, cwd, { TMPDIR: open });
      return { code, said: `${out}${err}`.trim() };
    };
    expect(site(open, "healthcheck").said).toMatch(/^No site responds at http:\/\/127\.0\.0\.1:4321 \(/);
    expect(site(open, "backup", "b.tar.gz").said).toContain(`${open}/b.tar.gz: `);
    const intact = expect.stringContaining(`${open}/b.tar.gz is intact`);
    expect(site(open, "verify-backup", "./b.tar.gz")).toEqual({ code: 0, said: intact });
    const closed = join(await makePublicFolder(), "root");
    await mkdir(closed, { mode: 0o700 });
    await symlink(join(open, "b.tar.gz"), join(closed, "b.tar.gz"));
    const unread = `${closed}/b.tar.gz may not be read by the user nobody (EACCES). Copy it for that user: install -o nobody -m 600 ${closed}/b.tar.gz /var/tmp/.`;
    for (const line of ["verify-backup b.tar.gz", "restore b.tar.gz --replace"])
      expect(site(closed, ...line.split(" "))).toEqual({ code: 1, said: unread });
    const unwritten = expect.stringContaining(`The user nobody cannot write to ${closed} (EACCES). Without a place`);
    for (const place of [".", "x.tar.gz"]) expect(site(closed, "backup", place)).toEqual({ code: 1, said: unwritten });
    expect(site(open, "backup", "gone/")).toEqual({ code: 1, said: `There is no folder ${open}/gone.` });
    expect(site(closed, "--help").said).toMatch(/^Usage: site <command>/);
    expect(await readdir(closed)).toEqual(["b.tar.gz"]);
    await writeFile(settings, "PORT", { mode: 0o600 });
    const mistake = `The file ${settings} has a mistake:\n- line 1 has no =: write NAME=value, or put # before a comment`;
    expect(site(open, "healthcheck")).toEqual({ code: 1, said: mistake });
  });
});
