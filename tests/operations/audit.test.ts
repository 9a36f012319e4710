import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10);
const except = (until: string, name = "turbo-stream") =>
  `- { id: GHSA-test-test-test, package: ${name}, until: ${until}, reason: Only our own values are encoded. }`;

/** Runs the command against a registry of the test. */
async function audit(registry: RequestListener, accepted: string) {
  const server = createServer(registry).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  const folder = await mkdtemp(join(tmpdir(), "audit-"));
  const file = join(folder, "accepted.yaml");
  await writeFile(file, accepted);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...process.env, npm_config_registry: url, npm_config_cache: folder, npm_config_fetch_retries: "0" };
  const child = spawn(process.execPath, ["scripts/audit.mjs", file], { env });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, printed: out + err };
}

/** Responds to npm's bulk request with an advisory about one production package, and with 404 to other requests. */
const weak: RequestListener = (request, response) => {
  if (request.method !== "POST") return void response.writeHead(404).end("{}");
  const url = "https://github.com/advisories/GHSA-test-test-test";
  const advisory = { id: 1, title: "Slow for long names", severity: "high", vulnerable_versions: "<99.0.0", url };
  response.setHeader("Content-Type", "application/json").end(JSON.stringify({ "turbo-stream": [advisory] }));
};
const sound: RequestListener = (_request, response) => response.end("{}");
const refuses: RequestListener = (_request, response) => response.writeHead(405).end();

const expired = `GHSA-test-test-test of turbo-stream was accepted until ${inDays(-1)}: review it.`;

it.each<[string, number, RequestListener, accepted: string, printed: string]>([
  ["passes without advisories", 0, sound, "[]", "0 advisories"],
  ["accepts an advisory through its last day", 0, weak, except(inDays(0)), ""],
  ["accepts no advisory about another package", 1, weak, except(inDays(0), "react"), "turbo-stream <99.0.0"],
  ["fails for an expired exception, even if its advisory is gone", 1, sound, except(inDays(-1)), expired],
  ["rejects an exception without a reason", 1, sound, "- { id: GHSA-x, package: turbo-stream }", "reason"],
  ["says that the registry let nothing be audited", 3, refuses, "[]", "Not audited"],
])("%s", async (_case, code, registry, accepted, printed) => {
  expect(await audit(registry, accepted)).toEqual({ code, printed: expect.stringContaining(printed) });
});

it("reads the accepted advisories of this repository", async () => {
  const { printed } = await audit(sound, await readFile("docs/accepted-advisories.yaml", "utf8"));
  expect(printed).toContain("0 advisories");
});

it("names an advisory once, although Remix also depends on the package", async () => {
  const { code, printed } = await audit(weak, "[]");
  expect(code).toBe(1);
  expect(printed.match(/turbo-stream <99\.0\.0: Slow for long names \(.*GHSA-test-test-test\)/g)).toHaveLength(1);
});
