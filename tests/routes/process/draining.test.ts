import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { filledContactForm } from "../../support/visitor";
import { openProduct, openSite, signInAdmin } from "../support/world";

const polling = { timeout: 60_000, interval: 50 };

/** A request that a client repeats. */
interface LoadRequest {
  path: string;
  form?: Record<string, string>;
  status: number;
  /** the end of a complete response's body */
  end: string;
}

const page = { status: 200, end: "</html>" };

/** Pages from memory and rendered ones, valid and invalid messages. */
const mix: LoadRequest[] = [
  { path: "/", ...page },
  { path: "/contact", ...page },
  { path: "/about", ...page },
  { path: "/contact", form: filledContactForm, status: 303, end: "" },
  { path: "/value?rendered", ...page },
  { path: "/contact", form: { ...filledContactForm, email: "none" }, status: 400, end: "</html>" },
];

/** Starts a product under load, which ends with its test. */
async function startLoaded(...start: Parameters<typeof openProduct>) {
  const product = await openProduct(...start);
  const load = startLoad(product.url);
  onTestFinished(async () => void (await load.stop()));
  await expect.poll(() => load.report.answered, polling).toBeGreaterThan(20);
  return { product, load };
}

it("loses no request under load: balancer and clients are notified before connections are refused", async () => {
  // Longer than the test, which ends it.
  const { product, load } = await startLoaded({ DRAIN_SECONDS: "300" });

  process.kill(product.pid, "SIGTERM");
  await expect.poll(() => fetch(`${product.url}/readyz`).then(({ status }) => status), polling).toBe(503);
  expect(await (await fetch(`${product.url}/readyz`)).json()).toEqual({ ready: false });
  // It still serves clients that have not noticed, on connections that close after the response.
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
  for (const path of ["/", "/contact"]) {
    const late = await fetch(product.url + path);
    expect([late.status, late.headers.get("connection")], path).toEqual([200, "close"]);
  }
  const noticed = load.report.answered;
  // Then a balancer notices, too, and sends its visitors elsewhere.
  await expect.poll(() => load.report.answered, polling).toBeGreaterThan(noticed + 20);
  const { refused, lost } = await load.stop();
  expect(lost).toEqual([]);
  expect(refused).toBe(0);
  expect(product.output()).not.toContain('"level":"error"');
});

it("completes requests on open connections without a grace period, and ignores idle ones", async () => {
  // A close that waits for idle connections takes longer than `serve` allows, and exits with 1.
  const { product, load } = await startLoaded({}, { timeouts: { lastRequest: 2_000, shutdown: 120_000 } });
  const port = Number(new URL(product.url).port);
  const steady = Array.from({ length: 12 }, () => startSteadyClient(port));
  // A connection counts as accepted at its first response: the kernel opens it before the process knows.
  await Promise.all(steady.map(({ accepted }) => accepted));
  const silent = connect(port, "localhost");
  await once(silent, "connect");
  const idle = connect(port, "localhost");
  idle.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(idle, "data");
  const slow = connect(port, "localhost");
  const body = new URLSearchParams({ ...filledContactForm, name: "Slow Visitor" }).toString();
  slow.write(
    `POST /contact HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: ${product.url}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
  );
  // Connections are served in the order in which they arrive.
  await fetch(`${product.url}/healthz`);

  const stopping = product.stop();
  await expect.poll(product.output, polling).toContain("server.stopping");
  let answer = "";
  slow.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  slow.write(body.slice(20));
  expect(await stopping).toBe(0);
  expect(answer).toMatch(/^HTTP\/1\.1 303 /);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  expect(await Promise.all(steady.map(({ over }) => over))).toEqual(steady.map(() => "close"));
  await load.over;
  // These clients open a new connection after each closed one, and the kernel may accept one unknown to the process.
  expect(load.report.lost.filter((what) => !what.endsWith("ECONNRESET"))).toEqual([]);
  for (const socket of [silent, idle, slow]) socket.destroy();

  const second = await openSite({}, { dataDir: product.dataDir });
  const admin = await signInAdmin(second);
  expect((await admin.get("/admin")).html).toContain("Slow Visitor");
});

/**
 * Starts a client that requests pages on one connection until the server closes it.
 * @returns `accepted` resolves with the first response, `over` with the last one's `Connection` header
 */
function startSteadyClient(port: number): { accepted: Promise<void>; over: Promise<string> } {
  const socket = connect(port, "localhost").on("error", () => {});
  const requestAgain = () => void socket.write(`HEAD /about HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  let accept: (() => void) | undefined;
  const accepted = new Promise<void>((resolve) => (accept = resolve));
  const read = async () => {
    let [received, connection] = ["", ""];
    requestAgain();
    for await (const chunk of socket) {
      received += String(chunk);
      if (!received.includes("\r\n\r\n")) continue;
      accept?.();
      connection = /\r\nConnection: ([a-z-]+)\r\n/i.exec(received)?.[1] ?? "";
      received = "";
      // A human pace: the process gets its signal between two requests of many clients.
      if (connection !== "close") setTimeout(requestAgain, 5 + Math.random() * 100);
    }
    return connection;
  };
  // A connection that is closed without a response to the last request has the header of the one before.
  return { accepted, over: read().catch(() => "reset") };
}

/**
 * Starts clients that each keep one connection open, like browsers and balancers, and send the next request after each
 * response, until they are stopped or a connection is refused.
 * @param url origin of the product
 * @returns `report`: the outcome of all requests; `over`: the report once every client was refused or stopped; `stop`
 *   lets the requests in flight finish and sends no more
 */
function startLoad(url: string) {
  // A refused connection loses nothing. All other failures are described.
  const report = { answered: 0, refused: 0, lost: [] as string[] };
  const halt = new AbortController();

  async function run(turn: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = turn; !halt.signal.aborted; i++) {
      const next = mix[i % mix.length];
      if (next === undefined) break;
      try {
        await sendRequest(agent, url, next);
        report.answered++;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === "ECONNREFUSED") report.refused++;
        else report.lost.push(`${next.path}: ${code ?? message}`);
        break;
      }
    }
    agent.destroy();
  }
  const over = Promise.all(Array.from({ length: 4 }, (_, turn) => run(turn))).then(() => report);
  return {
    report,
    over,
    stop: () => {
      halt.abort();
      return over;
    },
  };
}

async function sendRequest(agent: Agent, url: string, { path, form, status, end }: LoadRequest): Promise<void> {
  const body = form && new URLSearchParams(form).toString();
  const headers = body === undefined ? {} : { Origin: url, "Content-Type": "application/x-www-form-urlencoded" };
  const sent = request(url + path, { agent, method: body === undefined ? "GET" : "POST", headers });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const text = await readAll(response);
  // A busy machine's full render queue sends a normal response, and nothing is lost.
  if (response.statusCode === 503 && response.headers["retry-after"] === "5") return;
  if (response.statusCode !== status) throw new Error(`got ${response.statusCode}`);
  if (!text.endsWith(end)) throw new Error("the response is cut off");
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
  // Without this check a response that was cut off would look complete.
  if (!response.complete) throw new Error("the response is cut off");
  return text;
}
