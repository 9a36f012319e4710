import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, type TestSite } from "../../support/site";
import { Visitor } from "../../support/visitor";

interface Line {
  event: string;
  route?: string;
  [detail: string]: unknown;
}

let product: TestSite;

beforeAll(async () => {
  product = await startSite();
});

afterAll(async () => {
  await product.stop();
});

describe("the log line of a request", () => {
  it("has exactly the fields that an operator needs, for every kind of response", async () => {
    const visitor = new Visitor(product.url);
    await visitor.get("/growth-stage?rendered");
    await visitor.get("/growth-stage");
    await visitor.post("/contact", { name: "" });
    await visitor.get("/admin/requests/0b1f");
    await visitor.get("/Growth-Stage");
    await visitor.get("/favicon.svg");
    // The log line of a file is written after another thread has closed the file, perhaps after the next response.
    await readRequests(product, 6);
    await visitor.get("/no/such/page");
    await fetch(product.url, { method: "DELETE" });
    const lines = await readRequests(product, 8);
    for (const line of lines) {
      expect(Object.keys(line)).toEqual([
        "time",
        "level",
        "event",
        "requestId",
        "route",
        "method",
        "status",
        "durationMs",
        "bytes",
      ]);
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
    for (const { bytes } of lines.slice(0, 2)) expect(bytes).toBeGreaterThan(1_000);
  });

  it("has the X-Request-Id of a response rendered for one visitor", async () => {
    const { headers } = await new Visitor(product.url).post("/contact", { name: "" });
    const requestId = headers.get("x-request-id");
    await expect.poll(product.output).toContain(`"requestId":"${requestId}","route":"/contact"`);
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
    const other = await startSite();
    await fetch(`${other.url}/value`);
    await other.stop();
    expect(other.output()).toMatch(/"route":"\/value"/);
  });
});

async function readRequests({ output }: TestSite, count: number): Promise<Line[]> {
  const read = () =>
    output()
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as Line)
      .filter(({ event }) => event === "request");
  await expect.poll(() => read().length).toBeGreaterThanOrEqual(count);
  return read().slice(0, count);
}
