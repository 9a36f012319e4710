import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { openSite, useSite } from "../support/world";

type Line = Record<"time" | "event" | "requestId" | "route" | "method", string> &
  Record<"status" | "durationMs" | "bytes", number>;

const product = useSite();

it("has exactly the fields that an operator needs, for every kind of response", async () => {
  const visitor = product.visitor();
  await visitor.get("/growth-stage?rendered");
  await visitor.get("/growth-stage");
  const { headers } = await visitor.post("/contact", { name: "" });
  await visitor.get("/admin/requests/0b1f");
  await visitor.get("/Growth-Stage");
  await visitor.get("/favicon.svg");
  // The log line of a file is written after another thread has closed the file, perhaps after the next response.
  await readRequests(6);
  await visitor.get("/no/such/page");
  await fetch(product.url, { method: "DELETE" });
  const lines = await readRequests(8);
  const fields = ["time", "level", "event", "requestId", "route", "method", "status", "durationMs", "bytes"];
  for (const line of lines) {
    expect(Object.keys(line)).toEqual(fields);
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(line.durationMs).toBeGreaterThanOrEqual(0);
  }
  expect(lines.map(({ route, method, status }) => [route, method, status])).toEqual([
    ["/growth-stage", "GET", 200],
    ["/growth-stage", "GET", 200],
    ["/contact", "POST", 400],
    ["/admin/requests/:requestId", "GET", 303],
    ["(redirect)", "GET", 308],
    ["(file)", "GET", 200],
    ["/*", "GET", 404],
    ["(refused)", "DELETE", 405],
  ]);
  expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(8);
  expect(lines[2]?.requestId).toBe(headers.get("x-request-id"));
  for (const { bytes } of lines.slice(0, 2)) expect(bytes).toBeGreaterThan(1_000);
});

it("is written after the visitor has disconnected or sent malformed HTTP", async () => {
  const { port } = new URL(product.url);
  const impatient = connect(Number(port), "localhost");
  const request = `GET /investors?rendered HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`;
  await new Promise((resolve) => impatient.write(request, resolve));
  impatient.destroy();
  await expect.poll(product.output).toContain('"route":"/investors"');
  const broken = connect(Number(port), "localhost");
  broken.write("unspeakable\r\n\r\n");
  broken.resume();
  await once(broken, "close");
  await expect.poll(product.output).toMatch(/"route":"\(broken\)","method":"","status":400/);
  expect(product.output()).not.toContain("unspeakable");
});

it("is written for the last request before shutdown", async () => {
  const other = await openSite();
  await fetch(`${other.url}/value`);
  await other.stop();
  expect(other.output()).toMatch(/"route":"\/value"/);
});

async function readRequests(count: number): Promise<Line[]> {
  const read = () => {
    const lines = product.output().split("\n");
    return lines.filter((line) => line.includes('"event":"request"')).map((line) => JSON.parse(line) as Line);
  };
  await expect.poll(() => read().length).toBeGreaterThanOrEqual(count);
  return read().slice(0, count);
}
