import { beforeEach, describe, expect, it } from "vitest";
import { consentVersion } from "~/content/cookie-registry";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import { type ConsentDecision, formatDecision } from "~/lib/consent";
import { Visitor, leadsTo, readText } from "../../support/visitor";
import { callOf, choose, consentForm, hasBanner, readDecision, readRecords } from "../support/consent";
import { answerJson } from "../support/stub-project";
import { openProject, openSite, useProject, useSharedSite, useSite } from "../support/world";

const address = "198.51.100.77";
const userAgent = "Mozilla/5.0 (Own) Test/1.0";
const client = { "X-Forwarded-For": address, "User-Agent": userAgent };
const signal = { ...client, "Sec-GPC": "1" };
const open = "/about?cookie-preferences=open";
const title = "Our record of your choices";
const evening = Date.parse("2026-11-20T22:00:00Z");

describe("the record of a decision", () => {
  const project = useProject(answerJson(200, { ok: true }));
  const site = useSite(() => ({ ...project.settings, TRUSTED_PROXIES: "1" }), { now: () => evening });
  let visitor: Visitor;
  beforeEach(() => {
    visitor = site.visitor();
    project.calls.length = 0;
  });

  async function decide(choice: string, changes: Record<string, string> = {}): Promise<ConsentDecision> {
    await visitor.post("/consent", consentForm(choice, changes), client);
    return readDecision(visitor)!;
  }

  it("is one for all decisions of a visitor, with browser, text and time, and without an address", async () => {
    await visitor.post("/consent", consentForm("close"), client);
    const decisions = [await decide("accept"), await decide("save", { marketing: "on" }), await decide("reject")];
    const session_id = decisions[0]!.recordId!;
    expect(readRecords(project)).toEqual(decisions.map((made) => ({ ...callOf(made, userAgent), session_id })));
    for (const trace of [address, userAgent, session_id]) expect(site.output()).not.toContain(trace);
  });

  it("identifies no one after a signal: no browser, no time of day, no id that the browser knows", async () => {
    for (const path of ["/", "/about", "/value"]) await visitor.get(path, signal);
    expect(readRecords(project)).toEqual([
      {
        session_id: expect.stringMatching(/^[\w-]{32}$/),
        analytics: false,
        marketing: false,
        consent_version: consentVersion,
        source: "signal",
        text_hash: hashShownText("signal", false),
        user_agent: null,
        decided_at: "2026-11-20T00:00:00.000Z",
      },
    ]);
    expect(readDecision(visitor)).toMatchObject({ recordId: null, isUnsaved: false });
  });

  it("says that a signal ended the consent, which does not return without it, and no longer names the browser", async () => {
    const { recordId, decidedAt } = await decide("accept");
    for (const headers of [signal, client]) {
      await visitor.get("/", headers);
      const kept = { analytics: false, marketing: false, source: "signal", recordId: null, isUnsaved: false };
      expect(readDecision(visitor)).toMatchObject(kept);
      expect(visitor.cookie("session-id")).toBeUndefined();
    }
    const [, ended] = readRecords(project);
    const source = { session_id: recordId, source: "signal", user_agent: null };
    expect(ended).toMatchObject({ ...source, analytics: false, marketing: false });
    expect(Date.parse(String(ended?.decided_at))).toBeGreaterThanOrEqual(Date.parse(decidedAt));
  });

  it("truncates a user agent that is too long", async () => {
    await visitor.post("/consent", consentForm("accept"), { ...client, "User-Agent": "x".repeat(2_000) });
    expect(readRecords(project)).toMatchObject([{ user_agent: "x".repeat(512) }]);
  });
});

describe("a visitor's own record", () => {
  const site = useSharedSite();
  let visitor: Visitor;
  beforeEach(() => {
    visitor = site.visitor();
  });

  it("is shown with its history in the preferences", async () => {
    for (const choice of ["accept", "reject"])
      await visitor.post("/consent", consentForm(choice), { "User-Agent": userAgent });
    const { recordId, textHash } = readDecision(visitor)!;
    const page = await visitor.get(open);
    expect(page.headers.get("cache-control")).toBe("no-store, no-transform");
    const text = readText(page.html);
    for (const kept of [title, recordId!, userAgent, textHash, `, under version ${consentVersion}`])
      expect(text).toContain(kept);
    expect(text).toMatch(/banner: analytics allowed, marketing allowed\..*banner: analytics not allowed/s);
    expect(readText((await visitor.get("/about")).html)).not.toContain(title);
  });

  it("is deleted with the decision at the visitor's request", async () => {
    await choose(visitor, "accept");
    const before = visitor.cookie("cookie-consent")!;
    visitor.setCookie("_ga", "GA1.1.1.1");
    const answer = await visitor.post("/consent", consentForm("erase", { text: "" }));
    expect(leadsTo(answer)).toBe("/about");
    for (const name of ["cookie-consent", "session-id", "_ga"]) expect(visitor.cookie(name), name).toBeUndefined();
    const { html } = await visitor.follow(answer);
    expect(readText(html)).toContain("Record deleted");
    expect(hasBanner(html)).toBe(true);

    const restored = site.visitor();
    restored.setCookie("cookie-consent", before);
    expect(readText((await restored.get(open)).html)).not.toContain(title);
  });

  it("is never made of a decision with an impossible time, which is not tried again", async () => {
    await choose(visitor, "accept");
    const forged = { ...readDecision(visitor)!, decidedAt: "2020-01-01T00:00:00.000Z", isUnsaved: true };
    visitor.setCookie("cookie-consent", formatDecision({ ...forged, recordId: "f".repeat(32) }));
    await visitor.get("/about");
    expect(readDecision(visitor)).toMatchObject({ decidedAt: forged.decidedAt, isUnsaved: false });
    expect(site.output()).toContain('"event":"consent-refused","code":"22023"');
    expect(readText((await visitor.get(open)).html)).not.toContain(title);
  });

  it("is not shown without a decision, nor for a signal", async () => {
    for (const headers of [{}, signal, signal])
      expect(readText((await visitor.get(open, headers)).html)).not.toContain(title);
  });

  it("cannot be shown or deleted while the backend is away, and the decision stays", async () => {
    const project = await openProject(answerJson(503, {}));
    const failing = await openSite(project.settings);
    const affected = new Visitor(failing.url);
    await choose(affected, "reject");
    expect(readText((await affected.get(open)).html)).toContain("We cannot show it right now.");
    const chosen = affected.cookie("cookie-consent");
    const answer = await affected.post("/consent", consentForm("erase", { text: "" }));
    expect(affected.cookie("cookie-consent")).toBe(chosen);
    expect(readText((await affected.follow(answer)).html)).toContain("Your record may still be there");
  });
});
