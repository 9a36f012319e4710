import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { embeddedOnly, hostedOnly } from "~/server/config/setting-names.server";
import { variables } from "~/server/config/setting-variables.server";

// Facts that two files repeat, where a change of one is easily forgotten in the other.

it(".env.example documents exactly the existing settings", () => {
  const documented = [...read(".env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  // A former name of another setting.
  expect([...documented, "SUPABASE_ANON_KEY"].toSorted()).toEqual(Object.keys(variables.shape).toSorted());
});

it("compose.yaml passes on every setting, for the embedded backend and for a hosted project", () => {
  const { site } = (parse(read("compose.yaml")) as { services: { site: { environment: string[] } } }).services;
  const passedOn = site.environment.map((line) => line.split("=")[0]);
  const withProject = [...read("compose.yaml").matchAll(/^ {2}# {5}- ([A-Z_]+)/gm)].map(([, name]) => name);
  const setByImage = ["HOST", "PORT", "DATA_DIR"];
  const names = Object.keys(variables.shape);
  const without = (...others: (readonly string[])[]) =>
    names.filter((name) => !others.flat().includes(name)).toSorted();
  expect(passedOn.toSorted()).toEqual(without(setByImage, hostedOnly));
  expect(withProject.toSorted()).toEqual(without(setByImage, embeddedOnly, ["SUPABASE_ANON_KEY"]));
});

it("bin/ rejects exactly the Node versions below the minimum in package.json", () => {
  const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
  expect(read("bin/node-version.mjs")).toContain(`const oldest = "${engines.node.replace(">=", "")}";`);
});

it("the workflow tests on the minimum Node version of package.json, and on the image's", () => {
  const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
  const imageNode = /^ARG NODE=node:([\d.]+)-slim$/m.exec(read("Dockerfile"))?.[1];
  const { jobs } = parse(read(".github/workflows/verify.yml")) as {
    jobs: { verify: { strategy: { matrix: { node: string[] } } } };
  };
  expect(jobs.verify.strategy.matrix.node).toEqual(
    expect.arrayContaining([`${engines.node.replace(">=", "")}.0`, imageNode]),
  );
});

it("the service starts Node as the image does, and waits as long for its end as compose", () => {
  const [node, ...options] = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(read("Dockerfile"))?.[1] ?? "") as string[];
  const unit = read("deploy/site.service");
  expect(unit).toContain(`\nExecStart=${[node, ...options, "serve"].join(" ")}\n`);
  expect(unit).toContain(/^ENV (MALLOC_TRIM_THRESHOLD_=\d+)$/m.exec(read("Dockerfile"))?.[1]);
  const { site } = (parse(read("compose.yaml")) as { services: { site: Record<string, string> } }).services;
  expect(`TimeoutStopSec=${/TimeoutStopSec=(\d+)/.exec(unit)?.[1]}`).toBe(
    `TimeoutStopSec=${site.stop_grace_period?.replace("s", "")}`,
  );
  expect(`${/MemoryMax=(\d+M)/.exec(unit)?.[1]?.toLowerCase()}`).toBe(site.mem_limit);
  expect(unit).toContain(`\nTasksMax=${site.pids_limit}\n`);
});

it("the operator's command has the service's environment, and the file of settings only existing ones", () => {
  const environment = /^Environment=(NODE_ENV=.+)$/m.exec(read("deploy/site.service"))?.[1] ?? "";
  expect(read("deploy/site")).toContain(` env ${environment} node --env-file=/etc/site.env `);
  expect(read("deploy/site.service")).toContain("\nEnvironmentFile=/etc/site.env\n");
  const names = [...read("deploy/site.env").matchAll(/^([^#\s=]+)=/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(3);
  expect(Object.keys(variables.shape)).toEqual(expect.arrayContaining(names));
});

function read(path: string): string {
  return readFileSync(path, "utf8");
}
