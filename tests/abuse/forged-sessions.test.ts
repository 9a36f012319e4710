import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lastingNotices } from "~/lib/pages/notice-parameter";
import { startSite, type TestSite } from "../support/site";
import { Visitor } from "../support/visitor";
import { ask } from "../fuzz/support/ask";

let product: TestSite;

beforeAll(async () => {
  product = await startSite();
});
afterAll(async () => {
  await product.stop();
});

const total = 1_500;
const atOnce = 50;
const perSecond = 1_000;

const base64url = (text: string) => Buffer.from(text).toString("base64url");
const encode = (content: unknown) => `base64-${base64url(JSON.stringify(content))}`;
const jwt = (claims: object) =>
  `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url(JSON.stringify(claims))}.c2lnbmVk`;
const soon = () => Math.floor(Date.now() / 1000) + 3_000;

/** Cookie headers in turn, so that each kind is sent equally often; `turn` makes each one unique. */
const kinds: ((turn: number) => string)[] = [
  // Values that the library cannot decode.
  () => "admin-session=base64-!!!!",
  () => "admin-session=base64-%%%",
  (turn) => `admin-session=${"x".repeat(turn % 3_000)}`,
  () => `admin-session=base64-${base64url("\u00ff{")}`,
  () => `admin-session=base64-${Buffer.from([0xff, 0xfe, 0xc0]).toString("base64url")}`,
  (turn) => `admin-session.0=base64-${base64url('{"access_token":"')}; admin-session.1=${turn}; admin-session.2=%7B`,
  // JSON values that are not sessions.
  () => `admin-session=${encode(null)}`,
  () => `admin-session=${encode([[[]]])}`,
  () => `admin-session=${encode({ access_token: "a.b.c", refresh_token: { a: 1 }, expires_at: 1 })}`,
  () => `admin-session=${encode({ access_token: {}, refresh_token: "abcdefghijkl", expires_at: 1 })}`,
  () => `admin-session=${encode({ access_token: "a.b.c", refresh_token: "abcdefghijkl", expires_at: "soon" })}`,
  () => `admin-session=${encode({ access_token: "a.b.", refresh_token: "abcdefghijkl", expires_at: 1 })}`,
  // Plausible sessions: without a valid signature, expired with an unknown refresh token, in one cookie and in several.
  (turn) =>
    `admin-session=${encode({ access_token: jwt({ sub: turn }), refresh_token: `forged-${turn}x`, expires_at: soon() })}`,
  (turn) =>
    `admin-session=${encode({ access_token: "a.b.c", refresh_token: `forged${turn}abc`, expires_at: 1, user: "x" })}`,
  (turn) => {
    const value = encode({ access_token: jwt({ sub: turn }), refresh_token: `forged${turn}abc`, expires_at: 1 });
    return `admin-session.0=${value.slice(0, 40)}; admin-session.1=${value.slice(40)}`;
  },
];

const outOf = <T>(list: readonly T[], turn: number) => list[turn % list.length] as T;
const paths = ["/admin", "/admin/requests", "/admin/submissions.csv"];
/** All kinds on one path, then all on the next. */
const pathOf = (turn: number) => outOf(paths, Math.floor(turn / kinds.length));

describe("thousands of forged sessions", () => {
  it("are rejected, end no admin's session, and log fewer than a hundred lines, all JSON", async () => {
    const admin = new Visitor(product.url);
    expect((await admin.signIn()).status).toBe(303);
    const before = product.output().length;
    let slowestMs = 0;
    for (let sent = 0; sent < total; sent += atOnce) {
      const pace = wait((atOnce / perSecond) * 1000);
      const begin = performance.now();
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, index) => {
          const turn = sent + index;
          const cookie = outOf(kinds, turn)(turn);
          return ask(product.url, { method: "GET", path: pathOf(turn), headers: { Cookie: cookie } });
        }),
      );
      slowestMs = Math.max(slowestMs, performance.now() - begin);
      // Beyond sixty a minute the site stops checking sessions, and responds 429 so that no valid session is lost.
      for (const { status, headers } of answers)
        expect(status === 429 ? headers["retry-after"] : headers.location).toBe(
          status === 429 ? "60" : lastingNotices.loginRequired,
        );
      await pace;
    }
    // A single request once took four seconds, because the library retried.
    expect(slowestMs).toBeLessThan(3_000);
    expireSession(admin);
    expect((await admin.get("/admin")).status).toBe(200);

    await expect.poll(() => countRequests(before)).toBeGreaterThan(total);
    const lines = linesSince(before);
    const parsed = lines.map((line) => JSON.parse(line) as { event?: string; time?: string; level?: string });
    const others = parsed.filter(({ event }) => event !== "request");
    expect(others.length).toBeLessThan(100);
    for (const { time, level } of others) {
      expect(Date.parse(time ?? "")).toBeGreaterThan(0);
      expect(["info", "warn"]).toContain(level);
    }
    expect(lines.join("\n")).not.toMatch(/forged|base64-|access_token/);
  });
});

/** Changes the session cookie so that the access token counts as expired, as an hour later. */
function expireSession(visitor: Visitor): void {
  const value = visitor.cookie("admin-session")?.replace("base64-", "") ?? "";
  const session = JSON.parse(Buffer.from(value, "base64url").toString()) as object;
  visitor.setCookie("admin-session", encode({ ...session, expires_at: 1 }));
}

function linesSince(before: number): string[] {
  return product.output().slice(before).split("\n").filter(Boolean);
}

function countRequests(before: number): number {
  return linesSince(before).filter((line) => line.includes('"event":"request"')).length;
}
