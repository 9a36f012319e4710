import { MessageChannel } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { type FetchFunctions, createFetchFunctions, fetchThrough } from "./fetch-messages.server";
import { connectThreads } from "./thread-calls.server";

let channel: MessageChannel | undefined;
afterEach(() => channel?.port1.close());

function connect(fetch: (request: Request) => Promise<Response>) {
  channel = new MessageChannel();
  connectThreads(channel.port2, createFetchFunctions(fetch));
  const thread = connectThreads<FetchFunctions, object>(channel.port1, {});
  return (init: RequestInit) => fetchThrough(thread, new Request("http://inside.example/rest?a=1", init));
}

it("transfers requests and responses byte for byte", async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const fetch = connect(async (request) => {
    const headers = { "x-was": `${request.method} ${request.url} ${request.headers.get("x-asked")}` };
    return new Response(await request.arrayBuffer(), { status: 409, headers });
  });
  const response = await fetch({ method: "POST", headers: { "x-asked": "é" }, body: bytes });
  expect(response.status).toBe(409);
  expect(response.headers.get("x-was")).toBe("POST http://inside.example/rest?a=1 é");
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
});

it("transfers responses without a body", async () => {
  const fetch = connect(async () => new Response(null, { status: 204 }));
  expect(await fetch({})).toMatchObject({ status: 204, body: null });
});

it("aborts the other thread's fetch with the caller's, and sends none that is already aborted", async () => {
  const controller = new AbortController();
  let started = 0;
  let begin: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let abort: () => void;
  const aborted = new Promise<void>((resolve) => (abort = resolve));
  const fetch = connect(({ signal }) => {
    started += 1;
    signal.addEventListener("abort", () => abort());
    begin();
    return new Promise(() => {});
  });
  const call = fetch({ signal: controller.signal });
  await begun;
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  await aborted;
  await expect(fetch({ signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" });
  expect(started).toBe(1);
});
