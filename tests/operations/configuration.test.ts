import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { variables } from "~/server/config/setting-variables.server";
import { makeDataDir } from "../support/site-folder";

// Facts that two files repeat, where a change of one is easily forgotten in the other.

const read = (path: string) => readFileSync(path, "utf8");
const compose = parse(read("compose.yaml")) as { services: { site: Record<string, string> } };
const { environment, volumes, stop_grace_period, mem_limit, pids_limit } = compose.services.site;
const unit = read("deploy/site.service");

it("compose.yaml has the program read .env by itself, and makes no folder of that name", () => {
  expect(volumes).toContainEqual({
    type: "bind",
    source: "./.env",
    target: "/site/.env",
    read_only: true,
    bind: { create_host_path: false },
  });
  // Those of the environment would win over the file.
  expect(environment).toEqual(["SITE_ENV=.env", "METRICS_HOST=0.0.0.0"]);
  expect(read("Dockerfile")).toMatch(/\nWORKDIR \/site\n(?!.*WORKDIR)/s);
});

it("bin/ rejects exactly the Node versions below the minimum in package.json", () => {
  expect(read("bin/node-version.mjs")).toContain(`const oldest = "${packageJson.engines.node.replace(">=", "")}";`);
});

it("the service starts Node as the image does, and waits as long for its end as compose", () => {
  const [node, ...options] = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(read("Dockerfile"))?.[1] ?? "") as string[];
  expect(unit).toContain(`\nExecStart=${[node, ...options, "serve"].join(" ")}\n`);
  expect(unit).toContain(/^ENV (MALLOC_TRIM_THRESHOLD_=\d+)$/m.exec(read("Dockerfile"))?.[1]);
  expect(unit).toContain(`\nTimeoutStopSec=${stop_grace_period?.replace("s", "")}\n`);
  expect(unit).toContain(`\nMemoryMax=${mem_limit?.toUpperCase()}\n`);
  expect(unit).toContain(`\nTasksMax=${pids_limit}\n`);
});

it("the operator's command has the service's environment, and the file of settings only existing ones", () => {
  const [, mode] = /^Environment=(NODE_ENV=.+)$/m.exec(unit) ?? [];
  expect(read("deploy/site")).toContain(` env ${mode} SITE_ENV=/dev/fd/3 `);
  expect(unit).not.toContain("EnvironmentFile");
  const names = [...read("deploy/site.env").matchAll(/^([^#\s=]+)=/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(3);
  expect(Object.keys(variables.shape)).toEqual(expect.arrayContaining(names));
});

it.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)(
  "deploy/site.service is a valid unit, exposed at 2.0 of 10 at most (skipped without systemd-analyze)",
  async () => {
    const file = join(await makeDataDir(), "site.service");
    // systemd looks for programs in few folders, and a test machine may have Node elsewhere.
    await writeFile(file, unit.replace("ExecStart=node ", `ExecStart=${process.execPath} `));
    const analyze = (...options: string[]) => {
      const { status, stdout, stderr } = spawnSync("systemd-analyze", [...options, file], { encoding: "utf8" });
      return { status, printed: `${stdout}${stderr}` };
    };
    const { status, printed } = analyze("verify");
    expect([status, printed.includes("site.service")], printed).toEqual([0, false]);
    const security = analyze("security", "--offline=true", "--threshold=20", "--no-pager");
    expect(security.status, security.printed).toBe(0);
  },
);
