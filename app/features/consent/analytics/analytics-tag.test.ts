import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { analyticsCookiesLive } from "~/content/cookie-registry";
import { findAnalyticsTag } from "./analytics-tag.server";

const property = "G-TEST123456";
const find = (isHttps = true) => findAnalyticsTag({ gaMeasurementId: property, isHttps }, "/about", { measures: true });

it.each([
  ["a site without a property", undefined, "/about", true],
  ["a visitor who must not be measured", property, "/about", false],
  ["a legal page", property, "/privacy-policy", true],
  ["a page for the firm", property, "/login", true],
])("builds no tag for %s", (_case, gaMeasurementId, pathname, measures) => {
  expect(findAnalyticsTag({ gaMeasurementId, isHttps: true }, pathname, { measures })).toBeNull();
});

it("loads Google's script after an inline script with the hash for the policy", () => {
  const { html, scriptHash } = find()!;
  const [, inline = "", rest] = /^<script>(.*?)<\/script>(.*)$/s.exec(html) ?? [];
  expect(scriptHash).toBe(createHash("sha256").update(inline).digest("base64"));
  expect(rest).toBe(`<script async src="https://www.googletagmanager.com/gtag/js?id=${property}"></script>`);
});

const adsDenied = { ad_storage: "denied", ad_user_data: "denied", ad_personalization: "denied" };

it("grants analytics, no advertising, and cookies that end with the consent", () => {
  const { calls } = runTag("https://elsewhere.example/path?token=secret");
  expect(calls).toEqual([
    ["consent", "default", { ...adsDenied, analytics_storage: "denied" }],
    ["consent", "update", { ...adsDenied, analytics_storage: "granted" }],
    ["js", expect.any(Date)],
    [
      "config",
      property,
      {
        cookie_expires: analyticsCookiesLive,
        cookie_domain: "none",
        cookie_flags: "SameSite=Lax;Secure",
        allow_google_signals: false,
        allow_ad_personalization_signals: false,
        page_location: "https://firm.example/about",
        page_referrer: "https://elsewhere.example/path",
      },
    ],
  ]);
});

it("sets cookies that a browser keeps on a site without https", () => {
  expect(find(false)?.html).toContain('"cookie_flags":"SameSite=Lax"');
});

it.each([
  ["our own page", "https://firm.example/data-rights", "https://firm.example/"],
  ["a host that begins like ours", "https://firm.example.evil.example/a?x=1", "https://firm.example.evil.example/a"],
  ["nothing", "", ""],
])("names %s as referrer without its query", (_case, referrer, expected) => {
  expect(runTag(referrer).calls[3]?.[2]).toMatchObject({ page_referrer: expected });
});

it.each([
  ["a rejection", "/consent", "reject", true, true],
  ["a form without analytics", "/consent", "save", false, true],
  ["a form with analytics", "/consent", "save", true, undefined],
  ["another form", "/contact", "", false, undefined],
])("stops when the page submits %s: %s", (_case, action, value, isChecked, isStopped) => {
  const { submit, context } = runTag("");
  const form = { getAttribute: () => action, querySelector: () => (isChecked ? {} : null) };
  submit?.({ target: form, submitter: { value } });
  expect(context[`ga-disable-${property}`]).toBe(isStopped);
});

/** Runs the tag like a page and returns its commands to Google's script. */
function runTag(referrer: string) {
  const listeners: ((event: object) => void)[] = [];
  const context: Record<string, unknown> = {
    addEventListener: (_type: string, listener: (event: object) => void) => listeners.push(listener),
  };
  const location = { origin: "https://firm.example", pathname: "/about", search: "?token=secret" };
  const [, script = ""] = /<script>(.*?)<\/script>/s.exec(find()?.html ?? "") ?? [];
  // In a page, properties of the window are global names; `with` imitates that.
  new Function("window", "location", "document", `with(window){${script}}`)(context, location, { referrer });
  const calls = (context.dataLayer as ArrayLike<unknown>[]).map((call) => Array.from(call));
  return { calls, context, submit: listeners[0] };
}
