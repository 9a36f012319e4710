import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filledJoinForm, joinAddress, readNetworkLink, tokenOf } from "../../support/network-links";
import { findTags } from "../../support/page-source";
import { type TestSite, startSite } from "../../support/site";
import { type Answer, Visitor, filledContactForm, leadsTo, readText } from "../../support/visitor";

let site: TestSite;
let admin: Visitor;
let members: Map<string, string>;

beforeAll(async () => {
  site = await startSite();
  admin = new Visitor(site.url);
  await admin.signIn();
  for (const [name, email] of [
    ["Noted Nell", "nell@fund.example"],
    ["Removed Rob", "rob@fund.example"],
  ] as const) {
    await admin.post(joinAddress, { ...filledJoinForm, name, email });
    const link = await readNetworkLink(site.dataDir, email);
    await admin.post(link, { token: tokenOf(link), intent: "confirm", shown: "" });
  }
  const { html } = await admin.get("/admin/network");
  const rows = html.matchAll(/href="\/admin\/network\/([\da-f-]{36})[^>]* class="member-row">.*?<bdi>(.*?)<\/bdi>/g);
  members = new Map([...rows].map(([, id = "", name = ""]) => [name, id]));
});
afterAll(() => site?.stop());

const text = "Words of an hour.\nAnd “more” <of> them.";

const entered = {
  name: "Rosalind Franklin",
  email: "rosalind@crystal.example",
  requestType: "access",
  description: text,
  channel: "letter",
  isIdentified: "on",
};

/** Enters a request that came by letter. @returns its path */
async function enterRequest(email: string): Promise<string> {
  const receivedOn = new Date().toISOString().slice(0, 10);
  const saved = await admin.post("/admin/requests/new", { ...entered, email, receivedOn });
  return leadsTo(saved) ?? "";
}

/** Reads the last form of the page: its address and all its fields. */
function readForm({ html }: Answer): { action: string; fields: Record<string, string> } {
  const source = html.split("<form").find((part) => part.includes("</textarea>")) ?? "";
  const inputs = findTags(`<form${source}`, "input", "form");
  const hidden = inputs.filter(({ attributes }) => attributes.type === "hidden");
  const typed = /<textarea[^>]*name="(\w+)"[^>]*>\n?([\s\S]*?)<\/textarea>/.exec(source);
  return {
    action: inputs[0]?.attributes.action ?? "",
    fields: {
      ...Object.fromEntries(hidden.map(({ attributes }) => [attributes.name ?? "", attributes.value ?? ""])),
      [typed?.[1] ?? ""]: (typed?.[2] ?? "").replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
    },
  };
}

describe("a text whose writer's session has ended", () => {
  it.each([
    ["a note on a member", () => `/admin/network/${members.get("Noted Nell")}`, { intent: "noted", seen: "1" }],
    ["a note on a request", () => enterRequest("noted@crystal.example"), { intent: "note", seen: "0" }],
    ["a refusal of a request", () => enterRequest("refused@crystal.example"), { intent: "refuse", seen: "0" }],
  ])("comes back, and is stored from there by a session: %s", async (_, findPath, fields) => {
    const path = await findPath();
    const writer = new Visitor(site.url);
    const refused = await writer.post(path, { ...fields, text });
    expect([refused.status, refused.headers.get("cache-control")]).toEqual([403, "no-store, no-transform"]);
    expect(readText(refused.html)).toContain("Your session has ended.");
    expect(readText(refused.html)).not.toMatch(/crystal\.example|Noted Nell/);
    const form = readForm(refused);
    expect(form).toEqual({ action: path, fields: { ...fields, text } });
    expect((await admin.post(form.action, form.fields)).status).toBe(303);
    expect(readText((await admin.get(path)).html)).toContain("Words of an hour. And “more” <of> them.");
  });

  it("comes back with the whole form of an entered request", async () => {
    const writer = new Visitor(site.url);
    const fields = { ...entered, email: "late@crystal.example", receivedOn: new Date().toISOString().slice(0, 10) };
    const refused = await writer.post("/admin/requests/new", fields);
    expect([refused.status, readText(refused.html)]).toEqual([403, expect.stringContaining("Your session has ended.")]);
    expect(readForm(refused).fields.description).toBe(text);
    for (const value of [entered.name, fields.email, fields.receivedOn]) expect(refused.html).toContain(`"${value}"`);
    expect(leadsTo(await admin.post("/admin/requests/new", fields))).toMatch(/^\/admin\/requests\/[\da-f-]{36}$/);
  });

  it("comes back with name and signature", async () => {
    const writer = new Visitor(site.url);
    const fields = { intent: "save-name", name: "Ada Hale", signature: "Ada Hale\nVital Line" };
    const refused = await writer.post("/admin/account", fields);
    expect([refused.status, readText(refused.html)]).toEqual([403, expect.stringContaining("Your session has ended.")]);
    expect(refused.html).toContain('value="Ada Hale"');
    expect(readForm(refused).fields.signature).toBe(fields.signature);
    expect(leadsTo(await writer.post("/admin/account", { intent: "end-other-sessions" }))).toBe("/login");
  });

  it("leads to sign-in if there is no text to keep", async () => {
    const stranger = new Visitor(site.url);
    const path = `/admin/network/${members.get("Noted Nell")}`;
    expect(leadsTo(await stranger.post(path, { intent: "sendLink" }))).toBe("/login");
    const request = `/admin/requests/${randomUUID()}`;
    expect(leadsTo(await stranger.post(request, { intent: "startWork", seen: "0" }))).toBe("/login");
  });
});

describe("a change to something that a colleague deleted", () => {
  it("returns the note on a removed member", async () => {
    const path = `/admin/network/${members.get("Removed Rob")}`;
    await admin.post(path, { intent: "remove", confirmed: "yes" });
    const late = await admin.post(path, { intent: "noted", seen: "1", text });
    expect([late.status, readText(late.html)]).toEqual([404, expect.stringContaining("It no longer exists.")]);
    expect(late.html).toContain("Words of an hour.\nAnd “more” &lt;of&gt; them.</textarea>");
    expect((await admin.post(path, { intent: "noted", seen: "1", text: "" })).status).toBe(404);
  });

  it("returns the text on a request that is gone", async () => {
    const late = await admin.post(`/admin/requests/${randomUUID()}`, { intent: "note", text });
    expect([late.status, readText(late.html)]).toEqual([404, expect.stringContaining("It no longer exists.")]);
    expect(late.html).toContain("Words of an hour.");
  });

  it("says so on a deleted message's page", async () => {
    await new Visitor(site.url).post("/contact", { ...filledContactForm, email: `${randomUUID()}@harbor.example` });
    const id = /\/admin\/messages\/([0-9a-f-]{36})/.exec((await admin.get("/admin")).html)?.[1] ?? "";
    const path = `/admin/messages/${id}`;
    await admin.post(path, { intent: "delete", id, confirmed: "yes" });
    const changes: Record<string, string>[] = [
      { intent: "mark", state: "done" },
      { intent: "delete", confirmed: "yes" },
    ];
    for (const change of changes) {
      const late = await admin.post(path, { ...change, id });
      expect([late.status, readText(late.html)]).toEqual([
        404,
        expect.stringMatching(/It no longer exists\. Someone may have deleted it.*Go to the messages/),
      ]);
    }
  });
});
