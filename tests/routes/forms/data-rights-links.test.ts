import { beforeAll, describe, expect, it } from "vitest";
import { type RequestLinks, filledDataRightsForm, readRequestLinks } from "../../support/data-rights";
import { findScripts, findTag, readMeta, readTexts } from "../../support/page-source";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor, leadsTo, readText, type Answer } from "../../support/visitor";

let product: RunningSite;
let visitor: Visitor;
/** All requests of this file, whose links and data the log must not contain. */
const made: { form: typeof filledDataRightsForm; links: RequestLinks }[] = [];

beforeAll(async () => {
  product = await shareSite();
});

/** Opens a new data rights request for each test and reads its acknowledgement. */
async function makeRequest(changes: Partial<typeof filledDataRightsForm> = {}) {
  visitor = new Visitor(product.url);
  const form = { ...filledDataRightsForm, email: `person-${made.length}@links.example`, ...changes };
  await visitor.post("/data-rights", form);
  const links = await readRequestLinks(product.dataDir, form.email);
  made.push({ form, links });
  return { form, ...links };
}

const confirm = ({ confirm: link }: RequestLinks) => visitor.post("/data-rights/confirm", { token: tokenOf(link) });
const withdraw = ({ status: link }: RequestLinks) => visitor.post("/data-rights/status", { token: tokenOf(link) });
const readState = async ({ status: link }: RequestLinks) => readFact((await visitor.get(link)).html, "State");

function tokenOf(link: string): string {
  return new URL(link, product.url).searchParams.get("token") ?? "";
}

/** Reads the value of a name in the page's description list. */
function readFact(html: string, name: string): string | undefined {
  return readTexts(html, "dd")[readTexts(html, "dt").indexOf(name)];
}

/** Characters that mail programs and people append to links. */
const strayCharacters = [").", "%22", "%E2%80%8B", "%0A"];

function expectNoLongerValid({ status, html, headers }: Answer) {
  expect(status).toBe(404);
  expect(readTexts(html, "h1")).toEqual(["This link no longer works"]);
  expect(readText(html)).toContain("once, until the day by which we answer");
  for (const href of ["/data-rights", "/contact"]) expect(findTag(html, "a", { href })).toBeDefined();
  expectPrivate({ html, headers });
}

function expectPrivate({ html, headers }: Pick<Answer, "html" | "headers">) {
  expect(headers.get("cache-control")).toBe("no-store, no-transform");
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(readMeta(html, "robots")).toBe("noindex");
  expect(findTag(html, "link", { rel: "canonical" })).toBeUndefined();
  expect(findScripts(html)).toEqual([]);
}

describe("the confirmation link", () => {
  it("shows type, reference and due date, and nothing else, changes nothing when followed, and confirms by its button", async () => {
    const request = await makeRequest({ requestType: "erasure" });
    const { status, html, headers } = await visitor.get(request.confirm);
    expect(status).toBe(200);
    expect(readFact(html, "Reference")).toBe(request.reference);
    expect(readFact(html, "Request type")).toMatch(/^Erasure/);
    expect(readFact(html, "We answer by")).toBe(request.due);
    for (const secret of [request.form.name, request.form.email, "What do you hold about me?"]) {
      expect(html).not.toContain(secret);
    }
    expectPrivate({ html, headers });
    expect(await readState(request), "the link alone changes nothing").toBe("Waiting for you to confirm it");

    expect(findTag(html, "form", { method: "post", action: "/data-rights/confirm" })).toBeDefined();
    expect(findTag(html, "input", { name: "token" })?.attributes.value).toBe(tokenOf(request.confirm));
    const confirmed = await confirm(request);
    expect([leadsTo(confirmed), confirmed.headers.get("cache-control")]).toEqual([request.confirm, "no-store"]);
    expect(readText((await visitor.follow(confirmed)).html)).toContain("Request confirmed");
    expect(await readState(request)).toBe("Confirmed");
  });

  it("shows the confirmed request after several clicks at once, a reload, and a late click", async () => {
    const request = await makeRequest({ requestType: "erasure" });
    const clicks = await Promise.all([1, 2, 3, 4].map(() => confirm(request)));
    expect(clicks.map(leadsTo)).toEqual(clicks.map(() => request.confirm));
    const late = await confirm(request);
    expect(leadsTo(late)).toBe(request.confirm);
    const pages = [await visitor.follow(clicks[0]!), await visitor.get(request.confirm), await visitor.follow(late)];
    for (const { status, html, headers } of pages) {
      expect(status).toBe(200);
      expect(readTexts(html, "h1")).toEqual(["Your request"]);
      expect(readTexts(html, "title")[0]).toMatch(/^Your request \| /);
      expect(["State", "Reference", "We answer by"].map((name) => readFact(html, name))).toEqual([
        "Confirmed",
        request.reference,
        request.due,
      ]);
      for (const secret of [request.form.name, request.form.email]) expect(html).not.toContain(secret);
      expectPrivate({ html, headers });
    }
  });
});

