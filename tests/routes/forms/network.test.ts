import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { readMailsTo } from "../../support/data-rights";
import { filledJoinForm, joinAddress, readNetworkLink, tokenOf } from "../../support/network-links";
import { findTag, findTags, readTexts } from "../../support/page-source";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, leadsTo, noticeOf, readText } from "../../support/visitor";

let site: TestSite;
let visitor: Visitor;
let host = 0;
let from: Record<string, string>;
beforeAll(async () => {
  site = await startSite(
    { TRUSTED_PROXIES: "1", ACKNOWLEDGEMENTS_PER_HOUR: "0" },
    { timeouts: { accountResponse: 100 } },
  );
});
beforeEach(() => {
  visitor = new Visitor(site.url);
  // Each test uses its own address, so that none is throttled for another's posts.
  from = { "X-Forwarded-For": `203.0.113.${(host += 1)}` };
});
afterAll(() => site.stop());

let people = 0;
const newEmail = () => `member-${(people += 1)}@fund.example`;

const ask = (email: string, changes: Record<string, string> = {}) =>
  visitor.post(joinAddress, { ...filledJoinForm, email, ...changes }, from);

const act = (link: string, intent: string, fields: Record<string, string> = {}) =>
  visitor.post(link, { token: tokenOf(link), intent, ...fields }, from);

/** Presses a button of the page, with the hidden fields of its form. */
async function press(link: string, intent: string) {
  const { html } = await visitor.get(link, from);
  const form = (html.match(/<form\b[\s\S]*?<\/form>/g) ?? []).find((found) => found.includes(`value="${intent}"`));
  if (form === undefined) throw new Error(`The page has no button ${intent}.`);
  const hidden = findTags(form, "input").map(({ attributes: { name = "", value = "" } }) => [name, value]);
  return act(link, intent, Object.fromEntries(hidden) as Record<string, string>);
}

async function join(email: string, changes: Record<string, string> = {}): Promise<string> {
  await ask(email, changes);
  const link = await readNetworkLink(site.dataDir, email);
  expect(noticeOf(await press(link, "confirm"))).toBe("networkJoined");
  return link;
}

const read = async (link: string) => readText((await visitor.get(link, from)).html);
const readHeadings = async (link: string) => readTexts((await visitor.get(link, from)).html, "h1");

/** The fields of the form that a member's page shows. */
const memberForm = { name: "Mary Jackson", company: "Tunnel Fund" };
const readSeen = async (link: string) =>
  findTag((await visitor.get(link, from)).html, "input", { name: "seen" })?.attributes.value ?? "";

