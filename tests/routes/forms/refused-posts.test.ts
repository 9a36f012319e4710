import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findTags } from "../../support/page-source";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { exchange } from "../../fuzz/support/exchange";

const siteUrl = "https://firm.example";
const fromWww = { Origin: "https://www.firm.example", "Sec-Fetch-Site": "same-origin" };
let site: TestSite;

beforeAll(async () => {
  site = await startSite({ SITE_URL: siteUrl });
});
afterAll(async () => {
  await site.stop();
});

/** Posts from another site, and reads the fields to copy and the links of the 403 page. */
async function refuse(path: string, fields: Record<string, string>, headers: Record<string, string> = fromWww) {
  const { status, html, headers: sent } = await new Visitor(site.url).post(path, fields, headers);
  const copies = [...html.matchAll(/<textarea[^>]*id="typed-\d+"[^>]*>([^<]*)<\/textarea>/g)].map(([, text]) => text);
  const links = findTags(html).flatMap(({ name, attributes }) => (name === "a" ? [attributes.href] : []));
  return { status, html, copies, links, sent };
}

describe("a cross-site post", () => {
  it("shows the typed text once and links to the form at SITE_URL", async () => {
    const { status, html, copies, links, sent } = await refuse("/contact?about=investors", filledContactForm);
    expect(status).toBe(403);
    expect(readText(html)).toContain("That came from another site");
    const { name, email, company, stage, goal, message } = filledContactForm;
    expect(copies).toEqual([name, email, company, stage, goal, message]);
    expect(links).toContain(`${siteUrl}/contact?about=investors`);
    expect(sent.get("cache-control")).toBe("no-store, no-transform");
    const again = await new Visitor(site.url).post("/contact", filledContactForm, { Origin: siteUrl });
    expect(again.status).toBe(303);
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      "/data-rights",
      { name: "Ada", email: "ada@example.com", requestType: "access", description: "Everything." },
      ["Ada", "ada@example.com", "access", "Everything."],
    ],
    ["/login", { email: "ada@example.com", password: "secret words" }, ["ada@example.com"]],
    ["/login/forgotten", { email: "ada@example.com" }, ["ada@example.com"]],
    ["/login/second-factor", { intent: "code", code: "123456" }, []],
    ["/login/password?token=secret", { token: "secret-token", password: "secret words", repeated: "secret words" }, []],
    ["/admin/account", { intent: "password", current: "secret words", password: "secret words" }, []],
    [
      "/admin/account/second-factor",
      { intent: "confirm", code: "123456", factorId: "secret", uri: "otpauth://secret" },
      [],
    ],
    ["/admin/confirm", { password: "secret words", code: "123456" }, []],
    ["/admin/people", { intent: "invite", email: "new@firm.example" }, ["new@firm.example"]],
    [
      "/admin/requests/new",
      { name: "Ada", description: "By letter.", channel: "letter" },
      ["Ada", "By letter.", "letter"],
    ],
    [`/admin/requests/${randomUUID()}`, { intent: "note", text: "Called them." }, ["Called them."]],
    [`/admin/network/${randomUUID()}`, { intent: "noted", text: "Called them." }, ["Called them."]],
    [
      `/admin/messages/${randomUUID()}`,
      { intent: "send", reply: randomUUID(), text: "Dear Ada,\n\nyes." },
      ["Dear Ada,\n\nyes."],
    ],
    [
      "/admin/network/letters/new",
      { intent: "save", letter: randomUUID(), subject: "News", body: "Dear {name}," },
      ["News", "Dear {name},"],
    ],
    [
      "/admin/snippets",
      { intent: "save", name: "Thanks", body: "Thank you, {name}." },
      ["Thanks", "Thank you, {name}."],
    ],
    ["/data-rights/confirm", { token: "secret-token" }, []],
    ["/answered", { token: "secret-token" }, []],
  ])("shows typed fields to copy, but no secrets: %s", async (path, fields, shown) => {
    const { status, html, copies, links } = await refuse(path, { ...fields, honeypot: "trapped" });
    expect(status).toBe(403);
    expect(copies).toEqual(shown);
    expect(links).toContain(siteUrl + path);
    for (const hidden of ["secret words", "123456", "trapped", "secret-token", "otpauth:"])
      expect(html).not.toContain(hidden);
  });

  it("links from a button's post to the page with the button", async () => {
    const choice = { page: "/about?x=1", source: "banner", text: "words' digest", choice: "reject" };
    const refused = await refuse("/consent", choice);
    expect(refused.links).toContain(`${siteUrl}/about?x=1`);
    expect(refused.copies).toEqual([]);
    expect((await refuse("/consent", { ...choice, page: "//evil.example/" })).links).toContain(`${siteUrl}/`);
    expect((await refuse("/logout", {})).links).toContain(`${siteUrl}/admin`);
  });

  it("escapes the text", async () => {
    const text = `</textarea><script>alert(1)</script>"'&`;
    const { html } = await refuse("/contact?a=%22%3E%3Cscript%3E", { message: text, name: text });
    expect(html).not.toContain("<script>alert(1)");
    expect(html).not.toContain('"><script>');
  });

  it("is also refused if it is not a form or too large", async () => {
    for (const [body, type] of [
      ["{}", "application/json"],
      [`message=${"x".repeat(300_000)}`, "application/x-www-form-urlencoded"],
    ] as const) {
      const headers = { "Content-Type": type, ...fromWww };
      expect((await fetch(`${site.url}/contact`, { method: "POST", body, headers })).status, type).toBe(403);
    }
  });

  it("returns the text to a script as well", async () => {
    const body = new URLSearchParams(filledContactForm);
    const answer = await fetch(`${site.url}/contact.data`, { method: "POST", body, headers: fromWww });
    expect(answer.status).toBe(403);
    const text = await answer.text();
    expect(text).toContain(filledContactForm.goal);
    expect(text).toContain(`${siteUrl}/contact`);
  });

  it.each(["/data-rights/package/file", `/admin/requests/${randomUUID()}/package`])(
    "is refused at an address without a page: %s",
    async (path) => {
      const { status, html } = await refuse(path, { format: "html", token: "secret-token" });
      expect(status).toBe(403);
      expect(html).toContain("send it again");
      expect(html).not.toContain("secret-token");
    },
  );
});

