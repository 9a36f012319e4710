import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cookies } from "~/content/cookie-registry";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { startSite, type TestSite } from "../../support/site";
import { Visitor } from "../../support/visitor";
import { type ConsentChoice, consentForm, readDecision, readSetCookies } from "../support/consent";

const siteUrl = "https://www.shop.firm.example";
const common = ["HttpOnly", "Path=/", "SameSite=Lax"];
const analytics = ["_ga", "_gid", "_gat", "__utma", "__utmb", "__utmc", "__utmz", "_ga_ABC123", "_gat_UA-1-1"];
const marketing = ["_gcl_au", "_fbp", "_fbq"];
const others = ["_gax", "ga", "_fbpx", "theme", "flash2", "__utmx"];

let local: RunningSite;
let secure: TestSite;
beforeAll(async () => {
  local = await shareSite();
  secure = await startSite({ SITE_URL: siteUrl });
});
afterAll(() => secure.stop());

describe("the cookies of a decision", () => {
  const choices: ConsentChoice[] = ["accept", "reject", "save"];

  it.each(choices)("last as long as the registry says on plain http: %s", async (choice) => {
    const answer = await new Visitor(local.url).post("/consent", consentForm(choice));
    expect(readSetCookies(answer).map(({ name, attributes }) => [name, attributes])).toEqual([
      ["cookie-consent", [...common, `Max-Age=${2 * 365 * 24 * 60 * 60}`].toSorted()],
      ["session-id", common],
    ]);
  });

  it.each([...choices, "close"] as const)("are bound to the exact host on https: %s", async (choice) => {
    const answer = await new Visitor(secure.url).post("/consent", consentForm(choice), { Origin: siteUrl });
    const lines = readSetCookies(answer);
    expect(lines.length).toBe(choice === "close" ? 1 : 2);
    for (const { name, attributes } of lines) {
      expect(name).toMatch(/^__Host-(cookie-consent|session-id|cookie-banner)$/);
      expect(attributes).toEqual(expect.arrayContaining([...common, "Secure"]));
      expect(attributes.join()).not.toContain("Domain");
      const lifetimes: Record<string, number> = {
        "__Host-cookie-consent": cookies.consentPreference.lifetime,
        "__Host-cookie-banner": cookies.consentBanner.lifetime,
      };
      const lifetime = name in lifetimes ? [`Max-Age=${lifetimes[name]}`] : [];
      expect(attributes.filter((attribute) => /^(Max-Age|Expires)/.test(attribute))).toEqual(lifetime);
    }
  });

  it("are ignored on https under their names for plain http", async () => {
    const onHttp = new Visitor(local.url);
    await onHttp.post("/consent", consentForm("accept"));
    const onHttps = new Visitor(secure.url);
    onHttps.setCookie("cookie-consent", onHttp.cookie("cookie-consent") ?? "");
    await onHttps.post("/consent", consentForm("reject"), { Origin: siteUrl });
    expect(readDecision(onHttps, "__Host-")).toMatchObject({ analytics: false });
    expect(readDecision(onHttps, "__Host-")?.recordId).not.toBe(readDecision(onHttp)?.recordId);
  });
});