describe("joining the investor network", () => {
  it("needs the button behind the mailed link: opening it changes nothing", async () => {
    const email = newEmail();
    expect(noticeOf(await ask(email))).toBe("contactSentJoining");
    const link = await readNetworkLink(site.dataDir, email);
    for (let visit = 0; visit < 2; visit += 1) {
      const page = await visitor.get(link, from);
      expect([page.status, page.headers.get("cache-control"), page.headers.get("x-robots-tag")]).toEqual([
        200,
        "no-store, no-transform",
        "noindex",
      ]);
      expect(page.headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
      expect(readTexts(page.html, "h1")).toEqual(["Join the investor network"]);
      expect(page.html).not.toContain("<script");
    }
    const words = await read(link);
    for (const kept of ["Mary Jackson", email, "Tunnel Fund", "Angel investor", "Oregon", "$25,000 to $100,000"])
      expect(words).toContain(kept);
    const joined = await press(link, "confirm");
    expect([joined.status, leadsTo(joined), noticeOf(joined)]).toEqual([303, link, "networkJoined"]);
    expect(await readHeadings(link)).toEqual(["Your place in the investor network"]);
    expect(await read(link)).toMatch(/We read each request to join ourselves.*State Confirmed.*Confirmed on/);
    // A second press, as in another tab.
    expect(noticeOf(await act(link, "confirm", { shown: "" }))).toBe("networkJoined");
    const mails = await readMailsTo(site.dataDir, email);
    expect(mails.filter(({ text }) => text.includes("/network?token="))).toHaveLength(1);
  });

  it("works without the optional details, and shows a strange name as text", async () => {
    const email = newEmail();
    const name = "=1+1\r\nBcc: x@y.example \u202e<b>evil</b>";
    const link = await join(email, { name, kind: "", fields: "", checkSize: "", place: "", qualification: "" });
    const { html } = await visitor.get(link, from);
    expect(html).toContain("<bdi>=1+1 Bcc: x@y.example &lt;b&gt;evil&lt;/b&gt;</bdi>");
    expect(readText(html)).toContain("Fields of interest Not given");
    const mails = await readMailsTo(site.dataDir, email);
    const network = mails.find(({ text }) => text.includes("/network?token="));
    expect(`${network?.subject}${network?.text}`).not.toMatch(/evil|Bcc|Oregon/);
  });

  it("stores no membership while the box is not checked", async () => {
    const email = newEmail();
    const { joinNetwork: _box, ...withoutBox } = filledJoinForm;
    await visitor.post(joinAddress, { ...withoutBox, email }, from);
    await expect.poll(async () => (await readMailsTo(site.dataDir, email)).length).toBe(1);
    expect((await readMailsTo(site.dataDir, email))[0]?.text).not.toContain("/network");
  });

  it("can be undone before the confirmation, and then the link is gone", async () => {
    const email = newEmail();
    await ask(email);
    const link = await readNetworkLink(site.dataDir, email);
    const left = await press(link, "leave");
    expect([left.status, leadsTo(left)]).toEqual([303, "/network"]);
    expect(readTexts((await visitor.follow(left)).html, "h1")).toEqual(["You are not in the network"]);
    expect((await visitor.get(link, from)).status).toBe(404);
    expect((await act(link, "confirm")).status).toBe(404);
  });

  it("gets one page and 404 for links that are unknown, forged or malformed", async () => {
    const pages = [];
    for (const token of [newSecretToken(), "", "%00"]) {
      const page = await visitor.get(`/network?token=${encodeURIComponent(token)}`, from);
      expect([page.status, page.headers.get("cache-control")]).toEqual([404, "no-store, no-transform"]);
      pages.push(readText(page.html));
      expect(findTag(page.html, "form", { action: "/network" })).toBeDefined();
    }
    expect(new Set(pages).size).toBe(1);
    const forged = newSecretToken();
    for (const intent of ["confirm", "discard", "change", "leave"])
      expect((await act(`/network?token=${forged}`, intent, memberForm)).status, intent).toBe(404);
  });
});

describe("a member's page", () => {
  it("changes the details, refuses a change over one of another tab with 409, and keeps the text", async () => {
    const link = await join(newEmail());
    const seen = await readSeen(link);
    const change = {
      name: "Mary W. Jackson",
      company: "Wind Fund",
      kind: "fund",
      fields: "devices",
      place: "Virginia",
    };
    const changed = await act(link, "change", { ...change, seen });
    expect([changed.status, leadsTo(changed), noticeOf(changed)]).toEqual([303, `${link}#top`, "networkChanged"]);
    const words = await read(link);
    for (const text of ["Mary W. Jackson", "Wind Fund", "Venture or private equity firm", "Devices and diagnostics"])
      expect(words).toContain(text);
    expect(words).toContain("Usual check size Not given");

    // Another tab still shows the version before.
    const late = await act(link, "change", { ...memberForm, company: "Second Fund", seen });
    expect(late.status).toBe(409);
    expect(readText(late.html)).toContain("These details were changed meanwhile");
    expect(readText(late.html)).toContain("Company or fund Wind Fund");
    const form = findTag(late.html, "input", { name: "company" });
    expect(form?.attributes.value).toBe("Second Fund");
    const again = findTag(late.html, "input", { name: "seen" })?.attributes.value ?? "";
    expect((await act(link, "change", { ...memberForm, company: "Second Fund", seen: again })).status).toBe(303);
    expect((await act(link, "change", { ...memberForm, seen: "x" })).status).toBe(409);
  });

  it("refuses wrong details with 400 and keeps the rest, posts from elsewhere, and an unknown button", async () => {
    const link = await join(newEmail());
    const seen = await readSeen(link);
    const kept = { checkSize: "over-2m", qualification: "entity" };
    for (const [name, value, mistake] of [
      ["name", "", "Enter your name"],
      ["company", "x".repeat(201), "Shorten your company or fund by 1 character."],
      ["kind", "king", "Choose a kind of investor from the list"],
      ["fields", "gold", "Choose fields of interest from the list"],
      ["place", "x".repeat(101), "Shorten your country or state by 1 character."],
    ] as const) {
      const wrong = await act(link, "change", { ...memberForm, ...kept, seen, [name]: value });
      expect(wrong.status).toBe(400);
      expect(readText(wrong.html)).toContain(mistake);
      expect(findTags(wrong.html, "a").map(({ attributes }) => attributes.href)).toContain(`#member-${name}`);
      const chosen = findTags(wrong.html, "option").filter(({ attributes }) => "selected" in attributes);
      expect(chosen.map(({ attributes }) => attributes.value)).toEqual(expect.arrayContaining(Object.values(kept)));
    }
    const foreign = { ...from, Origin: "https://evil.example" };
    expect((await visitor.post(link, { token: tokenOf(link), intent: "leave" }, foreign)).status).toBe(403);
    expect((await act(link, "explode")).status).toBe(400);
    expect(await readSeen(link)).toBe(seen);
  });

  it("shows what a later message said, and changes nothing until the member decides", async () => {
    const email = newEmail();
    const first = await join(email);
    await ask(email, { name: "Someone Else", message: "Again" });
    const second = await readNetworkLink(site.dataDir, email, [first]);
    // The later link ended the first.
    expect((await visitor.get(first, from)).status).toBe(404);
    expect(await read(second)).toMatch(
      /You asked again.*Someone Else.*Use these.*What we keep.*Mary Jackson.*Keep mine/,
    );
    for (const intent of ["confirm", "discard"]) {
      // The form of a page that showed no wish, or another.
      expect(noticeOf(await act(second, intent, { shown: "" }))).toBe("networkAskedMeanwhile");
      expect(noticeOf(await act(second, intent, { shown: "0".repeat(64) }))).toBe("networkAskedMeanwhile");
    }
    expect(noticeOf(await press(second, "discard"))).toBe("networkKept");
    expect(await read(second)).not.toContain("Someone Else");
    expect(noticeOf(await act(second, "discard"))).toBe("networkKept");

    await ask(email, { name: "Mary W. Jackson", message: "Renamed" });
    const third = await readNetworkLink(site.dataDir, email, [first, second]);
    expect(noticeOf(await press(third, "confirm"))).toBe("networkJoined");
    expect(await read(third)).not.toContain("You asked again");
    expect(await read(third)).toContain("Mary W. Jackson");
  });

  it("ends all links to it with one button", async () => {
    const link = await join(newEmail());
    expect(await read(link)).toMatch(/Your link works until \w+ \d+, \d{4}, or until we email you a newer one/);
    const ended = await press(link, "endLinks");
    expect([ended.status, leadsTo(ended), noticeOf(ended)]).toEqual([303, "/network", "networkLinksEnded"]);
    const gone = await visitor.get(link, from);
    expect([gone.status, findTag(gone.html, "form", { action: "/network" }) !== undefined]).toEqual([404, true]);
    expect((await act(link, "leave")).status).toBe(404);
  });

  it("deletes the membership with one button, and its link with it", async () => {
    const email = newEmail();
    const link = await join(email);
    const left = await press(link, "leave");
    expect([left.status, leadsTo(left), noticeOf(left)]).toEqual([303, "/network", "networkLeft"]);
    const { html } = await visitor.follow(left);
    expect(readTexts(html, "h1")).toEqual(["You are not in the network"]);
    expect(html).not.toContain(email);
    expect((await visitor.get(link, from)).status).toBe(404);
    expect((await act(link, "leave")).status).toBe(404);
  });
});
