import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { productMigrations } from "#supabase/embedded/migrations";
import { type StubProject, answerJson, startStubProject } from "../support/stub-project";
import { type MonitoredProduct, startMonitored } from "../support/monitored-product";

const names = Object.keys(productMigrations)
  .map((path) => /(\d{14}_\w+)\.sql$/.exec(path)?.[1] ?? "")
  .toSorted();
const versionOf = (name: string | undefined) => (name ?? "").slice(0, 14);
const [lastButOne, last] = names.slice(-2);

let project: StubProject;
let product: MonitoredProduct;

beforeAll(async () => {
  project = await startStubProject(answerJson(200, versionOf(lastButOne)));
  product = await startMonitored(project.settings);
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

describe("a hosted project", () => {
  it("is not ready without the newest migration, and the log names it once", async () => {
    expect(await probe()).toEqual({ status: 503, backend: "reachable", migrations: "missing" });
    await probe();
    const lines = product.output().match(/"backend\.migrations-missing".*/g);
    expect(lines).toEqual([expect.stringContaining(`"missing":"${last}","remedy"`)]);
    expect(lines?.[0]).toContain("supabase db push");
  });

  it("is ready with the newest migration, or with a later build's", async () => {
    project.become(answerJson(200, versionOf(last)));
    expect(await probe()).toEqual({ status: 200, backend: "reachable", migrations: "applied" });
    project.become(answerJson(200, "29991231000000"));
    expect(await probe()).toEqual({ status: 200, backend: "reachable", migrations: "applied" });
  });

  it("lacks all migrations when it has the function without any record of them", async () => {
    project.become(answerJson(404, { code: "42P01", message: "no such table" }));
    expect(await probe()).toEqual({ status: 503, backend: "reachable", migrations: "missing" });
    project.become(answerJson(200, null));
    expect(await probe()).toEqual({ status: 503, backend: "reachable", migrations: "missing" });
  });

  it("counts as unreachable when its response is not a version", async () => {
    project.become(answerJson(200, "hello"));
    expect(await probe()).toEqual({ status: 503, backend: "unreachable", migrations: "unknown" });
  });
});
