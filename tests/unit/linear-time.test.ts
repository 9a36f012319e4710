import { describe, expect, it } from "vitest";
import { ownSegments } from "~/content/site-pages";
import { loginSchema } from "~/features/auth/sign-in/login.schema";
import { findSearch, keepSearch } from "~/features/admin/shared/search-term.server";
import { clearForbiddenCookies, toAskedPage } from "~/features/consent/analytics/clear-cookies.server";
import { createFindVariant } from "~/features/consent/state/page-variant.server";
import { contactMessageSchema } from "#supabase/functions/_shared/contact-message";
import { dataRightsRequestSchema } from "#supabase/functions/_shared/data-rights-request";
import { resolveClientAddress, rateLimitKey } from "~/lib/http/client-address";
import { parseDecision } from "~/lib/consent";
import { loggablePath } from "~/lib/http/loggable-path";
import { findContactOrigin } from "~/lib/pages/contact-origin";
import { resolveReturnPage } from "~/lib/http/return-page";
import { isSameOrigin } from "~/lib/http/same-origin";
import { parseSettings } from "~/server/config/settings.server";
import { createCountView } from "~/server/counting/count-view.server";
import { createDayCounts } from "~/server/counting/day-counts.server";
import { nameCampaign, nameReferrer } from "~/server/counting/stranger-names.server";
import { createSiteContext } from "~/server/site-context.server";
import { findCanonicalPath } from "~/server/http/edge/canonical-path.server";
import { createEncodingChoice } from "~/server/http/cache/content-encoding.server";
import { createFindRoute } from "~/server/observability/route-pattern.server";

const site = createSiteContext(parseSettings({ SITE_URL: "https://firm.example" }));
const findVariant = createFindVariant(site);
const countView = createCountView(createDayCounts("UTC"), null);
const chooseEncoding = createEncodingChoice(["br", "gzip", "identity"]);
const findRoute = createFindRoute({
  "routes/request": { id: "routes/request", path: "admin/requests/:id", module: {} as never },
});
const withCookie = (cookie: string) => new Request("https://firm.example/a/b", { headers: { Cookie: cookie } });
const pageRequest = (query: string, cookie: string) => {
  return { method: "GET", path: "/", query, headers: withCookie(cookie).headers, host: "firm.example", address: "/" };
};
const contact = { name: "A", email: "a@b.example", company: "A", stage: "A", goal: "A", message: "A" };

/** Everything that reads what a stranger wrote, by itself, without the limits that stand before it. */
const readers: [string, (text: string) => unknown][] = [
  ["findCanonicalPath", (text) => findCanonicalPath(`/${text}x`)],
  ["findCanonicalPath of a file", (text) => findCanonicalPath(`/${text}.x`)],
  ["the route's pattern", (text) => findRoute(`/${text}x`)],
  ["the route's pattern of an id", (text) => findRoute(`/admin/requests/${text}x`)],
  ["loggablePath", (text) => loggablePath(`https://firm.example/${text}x`, ownSegments)],
  ["chooseEncoding", (text) => chooseEncoding(`gzip;q${text}x`)],
  ["resolveClientAddress", (text) => rateLimitKey(resolveClientAddress("::1", `${text}x`, 1))],
  ["isSameOrigin", (text) => isSameOrigin({ origin: `https://${text}x`, fetchSite: null, host: text }, null)],
  ["resolveReturnPage", (text) => resolveReturnPage(`/${text}x`, "https://firm.example", ["y"])],
  [
    "parseDecision",
    (text) => parseDecision(`v=1.0&a=1&m=1&by=banner&at=2026-11-21T09:30:00.123Z&text=${"0".repeat(64)}&id=${text}!`),
  ],
  [
    "clearForbiddenCookies",
    (text) => clearForbiddenCookies(site, toAskedPage(withCookie(text)), { analytics: false, marketing: false }),
  ],
  ["nameReferrer", (text) => nameReferrer(`https://${text}x/`, "firm.example")],
  ["nameCampaign", (text) => nameCampaign(`/?utm_campaign=${text}x`)],
  ["the origin of a message", (text) => findContactOrigin(`?from=${text}x`, ownSegments)],
  [
    "countView",
    (text) => countView({ method: "GET", headers: { "user-agent": `Mozilla ${text}x` }, url: `/?${text}` }, "/", 200),
  ],
  ["findVariant", (text) => findVariant(pageRequest("", `${text}x`))],
  ["findVariant of a query", (text) => findVariant(pageRequest(`?${text}open`, ""))],
  [
    "findSearch",
    (text) => {
      const request = new Request("https://firm.example/admin?search=x", {
        headers: { Cookie: `admin-search=x.submissions.${text}~${text}` },
      });
      return findSearch(site.cookies, request, "submissions");
    },
  ],
  ["keepSearch", (text) => keepSearch(site.cookies, withCookie(`admin-search=${text}`), "requests", `${text}x`)],
  [
    "a contact message",
    (text) => contactMessageSchema.safeParse({ ...contact, name: `a${text}b`, message: `${text}b` }),
  ],
  ["an email address", (text) => contactMessageSchema.safeParse({ ...contact, email: `a@${text}!` })],
  [
    "a data rights request",
    (text) => dataRightsRequestSchema.safeParse({ name: text, email: `${text}@`, description: text }),
  ],
  ["a sign-in", (text) => loginSchema.safeParse({ email: `a@${text}!`, password: text })],
];

/** One letter again and again is what an expression that begins anew at every place is slowest with. */
const letters = [
  "/",
  "\\",
  ".",
  "@",
  " ",
  "%",
  "=",
  ";",
  ",",
  ":",
  "-",
  "a",
  "0",
  "a.",
  "_ga_a=;",
  "%2f",
  "::",
  "\t ",
  "&",
  "<",
];

describe("what reads a stranger's text takes time in proportion to its length", () => {
  it.each(readers)("%s", (_name, read) => {
    for (const letter of letters) {
      const short = letter.repeat(1_024 / letter.length);
      const long = letter.repeat(16_384 / letter.length);
      // Sixteen times the text; twice that again, and two milliseconds, for what a busy machine adds.
      expect(
        bestOf(() => read(long)),
        `"${letter}"`,
      ).toBeLessThan(32 * bestOf(() => read(short)) + 2);
    }
  });
});

/** Milliseconds that a call takes when nothing else is in its way. */
function bestOf(call: () => unknown): number {
  let best = Infinity;
  for (let turn = 0; turn < 7; turn++) {
    const begin = performance.now();
    try {
      call();
    } catch {
      // A refusal is an answer, too.
    }
    best = Math.min(best, performance.now() - begin);
  }
  return best;
}
