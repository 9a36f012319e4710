import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { type RequestListener, type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10);
const turboStream = (until: string) =>
  `- { id: GHSA-test-test-test, package: turbo-stream, until: ${until}, reason: Only our own values are encoded. }`;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Runs the command against a registry of the test. */
async function audit(registry: RequestListener, accepted: string) {
  const server = createServer(registry).listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  const folder = await mkdtemp(join(tmpdir(), "audit-"));
  const file = join(folder, "accepted.yaml");
  await writeFile(file, accepted);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...process.env, npm_config_registry: url, npm_config_cache: folder, npm_config_fetch_retries: "0" };
  const child = execFile(process.execPath, ["scripts/audit.mjs", file], { env });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (printed += String(chunk)));
  const [code] = (await once(child, "close")) as [number];
  return { code, printed };
}

/** Responds to npm's bulk request with an advisory about one production package, and with 404 to other requests. */
const weak: RequestListener = (request, response) => {
  if (request.method !== "POST") return void response.writeHead(404).end("{}");
  const advisory = { id: 1, title: "Slow for long names", severity: "high", vulnerable_versions: "<99.0.0" };
  const url = "https://github.com/advisories/GHSA-test-test-test";
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ "turbo-stream": [{ ...advisory, url }] }));
};

const sound: RequestListener = (_request, response) => response.end("{}");
const refuses: RequestListener = (_request, response) => response.writeHead(405).end();

it("passes when the registry has no advisories", async () => {
  expect(await audit(sound, "[]")).toMatchObject({ code: 0 });
});

it("reads the accepted advisories of this repository", async () => {
  const { printed } = await audit(sound, await readFile("docs/accepted-advisories.yaml", "utf8"));
  expect(printed).toContain("0 advisories");
});

it("fails for an advisory and names it once, although Remix also depends on the package", async () => {
  const { code, printed } = await audit(weak, "[]");
  expect(code).toBe(1);
  expect(printed.match(/turbo-stream <99\.0\.0: Slow for long names \(.*GHSA-test-test-test\)/g)).toHaveLength(1);
});

it("accepts an advisory through its last day, and only for its package", async () => {
  expect(await audit(weak, turboStream(inDays(0)))).toMatchObject({ code: 0 });
  expect(await audit(weak, turboStream(inDays(0)).replace("turbo-stream", "react"))).toMatchObject({ code: 1 });
});

it("fails for an expired exception, even if its advisory is gone", async () => {
  const { code, printed } = await audit(sound, turboStream(inDays(-1)));
  expect(code).toBe(1);
  expect(printed).toContain(`GHSA-test-test-test of turbo-stream was accepted until ${inDays(-1)}: review it.`);
});

it("reports that nothing was audited when the registry rejects requests", async () => {
  const { code, printed } = await audit(refuses, "[]");
  expect(code).toBe(3);
  expect(printed).toContain("Not audited");
});

it("rejects an exception without a reason or a last day", async () => {
  const { code, printed } = await audit(sound, "- { id: GHSA-no-reason, package: turbo-stream }");
  expect(code).toBe(1);
  expect(printed).toContain("reason");
});
