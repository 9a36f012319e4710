import { expect, it } from "vitest";
import { readSessionCookie } from "./session-cookie.server";

const session = { access_token: "a.b.c", refresh_token: "abcdefghijkl", expires_at: 1 };
const encode = (content: unknown) => `base64-${Buffer.from(JSON.stringify(content)).toString("base64url")}`;
const whole = encode(session);
/** The longest session that the edge lets through, with a user that is dropped. */
const padded = (length: number) => encode({ ...session, user: "x".repeat(length) });
const isRead = JSON.stringify(session);

it.each<[string, string, string | null, string[]]>([
  ["no cookie", "", null, []],
  ["one cookie", `s=${whole}`, isRead, ["s"]],
  ["two chunks", `s.0=${whole.slice(0, 40)}; s.1=${whole.slice(40)}`, isRead, ["s.0", "s.1"]],
  ["a missing chunk", `s.0=${whole.slice(0, 40)}; s.2=${whole.slice(40)}`, null, ["s.0", "s.2"]],
  ["one cookie before chunks", `s.0=x; s=${whole}`, isRead, ["s", "s.0"]],
  ["an empty cookie before chunks", `s=; s.0=${whole}`, isRead, ["s", "s.0"]],
  ["a sixth chunk", `s.5=${whole}`, null, []],
  ["another cookie", `other=${whole}`, null, []],
  ["a user, who is dropped", `s=${padded(6_000)}`, isRead, ["s"]],
  ["more than 8,192 characters", `s=${padded(6_100)}`, null, ["s"]],
  ["no prefix", `s=${whole.slice("base64-".length)}`, null, ["s"]],
  ["other characters", `s=${whole}!`, null, ["s"]],
  ["no JSON", "s=base64-AAAA", null, ["s"]],
  ["no object", `s=${encode(null)}`, null, ["s"]],
  ["a token without a signature", `s=${encode({ ...session, access_token: "a.b." })}`, null, ["s"]],
  ["a short refresh token", `s=${encode({ ...session, refresh_token: "short" })}`, null, ["s"]],
  ["no expiry", `s=${encode({ ...session, expires_at: 0 })}`, null, ["s"]],
])("reads the session from %s", (_case, cookie, expected, names) => {
  expect(readSessionCookie({ headers: new Headers({ Cookie: cookie }) }, "s")).toEqual({ session: expected, names });
});
