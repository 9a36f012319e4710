import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { productMigrations } from "#supabase/embedded/migrations";
import { type StubProject, answerJson, startStubProject } from "../support/stub-project";
import { type WatchedProduct, startWatched } from "../support/watched-product";

const names = Object.keys(productMigrations)
  .map((path) => /(\d{14}_\w+)\.sql$/.exec(path)?.[1] ?? "")
  .toSorted();
const versionOf = (name: string | undefined) => (name ?? "").slice(0, 14);
const [lastButOne, last] = names.slice(-2);

let project: StubProject;
let product: WatchedProduct;

beforeAll(async () => {
  project = await startStubProject(answerJson(200, versionOf(lastButOne)));
  product = await startWatched(project.settings);
});
afterAll(async () => {
  await product?.stop();
  project?.close();
});

async function probe() {
  const { status, parts } = await product.readiness();
  const { backend, migrations } = parts;
  return { status, backend, migrations };
}

/** A probe's answer counts for a second. */
const untilAskedAgain = () => new Promise((resolve) => setTimeout(resolve, 1_100));

describe("a hosted project", () => {
  beforeEach(untilAskedAgain);

  it("that lacks only the newest migration is not what this build needs, and the log names what to apply, once", async () => {
    expect(await probe()).toEqual({ status: 503, backend: "reachable", migrations: "missing" });
    await untilAskedAgain();
    await probe();
    const told = product.output().match(/"backend\.migrations-missing".*/g);
    expect(told).toEqual([expect.stringContaining(`"missing":"${last}","remedy"`)]);
    expect(told?.[0]).toContain("supabase db push");
  });

  it("that has seen the newest one is ready, and so is one that a later build has migrated", async () => {
    project.become(answerJson(200, versionOf(last)));
    expect(await probe()).toEqual({ status: 200, backend: "reachable", migrations: "applied" });
    await untilAskedAgain();
    project.become(answerJson(200, "29991231000000"));
    expect(await probe()).toEqual({ status: 200, backend: "reachable", migrations: "applied" });
  });

  it("that has the function but no record of migrations lacks them all", async () => {
    project.become(answerJson(404, { code: "42P01", message: "no such table" }));
    expect(await probe()).toEqual({ status: 503, backend: "reachable", migrations: "missing" });
    await untilAskedAgain();
    project.become(answerJson(200, null));
    expect(await probe()).toEqual({ status: 503, backend: "reachable", migrations: "missing" });
  });

  it("is asked for something else than a version: whatever answers that is no project of ours", async () => {
    project.become(answerJson(200, "hello"));
    expect(await probe()).toEqual({ status: 503, backend: "unreachable", migrations: "unknown" });
  });
});
