import { expect, it } from "vitest";
import { parseSettings } from "../config/settings.server";
import { createSiteContext } from "../site-context.server";
import { formatWait, guardPost } from "./guard.server";

const createSite = () => createSiteContext(parseSettings({ SITE_URL: "https://firm.example", POST_RATE_LIMIT: "1" }));
const own = { Origin: "https://firm.example" };
const foreign = { Origin: "https://evil.example" };

/** Posts a form as stock `remix-serve` passes it, which has no edge that checks or counts. */
function createPost(path: string, headers: Record<string, string>, body: BodyInit | null = new URLSearchParams("a=1")) {
  return new Request(`https://firm.example${path}`, { method: body === null ? "GET" : "POST", headers, body });
}

it.each<[string, Request, object, number]>([
  ["a GET", createPost("/contact", own, null), {}, 405],
  ["a foreign origin", createPost("/contact", foreign), {}, 403],
  ["a foreign origin with a body that is no form", createPost("/contact", foreign, "{}"), {}, 403],
  ["a foreign origin that only the server saw", createPost("/contact", own), { isSameOrigin: false }, 403],
  ["a body that is no form", createPost("/contact", own, "{}"), {}, 415],
])("refuses %s and does not count it", async (_case, request, known, status) => {
  const context = { site: createSite(), peerAddress: "192.0.2.1", ...known };
  const refusal: unknown = await guardPost(request, context).catch((error: unknown) => error);
  expect((refusal as Response).status).toBe(status);
  expect((await guardPost(createPost("/contact", own), { ...context, isSameOrigin: true })).rate.allowed).toBe(true);
});

it.each<[string, string, object, string]>([
  ["once, after a refund", "/contact", {}, "aa-"],
  ["not if they need a session", "/admin/people", {}, "aaa"],
  ["not without a known address", "/contact", { peerAddress: undefined }, "aaa"],
  ["not if the edge has counted them", "/contact", { countedPost: { bucket: null, rate: { allowed: false } } }, "---"],
])("counts posts %s", async (_case, path, known, expected) => {
  const context = { site: createSite(), peerAddress: "192.0.2.1", ...known };
  const post = () => guardPost(createPost(path, own), context);
  const first = await post();
  expect(Object.fromEntries(first.form)).toEqual({ a: "1" });
  await first.refund();
  expect([first, await post(), await post()].map(({ rate }) => (rate.allowed ? "a" : "-")).join("")).toBe(expected);
});

it.each([
  [1, "a minute"],
  [60, "a minute"],
  [61, "2 minutes"],
  [600, "10 minutes"],
])("formats a wait of %d seconds as %j", (seconds, words) => {
  expect(formatWait(seconds)).toBe(words);
});
