import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { findFreePort } from "../support/free-port";
import { startProduct } from "../support/product";
import { Visitor, readText } from "../support/visitor";

const run = promisify(execFile);
const { postgresql } = packageJson.config;

it("tells the version of the build to operators and admins, and to no one else", async () => {
  const version = (await run(process.execPath, ["bin/site.mjs", "--version"])).stdout.trim();
  expect(version).toMatch(/^\d+\.\d+\.\d+(?:-dev)?(?:\+[0-9a-f]{12})?$/);
  expect(version.split("+")[0]).toBe(packageJson.version);

  const port = await findFreePort();
  const product = await startProduct({ METRICS_PORT: String(port) });
  // An operator has nothing to do about a sound start, so no line comes before these.
  expect(product.output()).toMatch(/^Ready: /);
  expect(product.output()).toContain(`Build:  ${version}\n`);
  const read = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  expect(await (await read("/metrics")).text()).toContain(`site_build_info{version="${version}",`);
  expect(await (await read("/readyz")).json()).toMatchObject({ version, postgresql });

  const [admin, stranger] = [new Visitor(product.url), new Visitor(product.url)];
  await admin.signIn();
  const account = readText((await admin.get("/admin/account")).html);
  expect(account).toContain(`Version ${version}, PostgreSQL ${postgresql}`);
  for (const path of ["/", "/login", "/admin", "/readyz", "/no-such-page"])
    expect((await stranger.get(path)).html, path).not.toContain(version);
  await product.stop();
});
