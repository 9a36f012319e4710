import { expect, it } from "vitest";
import { parseSettings } from "../config/settings.server";
import { type CookieKey, createCookies } from "./cookies.server";

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
