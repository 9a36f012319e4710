import { afterEach, expect, it, vi } from "vitest";
import { clientLimits } from "~/content/facts";
import { type RateDecision, createRateLimits, findPostBucket } from "./rate-limit.server";

afterEach(() => {
  vi.useRealTimers();
});

const client = "192.0.2.1";
const inNetwork = (host: number) => `2001:db8:1:${host}::1`;

it.each([
  ["/contact", "/contact"],
  ["/contact.data", "/contact"],
  ["/login/second-factor", null],
  ["/admin", null],
  ["/admin/people", null],
  ["/administrators", "/administrators"],
  ["/network/stop", null],
])("counts posts to %s in the bucket %s", (path, bucket) => {
  expect(findPostBucket(path)).toBe(bucket);
});

/** One letter for each event: `a` allowed, `-` refused. */
async function count(times: number, event: (turn: number) => Promise<RateDecision>): Promise<string> {
  let letters = "";
  for (let turn = 0; turn < times; turn++) letters += (await event(turn)).allowed ? "a" : "-";
  return letters;
}

it("limits the posts of a client to one form, and no other form or client", async () => {
  const limits = createRateLimits({ postRateLimit: 2 });
  expect(await count(4, () => limits.countPost(client, "/contact"))).toBe("aa--");
  expect(await count(3, () => limits.countPost(client, "/login"))).toBe("aa-");
  expect(await count(3, () => limits.countPost("192.0.2.2", "/contact"))).toBe("aa-");
});

it("refuses a client until the window ends, and says when", async () => {
  vi.useFakeTimers();
  const limits = createRateLimits({ postRateLimit: 1 });
  await limits.countPost(client, "/contact");
  const windowSeconds = clientLimits.windowMinutes * 60;
  vi.advanceTimersByTime((windowSeconds - 1) * 1000);
  expect(await limits.countPost(client, "/contact")).toEqual({ allowed: false, retryAfterSeconds: 1 });
  vi.advanceTimersByTime(1000);
  expect(await count(2, () => limits.countPost(client, "/contact"))).toBe("a-");
});

it("allows a refunded post again and no other, also after others were refused", async () => {
  const limits = createRateLimits({ postRateLimit: 1 });
  await limits.refundPost(client, "/contact");
  expect(await count(4, () => limits.countPost(client, "/contact"))).toBe("a---");
  await limits.refundPost(client, "/contact");
  expect(await count(2, () => limits.countPost(client, "/contact"))).toBe("a-");
});

it("limits an IPv6 network to the posts of four clients, and counts none that it refuses", async () => {
  const limits = createRateLimits({ postRateLimit: 1 });
  expect(await count(6, (turn) => limits.countPost(inNetwork(turn), "/contact"))).toBe("aaaa--");
  await limits.refundPost(inNetwork(0), "/contact");
  expect(await count(1, () => limits.countPost(inNetwork(5), "/contact"))).toBe("a");
});

it("counts a refused client no further toward its network", async () => {
  const limits = createRateLimits({ postRateLimit: 1 });
  expect(await count(5, () => limits.countPost(inNetwork(0), "/contact"))).toBe("a----");
  expect(await count(4, (turn) => limits.countPost(inNetwork(turn + 1), "/contact"))).toBe("aaa-");
});

it.each([
  ["a client without a known address", 1, null],
  ["any client when POST_RATE_LIMIT is 0", 0, client],
])("does not limit %s", async (_case, postRateLimit, address) => {
  const limits = createRateLimits({ postRateLimit });
  expect(await count(3, () => limits.countPost(address, "/contact"))).toBe("aaa");
});

it("counts visits apart from posts, each with its own limit", async () => {
  const limits = createRateLimits({ postRateLimit: 1 });
  expect(await count(31, () => limits.countVisit(client, "link"))).toBe(`${"a".repeat(clientLimits.linkVisits)}-`);
  expect(await count(1, () => limits.countVisit(client, "consent-record"))).toBe("a");
  expect(await count(1, () => limits.countPost(client, "/contact"))).toBe("a");
});
