import { MessageChannel } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { answerCalls, createCaller } from "./port-calls.server";

let channel: MessageChannel | undefined;
afterEach(() => channel?.port1.close());

type Echo = {
  echo(value: { body: ArrayBuffer; words: string }): Promise<unknown>;
  fail(code: string): Promise<never>;
  hang(argument: undefined, signal: AbortSignal): Promise<string>;
};

function connect() {
  let whyAborted: Promise<string> = Promise.resolve("not called");
  channel = new MessageChannel();
  answerCalls(channel.port2, {
    echo: async (value: unknown) => value,
    fail: async (code: string) => {
      throw Object.assign(new RangeError("out of range"), { code });
    },
    hang: (_argument: undefined, signal: AbortSignal) =>
      (whyAborted = new Promise((resolve) => signal.addEventListener("abort", () => resolve("aborted")))),
  });
  return { caller: createCaller<Echo>(channel.port1), whyAborted: () => whyAborted };
}

it("carries values, and moves a body instead of copying it", async () => {
  const { caller } = connect();
  const { buffer: body } = new TextEncoder().encode("Grüße");
  const answers = await Promise.all(["one", "two"].map((words) => caller.call("echo", { body: body.slice(0), words })));
  expect(answers).toEqual(["one", "two"].map((words) => ({ words, body })));
  await caller.call("echo", { body, words: "moved" });
  expect(body.byteLength).toBe(0);
});

it("throws what the other thread threw, with its name and code", async () => {
  const { caller } = connect();
  await expect(caller.call("fail", "ERR_TEST")).rejects.toMatchObject({
    name: "RangeError",
    message: "out of range",
    code: "ERR_TEST",
    stack: expect.stringContaining("port-calls.test"),
  });
});

it("rejects at once when its caller gives up, and tells the other thread; what was given up before is never sent", async () => {
  const { caller, whyAborted } = connect();
  const controller = new AbortController();
  const call = caller.call("hang", undefined, controller.signal);
  // Behind a second call, so that the first has begun.
  await expect(caller.call("fail", "")).rejects.toThrow("out of range");
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  expect(await whyAborted()).toBe("aborted");
  await expect(caller.call("hang", undefined, controller.signal)).rejects.toMatchObject({ name: "AbortError" });
});

it("rejects what waits and what comes when the other thread is gone", async () => {
  const { caller } = connect();
  const call = caller.call("hang", undefined);
  caller.fail(new TypeError("gone"));
  await expect(call).rejects.toThrow(new TypeError("gone"));
  await expect(caller.call("hang", undefined)).rejects.toThrow(new TypeError("gone"));
});
