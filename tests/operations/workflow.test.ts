import { existsSync, readFileSync } from "node:fs";
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
