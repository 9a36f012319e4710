import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeDataDir } from "../support/site-folder";

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

describe.skipIf(!hasSystemd)("deploy/site.service (skipped without systemd-analyze)", () => {
  let unit: string;

  beforeAll(async () => {
    unit = join(await makeDataDir(), "site.service");
    // systemd looks for programs in few folders, and a test machine may have Node elsewhere.
    const text = await readFile("deploy/site.service", "utf8");
    await writeFile(unit, text.replace("ExecStart=node ", `ExecStart=${process.execPath} `));
  });

  const analyze = (...options: string[]) => {
    const { status, stdout, stderr } = spawnSync("systemd-analyze", [...options, unit], { encoding: "utf8" });
    return { status, printed: `${stdout}${stderr}` };
  };

  it("is a valid unit", () => {
    const { status, printed } = analyze("verify");
    expect([status, printed.includes("site.service")], printed).toEqual([0, false]);
  });

  it("is exposed at 2.0 of 10 at most", () => {
    const { status, printed } = analyze("security", "--offline=true", "--threshold=20", "--no-pager");
    expect(status, printed).toBe(0);
  });
});
