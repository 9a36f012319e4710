import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findTags } from "../../support/page-source";
import { filledContactForm, readText } from "../../support/visitor";
import { exchange } from "../../fuzz/support/exchange";
import { useSite } from "../support/world";

const siteUrl = "https://firm.example";
const fromWww = { Origin: "https://www.firm.example", "Sec-Fetch-Site": "same-origin" };
const site = useSite({ SITE_URL: siteUrl });

/** Posts from another name of the site, and reads the fields to copy and the links of the 403 page. */
async function refuse(path: string, fields: Record<string, string>) {
  const { status, html, headers } = await site.post(path, fields, fromWww);
  expect(status).toBe(403);
  const copies = [...html.matchAll(/<textarea[^>]*id="typed-\d+"[^>]*>([^<]*)<\/textarea>/g)].map(([, text]) => text);
  return { html, headers, copies, links: findTags(html, "a").map(({ attributes }) => attributes.href) };
}

describe("a cross-site post", () => {
  it("shows the typed text once and links to the form at SITE_URL, where it is accepted", async () => {
    const { html, headers, copies, links } = await refuse("/contact?about=investors", filledContactForm);
    expect(readText(html)).toContain("That came from another site");
    const { name, email, company, stage, goal, message } = filledContactForm;
    expect(copies).toEqual([name, email, company, stage, goal, message]);
    expect(links).toContain(`${siteUrl}/contact?about=investors`);
    expect(headers.get("cache-control")).toBe("no-store, no-transform");
    const again = await site.post("/contact", filledContactForm, { Origin: siteUrl });
    expect(again.status).toBe(303);
  });

  const id = randomUUID();
  it.each<[string, Record<string, string>, string[]]>([
    ["/data-rights", { requestType: "access", description: "Everything." }, ["access", "Everything."]],
    ["/login", { email: "ada@example.com", password: "secret words" }, ["ada@example.com"]],
    ["/login/second-factor", { intent: "code", code: "123456" }, []],
    ["/login/password?token=secret", { token: "secret-token", password: "secret words", repeated: "secret words" }, []],
    ["/admin/account", { intent: "password", current: "secret words", password: "secret words" }, []],
    ["/admin/account/second-factor", { code: "123456", factorId: "secret", uri: "otpauth://secret" }, []],
    ["/admin/requests/new", { channel: "letter", receivedOn: "2026-01-01" }, ["letter", "2026-01-01"]],
    [`/admin/requests/${id}`, { intent: "note", text: "Called them." }, ["Called them."]],
    ["/admin/network/letters/new", { letter: id, subject: "News", body: "Dear {name}," }, ["News", "Dear {name},"]],
    ["/network?token=secret", { token: "secret-token", place: "Oregon" }, ["Oregon"]],
  ])("shows typed fields to copy, but no secrets: %s", async (path, fields, shown) => {
    const { html, copies, links } = await refuse(path, { ...fields, honeypot: "trapped" });
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

  it("returns the text to a script as well", async () => {
    const body = new URLSearchParams(filledContactForm);
    const answer = await fetch(`${site.url}/contact.data`, { method: "POST", body, headers: fromWww });
    expect(answer.status).toBe(403);
    const text = await answer.text();
    expect(text).toContain(filledContactForm.goal);
    expect(text).toContain(`${siteUrl}/contact`);
  });

  it.each(["/data-rights/package/file", `/admin/requests/${id}/package`])(
    "is refused at an address without a page: %s",
    async (path) => {
      const { html } = await refuse(path, { format: "html", token: "secret-token" });
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
    ["firm.example", "Origin: null\r\nSec-Fetch-Site: same-origin\r\n", 303],
    // The Origin is ours, so a proxy must have changed the host.
    ["app.firm.example", `Origin: ${siteUrl}\r\n`, 303],
  ])("from Host: %s with %j gets %d", async (host, more, status) => {
    expect(await post(host, more)).toBe(status);
  });
});
