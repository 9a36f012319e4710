import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { routes } from "~/routes";
import { filledDataRightsForm, readRequestLinks } from "../../support/data-rights";
import { tokenOf } from "../../support/network-links";
import { readTitles } from "../../support/page-source";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { consentForm } from "../support/consent";
import { newClient, openSite, useSite } from "../support/world";

const limit = 2;
const site = useSite({ POST_RATE_LIMIT: String(limit), TRUSTED_PROXIES: "1" });

/** A public address that takes posts, with a form that changes nothing. */
interface Door {
  path: string;
  fields: Record<string, string>;
}

/** A door that refuses a client over its limit. */
interface LimitedDoor extends Door {
  /** of a post within the limit */
  status: number;
  /** parts of the page over the limit: the instruction, and the typed text */
  overLimit: string[];
}

const token = "A".repeat(43);
const memberToken = "A".repeat(64);
const tooManyLinks = ["Too many requests"];
const limitedDoors: LimitedDoor[] = [
  {
    path: "/contact",
    fields: { ...filledContactForm, name: "" },
    status: 400,
    overLimit: ["Your text is still here", filledContactForm.company, "Can we talk?</textarea>"],
  },
  {
    path: "/data-rights",
    fields: { ...filledDataRightsForm, name: "" },
    status: 400,
    overLimit: [
      "Your text is still here",
      `value="${filledDataRightsForm.email}"`,
      '<option value="access" selected="">',
      "And since when?</textarea>",
    ],
  },
  { path: "/network", fields: { email: "kept" }, status: 400, overLimit: ["Too many attempts", 'value="kept"'] },
  { path: "/login", fields: { email: "kept", password: "" }, status: 400, overLimit: ["Too many attempts", "kept"] },
  { path: "/login/forgotten", fields: { email: "kept" }, status: 400, overLimit: ["Too many attempts", "kept"] },
  {
    path: `/network?token=${memberToken}`,
    fields: { token: memberToken, intent: "change", name: "Ada", company: "Fund", place: "Virginia", seen: "0" },
    status: 404,
    overLimit: [...tooManyLinks, "Virginia</textarea>"],
  },
  {
    path: `/network/mail?token=${memberToken}`,
    fields: { token: memberToken, intent: "stop" },
    status: 404,
    overLimit: tooManyLinks,
  },
  { path: "/data-rights/confirm", fields: { token }, status: 404, overLimit: ["Your link still works"] },
  { path: "/data-rights/status", fields: { token }, status: 404, overLimit: tooManyLinks },
  { path: "/data-rights/package/file", fields: { token }, status: 303, overLimit: [] },
  { path: "/answered", fields: { token }, status: 404, overLimit: tooManyLinks },
  { path: "/login/password", fields: { token, password: "", repeated: "" }, status: 400, overLimit: tooManyLinks },
];
const doors: Door[] = [
  ...limitedDoors,
  // `consent-banner.test.ts` and `logout.test.ts` own these limits; a wrong code is counted for its account.
  { path: "/consent", fields: consentForm("reject") },
  { path: "/logout", fields: {} },
  { path: "/login/second-factor", fields: { intent: "code", code: "000000" } },
];
const stop = { path: `/network/stop?token=${memberToken}` };

const post = ({ path, fields }: Door, headers: Record<string, string> = newClient()) =>
  site.post(path, fields, headers);

const takesPosts = (module: string) =>
  /^export (?:async function|const) action\b/m.test(readFileSync(`app/routes/${module}`, "utf8"));

it("lists every public address that takes posts", () => {
  const forms = Object.entries(routes).filter(([, module]) => module.startsWith("forms/") && takesPosts(module));
  const listed = [...doors, stop].map(({ path }) => path.replace(/\?.*/, ""));
  expect(new Set(listed)).toEqual(new Set(forms.map(([path]) => `/${path}`)));
});

describe.each(doors)("a post to $path", (door) => {
  it.each(["https://evil.example", "null"])("gets 403 from the origin %s", async (origin) => {
    const { status, html } = await post(door, { ...newClient(), Origin: origin });
    expect(status).toBe(403);
    expect(readText(html)).toMatch(/That came from another site|only from our own pages/);
  });
});

