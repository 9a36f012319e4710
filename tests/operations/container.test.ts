import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readDockerIgnore } from "../../scripts/image/docker-ignore.mjs";
import { type Step, assignments, parseDockerfile } from "../../scripts/image/dockerfile.mjs";

const stages = parseDockerfile(read("Dockerfile"));
const image = stages.at(-1)?.steps ?? [];
const reachesBuild = readDockerIgnore(read(".dockerignore"));
const { version, engines } = JSON.parse(read("package.json")) as { version: string; engines: { node: string } };

describe("the Dockerfile", () => {
  it("names Node by its full version, the same in every stage, and one that the product supports", () => {
    const bases = new Set(stages.map(({ base }) => base));
    const [, pinned = ""] = /^node:(\d+\.\d+\.\d+)-slim$/.exec([...bases].join()) ?? [];
    const [least, actual] = [engines.node.replace(">=", ""), pinned].map((text) => text.split(".").map(Number));
    expect(actual?.[0]).toBeGreaterThanOrEqual(least?.[0] ?? Number.NaN);
  });

  it("copies only what is there and reaches the build", () => {
    const sources = stages.flatMap(({ steps }) =>
      all(steps, "COPY").flatMap((step) => (step.flags.from === undefined ? step.arguments.slice(0, -1) : [])),
    );
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((path) => !existsSync(path) || (path !== "." && !reachesBuild(path)))).toEqual([]);
  });

  it("ships every script that it starts or that an operator runs in it, with what it imports", () => {
    const scripts = all(image, "COPY").flatMap((step) => step.arguments.filter((path) => path.endsWith(".mjs")));
    expect(scripts).toContain("scripts/serve.mjs");
    const imported = scripts.flatMap((script) =>
      [...read(script).matchAll(/from "\.\/([\w-]+\.mjs)"/g)].map(([, name = ""]) => join("scripts", name)),
    );
    const asked = [...read("docs/OPERATIONS.md").matchAll(/node (scripts\/[\w-]+\.mjs)/g)].map(([, path = ""]) => path);
    const started = ["CMD", "HEALTHCHECK"].map((word) => only(word).arguments[1]);
    expect(scripts).toEqual(expect.arrayContaining([...started, ...imported, ...asked]));
  });

  it("starts node itself, as a user that is not root, and stops it with the signal that it answers", () => {
    expect(only("USER").text).not.toMatch(/^(root|0)\b/);
    for (const word of ["CMD", "HEALTHCHECK"]) {
      expect(only(word).isList, word).toBe(true);
      expect(only(word).arguments[0], word).toBe("node");
    }
    expect(only("STOPSIGNAL").text).toBe("SIGTERM");
  });

  it("keeps its data on the volume, and listens on the port that it names", () => {
    const env = Object.fromEntries(all(image, "ENV").flatMap((step) => assignments(step.text)));
    expect(env).toMatchObject({ NODE_ENV: "production", HOST: "0.0.0.0", PORT: "3000", DATA_DIR: "/data" });
    expect(only("VOLUME").text).toBe(env.DATA_DIR);
    expect(only("EXPOSE").text).toBe(env.PORT);
  });

  it("carries the product's version", () => {
    expect(assignments(only("LABEL").text)).toContainEqual(["org.opencontainers.image.version", version]);
  });
});

describe(".dockerignore", () => {
  it("keeps secrets, data, history, tests and logs out, wherever they lie", () => {
    const strangers =
      ".env .env.local scripts/.env app/deep/.env.production data/session-secret data/pg/PG_VERSION .git/config " +
      "node_modules/zod/package.json build/server/index.js tests/unit/settings.test.ts docs/OPERATIONS.md server.log " +
      "app/server/trace.log test-results/vitest.json backup.tar.gz";
    expect(strangers.split(" ").filter(reachesBuild)).toEqual([]);
  });

  it("lets every file through that the build is made of", () => {
    const tracked = execFileSync("git", ["ls-files", "app", "public", "scripts", "supabase"], { encoding: "utf8" });
    const files = tracked.trim().split("\n");
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((path) => !reachesBuild(path))).toEqual([]);
  });
});

describe("compose.yaml", () => {
  const { site } = (parse(read("compose.yaml")) as { services: { site: Record<string, unknown> } }).services;

  it("takes from the container what it does not need", () => {
    expect(site).toMatchObject({
      read_only: true,
      init: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      volumes: [expect.stringMatching(/:\/data$/)],
      tmpfs: [expect.stringMatching(/^\/tmp:/)],
      // Only this machine: what others see is the proxy in front.
      ports: [expect.stringMatching(/^127\.0\.0\.1:/)],
    });
  });

  it("waits longer for a stop than the server takes at most", () => {
    expect(Number.parseInt(String(site.stop_grace_period), 10)).toBeGreaterThan(20);
  });

  it("hands every setting on, in one of the two ways to run it", () => {
    const documented = [...read(".env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    const own = ["HOST", "PORT", "DATA_DIR"];
    const handedOn = (site.environment as string[]).map((line) => line.split("=")[0]);
    const hosted = [...read("compose.yaml").matchAll(/^ {2}# {5}- ([A-Z_]+)/gm)].map(([, name]) => name);
    expect(documented.length).toBeGreaterThan(own.length);
    expect(documented.filter((name) => ![...own, ...handedOn, ...hosted].includes(name))).toEqual([]);
  });
});

function read(path: string): string {
  return readFileSync(path, "utf8");
}

function all(steps: Step[], word: string): Step[] {
  return steps.filter((step) => step.word === word);
}

/** The one such instruction of the last stage. */
function only(word: string): Step {
  const found = all(image, word);
  expect(found, word).toHaveLength(1);
  return found[0] as Step;
}