describe("analytics and advertising cookies without consent", () => {
  let visitor: Visitor;
  beforeEach(() => {
    visitor = new Visitor(secure.url);
    for (const name of [...analytics, ...marketing, ...others]) visitor.setCookie(name, "GA1.1.1.1");
  });
  const post = (choice: ConsentChoice, changes: Record<string, string> = {}) =>
    visitor.post("/consent", consentForm(choice, changes), { Origin: siteUrl });

  /** Collects removed cookies: a response removes eight at most, and the next page the rest. */
  const readClearedInTwo = async (answer: { headers: Headers }) =>
    [...readCleared(answer), ...readCleared(await visitor.get("/about"))].toSorted();

  it("are removed by the first pages before any decision, and all others stay", async () => {
    const first = await visitor.get("/");
    expect(readCleared(first)).toHaveLength(8);
    expect(await readClearedInTwo(first)).toEqual([...analytics, ...marketing].toSorted());
    for (const name of others) expect(visitor.cookie(name)).toBeDefined();
  });

  it("are removed in one response for each domain, at the root and in the page's folder", async () => {
    const lines = readSetCookies(await visitor.get("/no/such-page"));
    const removals = lines.filter(({ name }) => name === "_ga").map(({ attributes }) => attributes.join("; "));
    const domains = ["", "Domain=www.shop.firm.example; ", "Domain=shop.firm.example; ", "Domain=firm.example; "];
    const paths = ["/", "/no"];
    expect(removals.toSorted()).toEqual(
      domains.flatMap((domain) => paths.map((path) => `${domain}Max-Age=0; Path=${path}`)).toSorted(),
    );
    for (const { value } of lines) expect(value).toBe("");
  });

  it("are removed by the response to a rejection", async () => {
    const answer = await post("reject");
    const removals = readSetCookies(answer).filter(({ name }) => name === "_ga");
    expect(removals.map(({ attributes }) => attributes.join())).toContain("Domain=firm.example,Max-Age=0,Path=/");
    expect(await readClearedInTwo(answer)).toEqual([...analytics, ...marketing].toSorted());
  });

  it.each([
    [{ analytics: "on", marketing: "on" }, []],
    [{ analytics: "on" }, marketing],
    [{ marketing: "on" }, analytics],
  ] as [Record<string, string>, string[]][])(
    "are removed except those that %j allows, at once and later",
    async (changes, cleared) => {
      expect(await readClearedInTwo(await post("save", changes))).toEqual(cleared.toSorted());
      for (const name of cleared) visitor.setCookie(name, "again");
      expect(await readClearedInTwo(await visitor.get("/about"))).toEqual(cleared.toSorted());
      for (const name of cleared) expect(visitor.cookie(name)).toBeUndefined();
    },
  );

  it("are removed once consent is withdrawn, but not by closing the banner", async () => {
    await post("accept");
    expect(readCleared(await post("close"))).toEqual([]);
    expect(await readClearedInTwo(await post("reject"))).toEqual([...analytics, ...marketing].toSorted());
  });

  it("are removed after a signal, and on missing pages and pages that require sign-in", async () => {
    const signalled = await visitor.get("/", { "Sec-GPC": "1" });
    expect(await readClearedInTwo(signalled)).toEqual([...analytics, ...marketing].toSorted());
    for (const path of ["/no-such-page", "/login", "/contact"]) {
      visitor.setCookie("_ga", "again");
      expect(readCleared(await visitor.get(path)), path).toEqual(["_ga"]);
    }
  });

  it("cause no error when a header cannot hold their names", async () => {
    visitor.setCookie("_ga_ü", "1");
    visitor.setCookie("_ga_<b>", "1");
    visitor.setCookie(`_ga_${"x".repeat(200)}`, "1");
    const answer = await visitor.get("/");
    expect(answer.status).toBe(200);
    expect(await readClearedInTwo(answer)).toEqual([...analytics, ...marketing].toSorted());
  });

  it("are removed on localhost, which has no domain", async () => {
    const visitorHere = new Visitor(local.url);
    visitorHere.setCookie("_ga", "1");
    const lines = readSetCookies(await visitorHere.get("/about"));
    expect(lines.map(({ name, attributes }) => [name, ...attributes])).toEqual([
      ["_ga", "Max-Age=0", "Path=/"],
      ["_ga", "Max-Age=0", "Path=/about"],
    ]);
  });
});

/** Lists the foreign cookies that a response removes, in alphabetical order. */
function readCleared(answer: { headers: Headers }): string[] {
  const removed = readSetCookies(answer).filter(
    ({ name, attributes }) => attributes.includes("Max-Age=0") && !/cookie|session$/.test(name),
  );
  return [...new Set(removed.map(({ name }) => name))].toSorted();
}
