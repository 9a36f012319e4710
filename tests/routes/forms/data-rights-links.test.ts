import { describe, expect, it } from "vitest";
import {
  type RequestLinks,
  filledDataRightsForm,
  readMailsTo,
  readRequestLinks,
  waitForMail,
} from "../../support/data-rights";
import { tokenOf } from "../../support/network-links";
import { findScripts, findTag, readMeta, readTexts, readTitles } from "../../support/page-source";
import { type Answer, filledContactForm, leadsTo, readText } from "../../support/visitor";
import { signInAdmin, useSharedSite } from "../support/world";

const site = useSharedSite();
let requests = 0;

/** Opens a new data rights request for each test and reads its acknowledgement. */
async function makeRequest(requestType: string): Promise<RequestLinks & { email: string }> {
  const form = { ...filledDataRightsForm, email: `person-${(requests += 1)}@links.example`, requestType };
  await site.post("/data-rights", form);
  return { ...(await readRequestLinks(site.dataDir, form.email)), email: form.email };
}

const post = (path: string, token: string) => site.post(path, { token });
const confirm = ({ confirm: link }: RequestLinks) => post("/data-rights/confirm", tokenOf(link));
const withdraw = ({ status: link }: RequestLinks) => post("/data-rights/status", tokenOf(link));
const readState = async ({ status: link }: RequestLinks) => readFact((await site.get(link)).html, "State");

/** Reads the value of a name in the page's description list. */
function readFact(html: string, name: string): string | undefined {
  return readTexts(html, "dd")[readTexts(html, "dt").indexOf(name)];
}

function expectNoLongerValid({ status, html, headers }: Answer) {
  expect(status).toBe(404);
  for (const texts of [readTexts(html, "h1"), readTitles(html)]) expect(texts).toEqual(["This link no longer works"]);
  for (const href of ["/data-rights", "/contact"]) expect(findTag(html, "a", { href })).toBeDefined();
  expectPrivate({ html, headers });
}

/** Requires a page that no cache and no search engine keeps, and that names no person. */
function expectPrivate({ html, headers }: Pick<Answer, "html" | "headers">, personal: string[] = []) {
  expect(headers.get("cache-control")).toBe("no-store, no-transform");
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(readMeta(html, "robots")).toBe("noindex");
  expect(findTag(html, "link", { rel: "canonical" })).toBeUndefined();
  expect(findScripts(html)).toEqual([]);
  for (const secret of [filledDataRightsForm.name, "What do you hold about me?", ...personal])
    expect(html).not.toContain(secret);
}

describe("the confirmation link", () => {
  it("shows the request, changes nothing when followed, and confirms once by its button, as the status link shows", async () => {
    const request = await makeRequest("erasure");
    const page = await site.get(request.confirm);
    expect([page.status, readTitles(page.html)]).toEqual([200, ["Confirm your request"]]);
    expect(readFact(page.html, "Reference")).toBe(request.reference);
    expect(readFact(page.html, "Request type")).toMatch(/^Erasure/);
    expect(readFact(page.html, "We answer by")).toBe(request.due);
    expectPrivate(page, [request.email]);
    expect(await readState(request)).toBe("Waiting for you to confirm it");
    expect(findTag(page.html, "form", { method: "post", action: "/data-rights/confirm" })).toBeDefined();
    expect(findTag(page.html, "input", { name: "token" })?.attributes.value).toBe(tokenOf(request.confirm));

    const clicks = await Promise.all([1, 2, 3].map(() => confirm(request)));
    expect(clicks.map(leadsTo)).toEqual(clicks.map(() => request.confirm));
    expect(clicks[0]?.headers.get("cache-control")).toBe("no-store");
    for (const shown of [
      await site.follow(clicks[0]!),
      await site.get(request.confirm),
      await site.get(request.status),
      await site.follow(await confirm(request)),
    ]) {
      const headings = [readTexts(shown.html, "h1"), readTitles(shown.html)];
      expect([shown.status, ...headings]).toEqual([200, ["Your request"], ["Your request"]]);
      const facts = ["State", "Reference", "We answer by"].map((name) => readFact(shown.html, name));
      expect(facts).toEqual(["Confirmed", request.reference, request.due]);
      expect(readFact(shown.html, "Received on")).toMatch(/^\w+ \d{1,2}, \d{4}$/);
      expect(readText(shown.html)).toContain("What happens next");
      expectPrivate(shown, [request.email]);
    }
    expect(readText((await site.follow(clicks[0]!)).html)).toContain("Request confirmed");
    await expect.poll(site.output).toContain('"route":"/data-rights/confirm"');
    for (const secret of [tokenOf(request.confirm), tokenOf(request.status), request.email])
      expect(site.output()).not.toContain(secret);
  });
});

describe("a link", () => {
  it("opens only its own page, also with the characters that mail programs append", async () => {
    const links = await makeRequest("access");
    expectNoLongerValid(await site.get(links.confirm.replace("/confirm", "/status")));
    expectNoLongerValid(await site.get(links.status.replace("/status", "/confirm")));
    expectNoLongerValid(await post("/data-rights/confirm", tokenOf(links.status)));
    expect(await readState(links)).toBe("Waiting for you to confirm it");
    expect((await site.get(`${links.status}%22).`)).status).toBe(200);
    expect((await post("/data-rights/confirm", `${tokenOf(links.confirm)}.`)).status).toBe(303);
  });

  it.each(["confirm", "status"])("to %s gets one page with any invalid token", async (page) => {
    const path = `/data-rights/${page}`;
    const answers = [await site.get(`${path}?token=${"A".repeat(43)}&withdraw=ask`)];
    for (const token of ["A".repeat(43), "A".repeat(1000), "\0", ""])
      answers.push(await site.get(`${path}?${new URLSearchParams({ token })}`), await post(path, token));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    for (const answer of answers) expectNoLongerValid(answer);
  });
});