describe("a post under another public host name", () => {
  const body = new URLSearchParams(filledContactForm).toString();
  async function post(host: string, more: string) {
    const type = "Content-Type: application/x-www-form-urlencoded\r\n";
    const head = `POST /contact HTTP/1.1\r\nHost: ${host}\r\n${type}Content-Length: ${body.length}\r\n${more}`;
    return (await exchange(site.url, `${head}Connection: close\r\n\r\n${body}`)).status;
  }

  it.each([
    ["www.firm.example", "", 403],
    ["www.firm.example", "Sec-Fetch-Site: same-origin\r\n", 403],
    ["www.firm.example", "Origin: null\r\nSec-Fetch-Site: same-origin\r\n", 403],
    ["www.firm.example", "Origin: https://www.firm.example\r\n", 403],
    ["firm.example", "Origin: null\r\nSec-Fetch-Site: same-origin\r\n", 303],
    ["firm.example", "Origin: null\r\nSec-Fetch-Site: same-site\r\n", 403],
    ["firm.example", "Origin: null\r\nSec-Fetch-Site: none\r\n", 403],
    ["firm.example", "Origin: null\r\n", 403],
    // The Origin is ours, so a proxy must have changed the host.
    ["app.firm.example", `Origin: ${siteUrl}\r\n`, 303],
    ["127.0.0.1:3000", "", 303],
  ])("from Host: %s with %j gets %d", async (host, more, status) => {
    expect(await post(host, more)).toBe(status);
  });
});
