import { MessageChannel } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { connectThreads } from "./thread-calls.server";
import { type FetchFunctions, createFetchFunctions, fetchThrough } from "./fetch-messages.server";

let channel: MessageChannel | undefined;
afterEach(() => channel?.port1.close());

const own = {
  echo: async (body: ArrayBuffer, words: string) => ({ body, words }),
  fail: async (code: string): Promise<never> => {
    throw Object.assign(new RangeError("out of range"), { name: "OutOfRange", code });
  },
  hang: () => new Promise<void>(() => {}),
};

function connect<Functions extends object>(functions: Functions) {
  channel = new MessageChannel();
  connectThreads(channel.port2, functions);
  return connectThreads<Functions, object>(channel.port1, {});
}

it("returns each result to its caller", async () => {
  const thread = connect(own);
  const { buffer: body } = new TextEncoder().encode("Grüße");
  const results = await Promise.all(["one", "two"].map((words) => thread.echo(body, words)));
  expect(results).toEqual(["one", "two"].map((words) => ({ words, body })));
});

it("throws the other thread's error with its name and code", async () => {
  await expect(connect(own).fail("ERR_TEST")).rejects.toMatchObject({
    name: "OutOfRange",
    message: "out of range",
    code: "ERR_TEST",
    stack: expect.stringContaining("thread-calls.test"),
  });
});

it("rejects pending and later calls after the other thread has ended", async () => {
  const thread = connect(own);
  const call = thread.hang();
  thread.$close(new TypeError("gone"));
  await expect(call).rejects.toMatchObject({ name: "TypeError", message: "gone" });
  await expect(thread.hang()).rejects.toThrow("closed");
});

function connectFetch(fetch: (request: Request) => Promise<Response>) {
  const thread = connect<FetchFunctions>(createFetchFunctions(fetch));
  return (init: RequestInit) => fetchThrough(thread, new Request("http://inside.example/rest?a=1", init));
}

it("transfers requests and responses byte for byte", async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const fetch = connectFetch(async (request) => {
    const headers = { "x-was": `${request.method} ${request.url} ${request.headers.get("x-asked")}` };
    return new Response(await request.arrayBuffer(), { status: 409, headers });
  });
  const response = await fetch({ method: "POST", headers: { "x-asked": "é" }, body: bytes });
  expect(response.status).toBe(409);
  expect(response.headers.get("x-was")).toBe("POST http://inside.example/rest?a=1 é");
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
});

it("transfers responses without a body", async () => {
  const fetch = connectFetch(async () => new Response(null, { status: 204 }));
  expect(await fetch({})).toMatchObject({ status: 204, body: null });
});

it("aborts the other thread's fetch with the caller's, and sends none that is already aborted", async () => {
  const controller = new AbortController();
  const events: string[] = [];
  const fetch = connectFetch(({ signal }) => {
    events.push("started");
    signal.addEventListener("abort", () => events.push("aborted"));
    return new Promise(() => {});
  });
  const call = fetch({ signal: controller.signal });
  await expect.poll(() => events).toEqual(["started"]);
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  await expect.poll(() => events).toEqual(["started", "aborted"]);
  await expect(fetch({ signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" });
  expect(events).toEqual(["started", "aborted"]);
});
