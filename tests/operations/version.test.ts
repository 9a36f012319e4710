import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { findFreePort } from "../support/free-port";
import { type Product, startProduct } from "../support/product";
import { Visitor, readText } from "../support/visitor";

const run = promisify(execFile);
const { postgresql } = packageJson.config;

let product: Product;
let metricsUrl: string;
let version: string;

beforeAll(async () => {
  const port = await findFreePort();
  metricsUrl = `http://127.0.0.1:${port}`;
  product = await startProduct({ METRICS_PORT: String(port) });
  version = (await run(process.execPath, ["bin/site.mjs", "--version"])).stdout.trim();
});
afterAll(() => product.stop());

describe("the version of the build", () => {
  it("is printed by the command, with its commit", () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+(?:-dev)?(?:\+[0-9a-f]{12})?$/);
    expect(version.split("+")[0]).toBe(packageJson.version);
  });

  it("is among the start lines, in the metrics and in the operator's readiness", async () => {
    // An operator has nothing to do about a sound start, so no line comes before these.
    expect(product.output()).toMatch(/^Ready: /);
    expect(product.output()).toContain(`Build:  ${version}\n`);
    expect(await (await fetch(`${metricsUrl}/metrics`)).text()).toContain(`site_build_info{version="${version}",`);
    expect(await (await fetch(`${metricsUrl}/readyz`)).json()).toMatchObject({ version, postgresql });
  });

  it("is at the foot of the admin area, and shown to no one else", async () => {
    const admin = new Visitor(product.url);
    await admin.signIn();
    expect(readText((await admin.get("/admin/account")).html)).toContain(
      `Version ${version}, PostgreSQL ${postgresql}`,
    );
    const stranger = new Visitor(product.url);
    for (const path of ["/", "/login", "/admin", "/readyz", "/no-such-page"])
      expect((await stranger.get(path)).html, path).not.toContain(version);
  });
});
