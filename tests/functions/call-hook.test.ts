import { once } from "node:events";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callHook, isHookAddress } from "#supabase/functions/_shared/host/call-hook.ts";
import { fetchWithTimeout } from "#supabase/functions/_shared/host/fetch-with-timeout.ts";

/** Paths that were requested. */
const requested: string[] = [];
let server: Server;
let tls: SMTPServer;
const portOf = (listening: { address(): unknown }) => (listening.address() as AddressInfo).port;
const urlOf = (path: string) => `http://127.0.0.1:${portOf(server)}${path}`;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? "";
    requested.push(`${request.method} ${path}`);
    if (path === "/hangs") return;
    if (path === "/streams") return void response.write("never ends");
    response.writeHead(Number(path.slice(1)), { Location: "/200" }).end("text");
  }).listen(0, "127.0.0.1");
  // Its certificate is its own.
  tls = new SMTPServer({ secure: true, logger: false });
  tls.on("error", () => undefined);
  tls.listen(0, "127.0.0.1");
  await Promise.all([once(server, "listening"), once(tls.server, "listening")]);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  tls.close(() => undefined);
});

it.each<[string, () => string, RegExp | null]>([
  ["a success whose body does not end", () => urlOf("/streams"), null],
  ["a redirect, which is not followed", () => urlOf("/302"), /^http-302$/],
  ["no response for five seconds", () => urlOf("/hangs"), /^timeout$/],
  ["a certificate that nobody signed", () => `https://127.0.0.1:${portOf(tls.server)}/`, /CERT/],
  ["a host that does not exist", () => "https://hook.invalid/", /^(?:ENOTFOUND|EAI_AGAIN)$/],
  ["a closed port", () => "http://127.0.0.1:1/", /^(?:ECONNREFUSED|unreachable)$/],
  ["a call in clear to another machine", () => "http://hook.example/", /^address-refused$/],
])("returns a code for %s", async (_case, url, expected) => {
  const code = await callHook(url(), undefined, { site: "firm.example" });
  expect(code ?? "none").toMatch(expected ?? /^none$/);
  expect(requested).not.toContain("POST /200");
});

it("gets without a body, and ends at the caller's signal", async () => {
  expect(await callHook(urlOf("/200"))).toBeNull();
  expect(requested).toContain("GET /200");
  const closing = new AbortController();
  const call = callHook(urlOf("/hangs?closing"), closing.signal);
  closing.abort();
  expect(await call).toBe("unreachable");
});

it.each([
  ["https://ntfy.example/topic?auth=a", true],
  ["http://localhost:8000/ping", true],
  ["http://[::1]/", true],
  ["http://0x7f.1/", true],
  ["http://localhost.example/", false],
  ["http://192.168.0.2/", false],
  ["https://user:password@ntfy.example/", false],
  ["ftp://ntfy.example/", false],
  ["ntfy.example/topic", false],
])("judges the address %s", (address, expected) => {
  expect(isHookAddress(address)).toBe(expected);
});

it("sends a body to no other address than the one called", async () => {
  const post = { method: "POST", body: "a visitor's message" };
  expect((await fetchWithTimeout(fetch, 5_000, urlOf("/307"), post)).status).toBe(307);
  expect(requested).not.toContain("POST /200");
});
