import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseDockerfile } from "../../scripts/image/dockerfile.mjs";

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

const text = readFileSync(".github/workflows/verify.yml", "utf8");
const workflow = parse(text) as {
  permissions: unknown;
  jobs: Record<string, { permissions?: unknown; strategy?: { matrix: { node: string[] } }; steps: Step[] }>;
};
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
const { engines, scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  engines: { node: string };
  scripts: Record<string, string>;
};
const imageNode = parseDockerfile(readFileSync("Dockerfile", "utf8"))[0]?.base.slice("node:".length, -"-slim".length);

describe("the workflow", () => {
  it("takes each action by its commit, whose full version stands beside it", () => {
    const uses = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(3);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("may read the repository and nothing else, and keeps no credential in it", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(Object.values(workflow.jobs).map(({ permissions }) => permissions)).not.toContainEqual(expect.anything());
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.length).toBe(Object.keys(workflow.jobs).length);
    for (const { with: options } of checkouts) expect(options).toEqual({ "persist-credentials": false });
  });

  it("proves the oldest supported Node and the image's", () => {
    const oldest = `${engines.node.replace(">=", "")}.0`;
    expect(workflow.jobs.verify?.strategy?.matrix.node).toEqual([oldest, imageNode]);
    const others = steps.map((step) => step.with?.["node-version"]).filter((version) => typeof version === "string");
    expect(new Set(others)).toEqual(new Set(["${{ matrix.node }}", imageNode]));
  });

  it("builds the image on one digest of its base, and not at all without one", () => {
    const resolve = steps.find(({ run }) => run?.includes("imagetools inspect"))?.run ?? "";
    const build = steps.find(({ run }) => run?.includes("docker compose build"))?.run ?? "";
    expect(build).toContain('--build-arg NODE="$NODE"');
    const good = `sha256:${"0123456789abcdef".repeat(4)}`;
    expect(runStep(resolve, good)).toEqual({ code: 0, env: `NODE=node:${imageNode}-slim@${good}\n` });
    for (const bad of ["", "<no value>", "sha256:short"])
      expect([bad, runStep(resolve, bad)]).toEqual([bad, { code: 1, env: "" }]);
  });

  it("runs only what is there", () => {
    const commands = steps.map(({ run = "" }) => run).join("\n");
    const names = [...commands.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
    const files = [...commands.matchAll(/node (scripts\/\S+)/g)].map(([, file = ""]) => file);
    expect(names).toContain("verify");
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

/** Runs a step as the workflow's shell does, with a docker that knows the base image by this digest. */
function runStep(run: string, digest: string): { code: number | null; env: string } {
  const folder = mkdtempSync(join(tmpdir(), "step-"));
  const env = join(folder, "env");
  writeFileSync(env, "");
  writeFileSync(join(folder, "docker"), `#!/bin/sh\necho '${digest}'\n`, { mode: 0o755 });
  const { status } = spawnSync("bash", ["-eo", "pipefail", "-c", run], {
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, GITHUB_ENV: env },
  });
  return { code: status, env: readFileSync(env, "utf8") };
}
