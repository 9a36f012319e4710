import { expect, it } from "vitest";
import type { TestSiteOptions } from "../../support/site";
import { Visitor, filledContactForm } from "../../support/visitor";
import { type Answering, answerJson, hang } from "../support/stub-project";
import { openProject, openSite } from "../support/world";

/** Starts a site whose breaker stays open, unless its timeouts say otherwise. */
async function start(first: Answering, timeouts: TestSiteOptions["timeouts"] = {}) {
  const project = await openProject(first);
  const site = await openSite(project.settings, {
    timeouts: { backendCall: 300, circuitReset: 600_000, ...timeouts },
  });
  const visitor = new Visitor(site.url);
  const send = async () => (await visitor.post("/contact", filledContactForm)).status;
  /** Finds the log lines of one event. */
  const linesOf = (event: string) =>
    site
      .output()
      .split("\n")
      .filter((line) => line.includes(`"event":"${event}"`));
  return { project, visitor, send, linesOf };
}

it("opens for one service that hangs, is logged once, and leaves calls to the others enabled", async () => {
  const { project, visitor, send, linesOf } = await start((call, response, request) => {
    const refusal = answerJson(400, { error_code: "invalid_credentials", msg: "Invalid login credentials" });
    return (call.path.startsWith("/functions/") ? hang : refusal)(call, response, request);
  });
  expect(await Promise.all(Array.from({ length: 5 }, send))).toEqual(Array(5).fill(503));
  const calls = project.calls.length;
  for (let i = 0; i < 3; i += 1) expect(await send()).toBe(503);
  expect(project.calls).toHaveLength(calls);
  expect((await visitor.signIn()).status).toBe(401);
  expect(linesOf("backend.not-called")).toHaveLength(1);
  expect(linesOf("backend.trouble")).toEqual([expect.stringContaining('"cause":"timeout"')]);
});

it("allows a call again after a while", async () => {
  const { project, send, linesOf } = await start(hang, { circuitReset: 100 });
  await Promise.all(Array.from({ length: 5 }, send));
  project.become(answerJson(200, { ok: true }));
  await expect.poll(send).toBe(303);
  expect(linesOf("backend.called-again")).toHaveLength(1);
});

it("stays closed for a backend that refuses calls, and logs the remedy once", async () => {
  // A busy machine may take longer for a call, and this backend responds.
  const slowBackend = { backendCall: 60_000, session: 60_000 };
  const { project, send, linesOf } = await start(answerJson(401, { message: "Invalid API key" }), slowBackend);
  for (let i = 0; i < 8; i += 1) expect(await send()).toBe(503);
  expect(project.calls.filter(({ path }) => path.startsWith("/functions/"))).toHaveLength(8);
  const lines = linesOf("backend.trouble").filter((line) => line.includes("functions"));
  expect(lines).toEqual([expect.stringContaining("SUPABASE_PUBLISHABLE_KEY")]);
});