describe("the status link", () => {
  it("withdraws in two steps: the first asks, the second withdraws once", async () => {
    const request = await makeRequest("access");
    const form = { method: "post", action: "/data-rights/status" };
    // The first step is a GET: this page has no form that changes the request.
    expect(findTag((await site.get(request.status)).html, "form", form)).toBeUndefined();
    const asking = (await site.get(`${request.status}&withdraw=ask`)).html;
    expect(findTag(asking, "form", form)).toBeDefined();
    expect(readTitles(asking)).toEqual(["Withdraw this request?"]);
    expect(readText(asking)).toContain("Withdraw this request?");
    expect(await readState(request)).toBe("Waiting for you to confirm it");

    const withdrawn = await withdraw(request);
    expect(leadsTo(withdrawn)).toBe(request.status);
    const after = (await site.follow(withdrawn)).html;
    expect(readText(after)).toContain("Request withdrawn");
    expect([readFact(after, "State"), readFact(after, "Closed on")]).toEqual([
      "Withdrawn",
      expect.stringMatching(/\d{4}$/),
    ]);
    expect(readText(after)).not.toContain("Withdraw this request");
    expect(readText((await site.follow(await withdraw(request))).html)).toContain("This request is already closed.");
    expectNoLongerValid(await confirm(request));
  });
});

/**
 * Sends a message and confirms a data rights request for access, as one person. @returns the links and the admin's page
 */
async function openAccessRequest() {
  const links = await makeRequest("access");
  await site.post("/contact", { ...filledContactForm, email: links.email });
  expect((await confirm(links)).status).toBe(303);
  const admin = await signInAdmin(site);
  const { html } = await admin.get("/admin/requests?filter=open");
  const [, page = ""] =
    new RegExp(`href="(/admin/requests/[0-9a-f-]{36})"[^>]*>(?:(?!</a>).)*${links.reference}<`).exec(html) ?? [];
  return { ...links, admin, page };
}

describe("the package of an access request", () => {
  it("reaches the data subject through the status link and an emailed link, as a page and as JSON", async () => {
    const { email, status, admin, page } = await openAccessRequest();
    const done = await admin.postAndFollow(page, { intent: "handOver", text: "Here is your copy." });
    expect(readText(done.html)).toContain("Data handed over");
    const [subject, text] = ["your data is ready", "Here is your copy."].map((part) => expect.stringContaining(part));
    await expect.poll(() => readMailsTo(site.dataDir, email)).toContainEqual({ subject, text });
    const offered = await site.get(status);
    expect(offered.html).toContain("Your data is ready");
    expect(offered.html).not.toContain(filledContactForm.company);
    expect(findTag(offered.html, "button", { name: "intent", value: "package" })).toBeDefined();
    const asked = await site.post("/data-rights/status", { token: tokenOf(status), intent: "package" });
    expect(readText((await site.follow(asked)).html)).toContain("Check your email");

    const link = (await waitForMail(site.dataDir, email, /\/data-rights\/package\?token=[\w-]+/)).match;
    for (let i = 0; i < 2; i += 1) {
      const opened = await site.get(link);
      expect([opened.status, opened.headers.get("cache-control")]).toEqual([200, "no-store, no-transform"]);
      expect(opened.html).not.toContain(filledContactForm.company);
      expect(findTag(opened.html, "form", { method: "post", action: "/data-rights/package/file" })).toBeDefined();
    }
    const fetchAs = (format: string) => site.post("/data-rights/package/file", { token: tokenOf(link), format });
    for (const format of ["html", "json"]) {
      const file = await fetchAs(format);
      expect(file.status).toBe(200);
      expect(file.headers.get("cache-control")).toBe(format === "html" ? "no-store, no-transform" : "no-store");
      expect(file.headers.get("content-disposition")).toMatch(new RegExp(`^attachment; filename="DR-.*\\.${format}"$`));
      for (const words of [email, filledContactForm.company, "purposes", "recipients", "complain to us"])
        expect(file.html).toContain(words);
    }
    const { information, submissions } = JSON.parse((await fetchAs("json")).html) as Record<string, unknown>;
    expect(Object.keys(information as object)).toContain("transfers");
    expect(submissions).toMatchObject([{ email }]);
    expect(readText((await admin.get(page)).html).match(/Data downloaded by the requester/g)).toHaveLength(3);
  });

  it("cannot be opened with the status link, a forged link, or before handover", async () => {
    const { status } = await openAccessRequest();
    expect((await site.get(status)).html).not.toContain("Your data is ready");
    expect((await site.post("/data-rights/status", { token: tokenOf(status), intent: "package" })).status).toBe(404);
    for (const token of [tokenOf(status), "x".repeat(43), ""]) {
      expectNoLongerValid(await site.get(`/data-rights/package?token=${token}`));
      const file = await site.post("/data-rights/package/file", { token, format: "json" });
      expect([file.status, file.headers.get("location")]).toEqual([303, `/data-rights/package?token=${token}`]);
    }
  });
});
