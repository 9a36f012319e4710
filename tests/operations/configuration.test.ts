import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { variables } from "~/server/config/setting-variables.server";

// Facts that two files repeat, where a change of one is easily forgotten in the other.

it("compose.yaml has the program read .env by itself, and makes no folder of that name", () => {
  const { site } = (
    parse(read("compose.yaml")) as { services: { site: { environment: string[]; volumes: unknown[] } } }
  ).services;
  expect(site.volumes).toContainEqual({
    type: "bind",
    source: "./.env",
    target: "/site/.env",
    read_only: true,
    bind: { create_host_path: false },
  });
  // Those of the environment would win over the file.
  expect(site.environment).toEqual(["SITE_ENV=.env", "METRICS_HOST=0.0.0.0"]);
  expect(read("Dockerfile")).toMatch(/\nWORKDIR \/site\n(?!.*WORKDIR)/s);
});

it("bin/ rejects exactly the Node versions below the minimum in package.json", () => {
  const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
  expect(read("bin/node-version.mjs")).toContain(`const oldest = "${engines.node.replace(">=", "")}";`);
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
  expect(read("deploy/site")).toContain(` env ${environment} SITE_ENV=/dev/fd/3 `);
  expect(read("deploy/site.service")).not.toContain("EnvironmentFile");
  const names = [...read("deploy/site.env").matchAll(/^([^#\s=]+)=/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(3);
  expect(Object.keys(variables.shape)).toEqual(expect.arrayContaining(names));
});

function read(path: string): string {
  return readFileSync(path, "utf8");
}
