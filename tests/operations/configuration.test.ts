import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";

// Facts that stand in two files, where a change of one of them is easily forgotten in the other.

it("compose.yaml hands every documented setting on, in one of the two ways to run it", () => {
  const { site } = (parse(read("compose.yaml")) as { services: { site: { environment: string[] } } }).services;
  const documented = [...read(".env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name = ""]) => name);
  const setByImage = ["HOST", "PORT", "DATA_DIR"];
  const handedOn = site.environment.map((line) => line.split("=")[0]);
  const hosted = [...read("compose.yaml").matchAll(/^ {2}# {5}- ([A-Z_]+)/gm)].map(([, name]) => name);
  expect(documented.length).toBeGreaterThan(setByImage.length);
  expect(documented.filter((name) => ![...setByImage, ...handedOn, ...hosted].includes(name))).toEqual([]);
});

it("the workflow tests on the oldest Node that package.json promises, and on the image's", () => {
  const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
  const imageNode = /^ARG NODE=node:([\d.]+)-slim$/m.exec(read("Dockerfile"))?.[1];
  const { jobs } = parse(read(".github/workflows/verify.yml")) as {
    jobs: { verify: { strategy: { matrix: { node: string[] } } } };
  };
  expect(jobs.verify.strategy.matrix.node).toEqual(
    expect.arrayContaining([`${engines.node.replace(">=", "")}.0`, imageNode]),
  );
});

function read(path: string): string {
  return readFileSync(path, "utf8");
}