it.each([...doors, stop])("$path refuses a body that is no form", async ({ path }) => {
  const headers = { "Content-Type": "application/json", ...newClient() };
  expect((await fetch(site.url + path, { method: "POST", body: "{}", headers })).status).toBe(415);
});

it.each(["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])("responds with 405 to %s everywhere", async (method) => {
  for (const path of ["/", "/favicon.svg", ...doors.map((door) => door.path)]) {
    const { status, headers } = await fetch(site.url + path, { method });
    expect([path, status, headers.get("allow")]).toEqual([path, 405, "GET, HEAD, POST"]);
  }
});

it("responds with 405 to a post on a page without a form, and with 404 on a missing page", async () => {
  const visitor = site.visitor();
  const { status, headers } = await visitor.post("/", {}, newClient());
  expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await visitor.post("/no-such-page", {}, newClient())).status).toBe(404);
});

describe("a client over its limit", () => {
  it.each(limitedDoors)("gets 429 with the wait and the typed text from $path", async (door) => {
    const client = newClient();
    for (let i = 0; i < limit; i += 1) expect((await post(door, client)).status).toBe(door.status);
    const { status, headers, html } = await post(door, client);
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
    for (const part of door.overLimit) expect(readText(html) + html).toContain(part);
  });

  it("confirms no data rights request, whose link still works", async () => {
    const visitor = site.visitor();
    const form = { ...filledDataRightsForm, email: "patient@guards.example" };
    await visitor.post("/data-rights", form, newClient());
    const { confirm } = await readRequestLinks(site.dataDir, form.email);
    const fields = { token: tokenOf(confirm) };
    const busy = newClient();
    for (let i = 0; i < limit; i += 1) await visitor.post("/data-rights/confirm", { token: "x" }, busy);
    const { status, headers } = await visitor.post("/data-rights/confirm", fields, busy);
    expect([status, headers.get("cache-control")]).toEqual([429, "no-store, no-transform"]);
    expect(readText((await visitor.get(confirm, newClient())).html)).toContain("Confirm");
    expect((await visitor.post("/data-rights/confirm", fields, newClient())).status).toBe(303);
  });

  it("is counted over all spellings of a path", async () => {
    const client = newClient();
    const statuses = [];
    for (const path of ["/contact", "/Contact/", "/contac%74", "/CONTACT"])
      statuses.push((await site.post(path, {}, client)).status);
    expect(statuses).toEqual([400, 400, 429, 429]);
  });

  it("opens no more secret links, while malformed ones get 404 and count for nothing", async () => {
    const visits = 30;
    const busy = newClient();
    const open = (path: string, client = busy) => site.get(path, client);
    const [status, confirm] = [`/data-rights/status?token=${token}`, `/data-rights/confirm?token=${token}`];
    // If it counted, the last of the others would be refused.
    expect((await open("/data-rights/status?token=x")).status).toBe(404);
    for (let i = 0; i < visits; i += 1) expect((await open(i % 2 ? status : confirm)).status).toBe(404);
    const others = ["/login/password", "/answered", "/network"].map((path) => `${path}?token=${memberToken}`);
    for (const path of [status, `${status}&withdraw=ask`, confirm, ...others]) {
      const refused = await open(path);
      expect([refused.status, refused.headers.get("cache-control")]).toEqual([429, "no-store, no-transform"]);
      expect(readTitles(refused.html)).toEqual(["Too many requests"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(400);
    }
    expect(readText((await open(status)).html).replaceAll("\u00a0", " ")).toContain("wait 10 minutes and try again");
    expect((await open("/data-rights/status?token=x")).status).toBe(404);
    expect((await open(status, newClient())).status).toBe(404);
  });
});

it("counts no post that a full queue refused", async () => {
  const busy = await openSite({ POST_RATE_LIMIT: "3", TRUSTED_PROXIES: "1" }, { timeouts: { renderQueue: 1 } });
  const client = newClient();
  const send = async () => (await new Visitor(busy.url).post("/contact", {}, client)).status;
  const statuses = await Promise.all(Array.from({ length: 40 }, send));
  do statuses.push(await send());
  while (statuses.at(-1) !== 429);
  expect(statuses).toContain(503);
  expect(statuses.filter((status) => status === 400)).toHaveLength(3);
});