describe("a link", () => {
  it("opens only its own page, also with surrounding characters, and the form has the token alone", async () => {
    const links = await makeRequest();
    expectNoLongerValid(await visitor.get(links.confirm.replace("/confirm", "/status")));
    expectNoLongerValid(await visitor.get(links.status.replace("/status", "/confirm")));
    expectNoLongerValid(await visitor.post("/data-rights/confirm", { token: tokenOf(links.status) }));
    expect(await readState(links)).toBe("Waiting for you to confirm it");
    for (const link of [links.confirm, links.status]) {
      for (const stray of strayCharacters) {
        const { status, html } = await visitor.get(link + stray);
        expect([stray, status]).toEqual([stray, 200]);
        expect(html).toContain(`name="token" value="${tokenOf(link)}"`);
      }
      const broken = link.replace(/(.{10})$/, "%C2%AD$1");
      expect((await visitor.get(broken)).status).toBe(200);
    }
    expect((await visitor.post("/data-rights/confirm", { token: `${tokenOf(links.confirm)}.` })).status).toBe(303);
  });
});

it("gets the same page everywhere with an invalid token", async () => {
  visitor = new Visitor(product.url);
  const answers = [];
  for (const path of ["/data-rights/confirm", "/data-rights/status"]) {
    for (const token of ["A".repeat(43), "A".repeat(1000), "\0", "é".repeat(43)]) {
      const query = new URLSearchParams({ token });
      answers.push(await visitor.get(`${path}?${query}`), await visitor.post(path, { token }));
    }
    answers.push(await visitor.get(path), await visitor.post(path, {}));
  }
  answers.push(await visitor.get(`/data-rights/status?token=${"A".repeat(43)}&withdraw=ask`));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  for (const answer of answers) expectNoLongerValid(answer);
});

describe("the status link", () => {
  it("shows state and next steps, and neither the data subject nor the description", async () => {
    const request = await makeRequest({ requestType: "portability" });
    await confirm(request);
    const { status, html, headers } = await visitor.get(request.status);
    expect(status).toBe(200);
    expect(readFact(html, "State")).toBe("Confirmed");
    expect(readFact(html, "Request type")).toMatch(/^Portability/);
    expect(readFact(html, "Reference")).toBe(request.reference);
    expect(readFact(html, "Received on")).toMatch(/^\w+ \d{1,2}, \d{4}$/);
    expect(readFact(html, "We answer by")).toBe(request.due);
    expect(readText(html)).toContain("What happens next");
    for (const secret of [request.form.name, request.form.email, "What do you hold about me?"]) {
      expect(html).not.toContain(secret);
    }
    expectPrivate({ html, headers });
  });

  it("withdraws in two steps: the first asks, the second withdraws once", async () => {
    const request = await makeRequest();
    const { html } = await visitor.get(request.status);
    // The first step is a GET: this page has no form that changes the request.
    expect(findTag(html, "form", { method: "post", action: "/data-rights/status" })).toBeUndefined();
    const asking = await visitor.get(`${request.status}&withdraw=ask`);
    expect(findTag(asking.html, "form", { method: "post", action: "/data-rights/status" })).toBeDefined();
    expect(readText(asking.html)).toContain("Withdraw this request?");
    expect(await readState(request)).toBe("Waiting for you to confirm it");

    const withdrawn = await withdraw(request);
    expect(leadsTo(withdrawn)).toBe(request.status);
    const after = (await visitor.follow(withdrawn)).html;
    expect(readText(after)).toContain("Request withdrawn");
    expect(readFact(after, "State")).toBe("Withdrawn");
    expect(readFact(after, "Closed on")).toMatch(/\d{4}$/);
    expect(readText(after)).not.toContain("Withdraw this request");

    const again = await visitor.follow(await withdraw(request));
    expect(readText(again.html)).toContain("This request is already closed.");
    expectNoLongerValid(await confirm(request));
  });
});

it("logs no token, address or text of a data rights request", () => {
  for (const { form, links } of made)
    for (const secret of [tokenOf(links.confirm), tokenOf(links.status), form.email, form.name])
      expect(product.output()).not.toContain(secret);
  expect(product.output()).toContain('"route":"/data-rights/confirm"');
});
