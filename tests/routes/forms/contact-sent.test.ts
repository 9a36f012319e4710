import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatReplyTime } from "~/lib/reply-time";
import { findTags, readTexts } from "../../support/page-source";
import { type Product, startProduct } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { makeSiteFolder } from "../../support/site-folder";
import { type Answer, Visitor, filledContactForm, readText } from "../../support/visitor";

/** Reads the time of the redirect from the notice in its address. */
function readSentAt({ headers }: Answer): Date {
  const [, time = ""] = /notice=contactSent\.(\w+)\./.exec(headers.get("location") ?? "") ?? [];
  return new Date(parseInt(time, 36) * 1000);
}

const hours = (count: number) => count * 60 * 60 * 1000;
const send = (visitor: Visitor, message: string, referrer: string | null = null) =>
  visitor.post("/contact", { ...filledContactForm, message }, referrer === null ? {} : { Referer: referrer });
const readHeading = ({ html }: Answer) => readTexts(html, "h1").map((text) => text.replaceAll("\u00a0", " "));
const readWays = ({ html }: Answer) => {
  const main = html.slice(html.indexOf("<h1"), html.indexOf("<details", html.indexOf("<h1")));
  return findTags(main, "a").flatMap(({ attributes: { href = "" } }) => (href.startsWith("mailto:") ? [] : [href]));
};

describe("after a message was sent, the page", () => {
  let origin: string;
  let visitor: Visitor;
  beforeAll(async () => {
    origin = (await shareSite()).url;
    visitor = new Visitor(origin);
  });

  it("says in its heading by when the firm writes, and repeats the time after a reload", async () => {
    const sent = await send(visitor, "By when?");
    const sentAt = readSentAt(sent);
    const due = formatReplyTime(new Date(sentAt.getTime() + hours(24)), sentAt, "UTC").replaceAll("\u00a0", " ");
    for (let visit = 0; visit < 2; visit += 1) {
      const page = await visitor.follow(sent);
      expect(readHeading(page)).toEqual([expect.stringContaining(due)]);
      expect(readHeading(page)[0]).not.toContain("[");
      expect(readText(page.html)).toContain("Message Sent! We'll get back to you within 24 hours.");
    }
  });

  it("does not claim that a message was sent where none was", async () => {
    const form = readHeading(await visitor.get("/contact"));
    for (const query of ["?notice=contactSent", "?notice=contactSent.x.y", "?sent=1"])
      expect(readHeading(await visitor.get(`/contact${query}`))).toEqual(form);
  });

  it.each([
    ["?from=home", "/"],
    ["?about=investors", "/investors"],
    ["?from=nowhere", "/about"],
  ])("offers one way on: the page whose link led to /contact%s", async (query, page) => {
    const sent = await send(visitor, `From ${query}`, `${origin}/contact${query}`);
    expect(readWays(await visitor.follow(sent))).toEqual([page]);
  });
});

describe("with the facts of a firm, the page after a message was sent", () => {
  let product: Product;
  beforeAll(async () => {
    const dataDir = await makeSiteFolder();
    await writeFile(join(dataDir, "facts.yaml"), 'replyWithinHours: 48\nfounder:\n  name: "Zoë Quill"\n');
    product = await startProduct({ TIME_ZONE: "America/New_York" }, { dataDir });
  });
  afterAll(() => product.stop());

  it("names the founder, and the time in the firm's time zone", async () => {
    const visitor = new Visitor(product.url);
    const sent = await send(visitor, "Who writes?");
    const sentAt = readSentAt(sent);
    const due = formatReplyTime(new Date(sentAt.getTime() + hours(48)), sentAt, "America/New_York");
    const [heading = ""] = readHeading(await visitor.follow(sent));
    expect(heading).toContain("Zoë Quill");
    expect(heading).toContain(due.replaceAll("\u00a0", " "));
    expect(heading).toMatch(/E[DS]T\.$/);
  });
});
