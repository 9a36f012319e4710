import { describe, expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { filledJoinForm, joinAddress, readNetworkLink, tokenOf } from "../../support/network-links";
import { findTag, findTags, readTexts, readTitles } from "../../support/page-source";
import { type Answer, leadsTo, noticeOf, readText } from "../../support/visitor";
import { newClient, useSite } from "../support/world";

const settings = { TRUSTED_PROXIES: "1", ACKNOWLEDGEMENTS_PER_HOUR: "0" };
const site = useSite(settings, { timeouts: { accountResponse: 100 } });

let people = 0;
const newEmail = () => `member-${(people += 1)}@fund.example`;

const get = (path: string) => site.get(path, newClient());
const read = async (link: string) => readText((await get(link)).html);
const ask = (email: string, changes: Record<string, string> = {}) =>
  site.post(joinAddress, { ...filledJoinForm, email, ...changes }, newClient());
const act = (link: string, intent: string, fields: Record<string, string> = {}) =>
  site.post(link, { token: tokenOf(link), intent, ...fields }, newClient());

/** Presses a button of the page, with the hidden fields of its form. */
async function press(link: string, intent: string) {
  const { html } = await get(link);
  const form = (html.match(/<form\b[\s\S]*?<\/form>/g) ?? []).find((found) => found.includes(`value="${intent}"`));
  if (form === undefined) throw new Error(`The page has no button ${intent}.`);
  const hidden = findTags(form, "input").map(({ attributes: { name = "", value = "" } }) => [name, value]);
  return act(link, intent, Object.fromEntries(hidden) as Record<string, string>);
}

async function join(email = newEmail(), changes: Record<string, string> = {}): Promise<string> {
  await ask(email, changes);
  const link = await readNetworkLink(site.dataDir, email);
  expect(noticeOf(await press(link, "confirm"))).toBe("networkJoined");
  return link;
}

const readH1 = (html: string) => readTexts(html, "h1");
const describeAnswer = (answer: Answer) => [answer.status, leadsTo(answer), noticeOf(answer)];

/** Opens a link and presses each button. @returns the statuses, and whether the page offers the form for a new link */
async function tryLink(link: string) {
  const { status, headers, html } = await get(link);
  const statuses = [];
  for (const intent of ["confirm", "discard", "change", "leave"])
    statuses.push((await act(link, intent, memberForm)).status);
  const offersNew = findTag(html, "form", { action: "/network" }) !== undefined;
  return { status, titles: readTitles(html), statuses, cacheControl: headers.get("cache-control"), offersNew };
}
const gone = {
  status: 404,
  titles: ["This link doesn’t work"],
  statuses: [404, 404, 404, 404],
  cacheControl: "no-store, no-transform",
  offersNew: true,
};

/** The fields of the form that a member's page shows. */
const memberForm = { name: "Mary Jackson", company: "Tunnel Fund" };
const findSeen = (html: string) => findTag(html, "input", { name: "seen" })?.attributes.value ?? "";

describe("joining the investor network", () => {
  it("needs the button behind the mailed link: opening it changes nothing", async () => {
    const email = newEmail();
    expect(noticeOf(await ask(email))).toBe("contactSentJoining");
    const link = await readNetworkLink(site.dataDir, email);
    for (let visit = 0; visit < 2; visit += 1) {
      const { status, headers, html } = await get(link);
      const policies = ["cache-control", "x-robots-tag"].map((name) => headers.get(name));
      expect([status, ...policies]).toEqual([200, "no-store, no-transform", "noindex"]);
      for (const readName of [readTitles, readH1]) expect(readName(html)).toEqual(["Join the investor network"]);
      expect(html).not.toContain("<script");
      for (const kept of ["Mary Jackson", email, "Tunnel Fund", "Angel investor", "Oregon", "$25,000 to $100,000"])
        expect(readText(html)).toContain(kept);
    }
    expect(describeAnswer(await press(link, "confirm"))).toEqual([303, link, "networkJoined"]);
    const { html } = await get(link);
    for (const readName of [readTitles, readH1]) expect(readName(html)).toEqual(["Your place in the investor network"]);
    expect(readText(html)).toMatch(/We read each request to join ourselves.*State Confirmed.*Confirmed on/);
    // A second press, as in another tab.
    expect(noticeOf(await act(link, "confirm", { shown: "" }))).toBe("networkJoined");
  });

  it("works without the optional details, and shows a strange name as text", async () => {
    const name = "=1+1\r\nBcc: x@y.example \u202e<b>evil</b>";
    const none = { kind: "", fields: "", checkSize: "", place: "", qualification: "" };
    const { html } = await get(await join(newEmail(), { name, ...none }));
    expect(html).toContain("<bdi>=1+1 Bcc: x@y.example &lt;b&gt;evil&lt;/b&gt;</bdi>");
    expect(readText(html)).toContain("Fields of interest Not given");
  });

  it.each([newSecretToken(), "", "%00"])("gets 404 for the unknown or malformed link %j", async (token) => {
    expect(await tryLink(`/network?token=${token}`)).toEqual(gone);
  });
});

describe("a member's page", () => {
  it("changes the details, refuses a change over one of another tab with 409, and keeps the text", async () => {
    const link = await join();
    const seen = findSeen((await get(link)).html);
    const change = {
      name: "Mary W. Jackson",
      company: "Wind Fund",
      kind: "fund",
      fields: "devices",
      place: "Virginia",
    };
    const changed = await act(link, "change", { ...change, seen });
    expect(describeAnswer(changed)).toEqual([303, `${link}#top`, "networkChanged"]);
    const words = await read(link);
    for (const text of ["Mary W. Jackson", "Wind Fund", "Venture or private equity firm", "Devices and diagnostics"])
      expect(words).toContain(text);
    expect(words).toContain("Usual check size Not given");

    // Another tab still shows the version before.
    const late = await act(link, "change", { ...memberForm, company: "Second Fund", seen });
    expect(late.status).toBe(409);
    expect(readText(late.html)).toContain("These details were changed meanwhile");
    expect(readText(late.html)).toContain("Company or fund Wind Fund");
    expect(findTag(late.html, "input", { name: "company" })?.attributes.value).toBe("Second Fund");
    const again = { ...memberForm, company: "Second Fund", seen: findSeen(late.html) };
    expect((await act(link, "change", again)).status).toBe(303);
    expect((await act(link, "change", { ...memberForm, seen: "x" })).status).toBe(409);
  });

  it("refuses wrong details with 400 and keeps the rest, and an unknown button", async () => {
    const link = await join();
    const seen = findSeen((await get(link)).html);
    const kept = { checkSize: "over-2m", qualification: "entity" };
    const wrong = { ...memberForm, ...kept, name: "", company: "x".repeat(201), kind: "king", seen };
    const { status, html } = await act(link, "change", wrong);
    expect([status, readTitles(html)]).toEqual([400, ["Error: Your place in the investor network"]]);
    const links = findTags(html, "a").map(({ attributes }) => attributes.href);
    expect(links).toEqual(expect.arrayContaining(["#member-name", "#member-company", "#member-kind"]));
    const chosen = findTags(html, "option").filter(({ attributes }) => "selected" in attributes);
    expect(chosen.map(({ attributes }) => attributes.value)).toEqual(expect.arrayContaining(Object.values(kept)));
    expect((await act(link, "explode")).status).toBe(400);
    expect(findSeen((await get(link)).html)).toBe(seen);
  });

  it("shows what a later message said, and changes nothing until the member decides", async () => {
    const email = newEmail();
    const first = await join(email);
    await ask(email, { name: "Someone Else", message: "Again" });
    const second = await readNetworkLink(site.dataDir, email, [first]);
    // The later link ended the first.
    expect((await get(first)).status).toBe(404);
    expect(await read(second)).toMatch(
      /You asked again.*Someone Else.*Use these.*What we keep.*Mary Jackson.*Keep mine/,
    );
    // The form of a page that showed no wish, or another.
    for (const [intent, shown] of [
      ["confirm", ""],
      ["discard", "0".repeat(64)],
    ] as const)
      expect(noticeOf(await act(second, intent, { shown }))).toBe("networkAskedMeanwhile");
    expect(noticeOf(await press(second, "discard"))).toBe("networkKept");
    expect(await read(second)).not.toContain("Someone Else");

    await ask(email, { name: "Mary W. Jackson", message: "Renamed" });
    const third = await readNetworkLink(site.dataDir, email, [first, second]);
    expect(noticeOf(await press(third, "confirm"))).toBe("networkJoined");
    expect(await read(third)).not.toContain("You asked again");
    expect(await read(third)).toContain("Mary W. Jackson");
  });

  it("ends all links to it with one button", async () => {
    const link = await join();
    expect(await read(link)).toMatch(/Your link works until \w+ \d+, \d{4}, or until we email you a newer one/);
    expect(describeAnswer(await press(link, "endLinks"))).toEqual([303, "/network", "networkLinksEnded"]);
    expect(await tryLink(link)).toEqual(gone);
  });

  it.each(["before", "after"])("deletes the membership with one button, %s its confirmation", async (when) => {
    const email = newEmail();
    if (when === "before") await ask(email);
    const link = when === "before" ? await readNetworkLink(site.dataDir, email) : await join(email);
    const left = await press(link, "leave");
    expect(describeAnswer(left)).toEqual([303, "/network", "networkLeft"]);
    const { html } = await site.follow(left);
    for (const readName of [readTitles, readH1]) expect(readName(html)).toEqual(["You are not in the network"]);
    expect(html).not.toContain(email);
    expect(await tryLink(link)).toEqual(gone);
  });
});
