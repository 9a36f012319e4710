import { expect, it } from "vitest";
import { parseSettings } from "../config/settings.server";
import { type CookieKey, createCookies } from "./cookies.server";
import { readSessionCookie } from "./session-cookie.server";

const http = createCookies(parseSettings({}));
const https = createCookies(parseSettings({ SITE_URL: "https://firm.example", ADMIN_SESSION_HOURS: "2" }));

it.each<[CookieKey, string]>([
  ["consentPreference", "cookie-consent=1; Max-Age=63072000; Path=/; HttpOnly"],
  ["consentBanner", "cookie-banner=1; Max-Age=15768000; Path=/; HttpOnly"],
  ["consentSession", "session-id=1; Path=/; HttpOnly"],
  ["adminSearch", "admin-search=1; Path=/; HttpOnly"],
  ["knownDevice", "known-device=1; Max-Age=31536000; Path=/; HttpOnly"],
])("sets %s as long as the registry says, bound to the exact host on https", (key, line) => {
  expect(http.serialize(key, "1")).toBe(`${line}; SameSite=Lax`);
  expect(https.serialize(key, "1")).toBe(`__Host-${line}; Secure; SameSite=Lax`);
});

it("sets an admin's session as long as ADMIN_SESSION_HOURS says, out of reach of scripts", () => {
  expect([http, https].map((cookies) => cookies.serialize("adminSession", "1"))).toEqual([
    "admin-session=1; Max-Age=86400; Path=/; HttpOnly; SameSite=Lax",
    "__Host-admin-session=1; Max-Age=7200; Path=/; HttpOnly; Secure; SameSite=Lax",
  ]);
});

it("removes a cookie under the attributes that set it", () => {
  expect(https.remove("consentSession")).toBe("__Host-session-id=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax");
});

it("finds the first value of a name, and on https only under the name bound to the host", () => {
  const request = { headers: new Headers({ Cookie: "session-id=a; session-id=b; __Host-session-id=c; other=d" }) };
  expect([http, https].map((cookies) => cookies.find(request, "consentSession"))).toEqual(["a", "c"]);
  expect(http.find(request, "consentBanner")).toBeNull();
});

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
