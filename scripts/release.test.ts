import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { makeDataDir } from "../tests/support/site-folder";

const script = resolve("scripts/release.mjs");
let folder: string;

const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, encoding: "utf8" });
const write = (name: string, text: string) => writeFileSync(`${folder}/${name}`, text);
const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8");
const commit = () => void (git("add", "--all"), git("commit", "--quiet", "--no-verify", "--message", "tests: commit"));
const release = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], { cwd: folder, encoding: "utf8" });
  return { status, printed: `${stdout}${stderr}` };
};
const refusal = (printed: string) => ({ status: 1, printed: expect.stringContaining(printed) as string });
const writeChangelog = (entries: string) => {
  write("CHANGELOG.md", `# Changelog\n\n## [Unreleased]\n\n${entries}## [0.1.0] - 2026-11-01\n\n- First.\n`);
  commit();
};

beforeEach(async () => {
  folder = await makeDataDir();
  git("init", "--quiet");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@firm.example");
  write(
    "package.json",
    JSON.stringify({
      name: "site",
      version: "0.1.1-dev",
      scripts: { check: "test ! -e broken", audit: "test ! -e unlooked || exit 3" },
    }),
  );
  mkdirSync(`${folder}/supabase/migrations`, { recursive: true });
  mkdirSync(`${folder}/supabase/releases`);
  write("supabase/migrations/1_first.sql", "select 1;\n");
  writeChangelog("### Added\n\n- A form.\n\n");
  git("tag", "v0.1.0");
});

it("prints the section and the tag in a dry run, and writes nothing", () => {
  const { status, printed } = release("--dry-run");
  const today = new Date().toISOString().slice(0, 10);
  expect(status, printed).toBe(0);
  expect(printed).toContain(`## [0.2.0] - ${today}\n\n### Added\n\n- A form.\n`);
  expect(printed).toContain("tag v0.2.0.");
  expect(git("status", "--porcelain")).toBe("");
});

it("writes version, changelog and digests of the migrations, and prints the commands of Git", () => {
  const { status, printed } = release();
  expect(status, printed).toBe(0);
  expect(printed.match(/^git .*/gm)).toEqual([
    "git add supabase/releases",
    'git commit --all --message "release: publish 0.2.0"',
    "git tag --annotate v0.2.0 --message 0.2.0",
    'git commit --all --message "release: begin 0.3.0-dev"',
  ]);
  expect(JSON.parse(read("package.json"))).toMatchObject({ version: "0.2.0" });
  expect(read("CHANGELOG.md")).toMatch(
    /## \[Unreleased\]\n\n## \[0\.2\.0\] - .*\n\n### Added\n\n- A form\.\n\n## \[0\.1\.0\]/,
  );
  expect(git("tag")).toBe("v0.1.0\n");
  const digest = createHash("sha256").update("select 1;\n").digest("hex");
  expect(read("supabase/releases/0.2.0.sha256")).toBe(`${digest}  supabase/migrations/1_first.sql\n`);
});

it("raises the patch for fixes alone, else takes the version given, or package.json's for the first release", () => {
  writeChangelog("### Fixed\n\n- A form.\n\n");
  expect(release("--dry-run").printed).toContain("tag v0.1.1.");
  expect(release("--dry-run", "1.0.0").printed).toContain("tag v1.0.0.");
  write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n- A form.\n");
  commit();
  expect(release("--dry-run").printed).toContain("tag v0.1.1.");
});

it("refuses a changed tree, a failed check, an empty section, and a tag that exists", () => {
  write("new", "");
  expect(release("--dry-run")).toEqual(refusal("tree has changes"));
  write("broken", "");
  commit();
  expect(release("--dry-run")).toEqual(refusal("check failed"));
  writeChangelog("");
  expect(release("0.1.0")).toEqual({
    status: 1,
    printed: "The tag v0.1.0 exists.\nCHANGELOG.md has no entry under Unreleased.\n",
  });
});

it("says that no advisories were looked up, and needs --unlooked then", () => {
  write("unlooked", "");
  commit();
  expect(release("--dry-run")).toEqual(refusal("--unlooked"));
  const { status, printed } = release("--dry-run", "--unlooked");
  expect(status, printed).toBe(0);
  expect(printed).toContain("- A form.\n\n- Advisories about the packages were");
  rmSync(`${folder}/unlooked`);
  commit();
  expect(release("--dry-run", "--unlooked").printed).not.toContain("Advisories");
});
