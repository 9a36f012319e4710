import { MessageChannel } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { connectThreads } from "./thread-calls.server";

let channel: MessageChannel | undefined;
afterEach(() => channel?.port1.close());

const functions = {
  echo: async (body: ArrayBuffer, words: string) => ({ body, words }),
  fail: async (code: string): Promise<never> => {
    throw Object.assign(new RangeError("out of range"), { name: "OutOfRange", code });
  },
  hang: () => new Promise<void>(() => {}),
};

function connect() {
  channel = new MessageChannel();
  connectThreads(channel.port2, functions);
  return connectThreads<typeof functions, object>(channel.port1, {});
}

it("returns each result to its caller", async () => {
  const thread = connect();
  const { buffer: body } = new TextEncoder().encode("Grüße");
  const results = await Promise.all(["one", "two"].map((words) => thread.echo(body, words)));
  expect(results).toEqual(["one", "two"].map((words) => ({ words, body })));
});

it("throws the other thread's error with its name and code", async () => {
  await expect(connect().fail("ERR_TEST")).rejects.toMatchObject({
    name: "OutOfRange",
    message: "out of range",
    code: "ERR_TEST",
    stack: expect.stringContaining("thread-calls.test"),
  });
});

it("rejects pending and later calls after the other thread has ended", async () => {
  const thread = connect();
  const call = thread.hang();
  thread.$close(new TypeError("gone"));
  await expect(call).rejects.toMatchObject({ name: "TypeError", message: "gone" });
  await expect(thread.hang()).rejects.toThrow("closed");
});
