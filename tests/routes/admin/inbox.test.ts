import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

let product: TestSite;
let admin: Visitor;

beforeAll(async () => {
  product = await startSite();
  for (let number = 1; number <= 27; number++) await write({ name: `Writer ${number}`, email: `w${number}@a.example` });
  const formula = { name: "=HYPERLINK(1)", company: "Harbor;=1+1", message: 'Says "hello",\nand more' };
  await write({ ...formula, email: "formula@a.example" });
  await write({ name: "Trapped", email: "trapped@a.example", honeypot: "x" });
  admin = new Visitor(product.url);
  await admin.signIn();
});
afterAll(async () => {
  await product.stop();
});

async function write(fields: Partial<typeof filledContactForm>) {
  const { status } = await new Visitor(product.url).post("/contact", { ...filledContactForm, ...fields });
  expect(status).toBe(303);
}

const nameOf = (html: string) => [...html.matchAll(/<h3 id="submission[^>]*>([^<]*)<\/h3>/g)].map(([, name]) => name);
const idOf = (html: string, name: string) =>
  new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>${name}</h3>`).exec(html)?.[1] ?? "";

describe("the list", () => {
  it("shows 25 at once and leads on by place, back again, and nothing twice", async () => {
    const first = await admin.get("/admin");
    const next = /href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toMatch(/^\/admin\?filter=all&page=next\.[\w.-]+$/);
    const second = await admin.get(next);
    const names = [...nameOf(first.html), ...nameOf(second.html)];
    expect(names).toHaveLength(29);
    expect(new Set(names).size).toBe(29);
    const back = /href="([^"]+)" rel="prev"/.exec(second.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(nameOf((await admin.get(back)).html)).toEqual(nameOf(first.html));
  });

  it("takes an address that names no filter or no place for the beginning", async () => {
    expect((await admin.get("/admin?filter=nonsense")).status).toBe(200);
    expect((await admin.get("/admin?filter=all&page=nonsense")).status).toBe(200);
  });

  it("searches in every text, and keeps the words out of every address", async () => {
    const answer = await admin.post("/admin?filter=all", { intent: "search", search: "W13@A.example" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/admin?filter=all");
    const found = await admin.get("/admin?filter=all");
    expect(nameOf(found.html)).toEqual(["Writer 13"]);
    expect(readText(found.html)).toContain("Showing results for “W13@A.example”.");
    expect(found.html).not.toMatch(/(?:href|action)="\/[^"]*W13/i);
    await admin.post("/admin", { intent: "search", search: "not to be found" });
    expect(readText((await admin.get("/admin")).html)).toContain("No results.");
    await admin.post("/admin", { intent: "search", search: "" });
    expect(nameOf((await admin.get("/admin")).html)).toHaveLength(25);
  });
});

describe("a message", () => {
  it("is marked, found in its filter, and deleted for good", async () => {
    const { html } = await admin.get("/admin?filter=new");
    const id = idOf(html, "Writer 20");
    const marked = await admin.postAndFollow("/admin?filter=new", { intent: "mark", id, state: "done" });
    expect(readText(marked.html)).toContain("The message has been updated.");
    expect(nameOf((await admin.get("/admin?filter=done")).html)).toEqual(["Writer 20"]);
    await admin.postAndFollow("/admin?filter=done", { intent: "delete", id });
    expect(readText((await admin.get("/admin?filter=done")).html)).toContain("Nothing here.");
    const again = await admin.post("/admin", { intent: "delete", id });
    expect(again.status).toBe(404);
    expect(readText(again.html)).toContain("It no longer exists.");
  });

  it("is restored from quarantine, once", async () => {
    const id = idOf((await admin.get("/admin?filter=quarantined")).html, "Trapped");
    expect((await admin.post("/admin", { intent: "mark", id, state: "done" })).status).toBe(409);
    expect((await admin.post("/admin", { intent: "restore", id })).status).toBe(303);
    expect(nameOf((await admin.get("/admin?filter=new")).html)).toContain("Trapped");
    expect((await admin.post("/admin", { intent: "restore", id })).status).toBe(409);
  });

  it.each<Record<string, string>>([
    { intent: "mark", id: "no-uuid", state: "done" },
    { intent: "mark", id: "00000000-0000-4000-8000-000000000000", state: "nonsense" },
    { intent: "nonsense" },
    {},
  ])("is not changed by a form that makes no sense: %o", async (form) => {
    expect((await admin.post("/admin", form)).status).toBe(400);
  });
});

describe("the file", () => {
  it("holds the open filter as CSV that no spreadsheet runs", async () => {
    const { headers, html: csv } = await admin.get("/admin/submissions.csv?filter=new");
    expect(headers.get("content-type")).toContain("text/csv");
    expect(headers.get("content-disposition")).toBe('attachment; filename="submissions-new.csv"');
    expect(headers.get("cache-control")).toBe("no-store");
    const lines = csv.split("\r\n");
    expect(lines[0]?.replace("\uFEFF", "")).toBe(
      '"Received","Name","Email","Company","Business stage","Goal","Message","IP address","State","Held back","Reference"',
    );
    expect(lines.at(-1)).toBe("");
    expect(csv).toContain(`,"'=HYPERLINK(1)","formula@a.example","Harbor;'=1+1",`);
    expect(csv).toContain('"Says ""hello"",\nand more"');
  });

  it("holds only what is searched for", async () => {
    await admin.post("/admin", { intent: "search", search: "w7@a.example" });
    const { html: csv } = await admin.get("/admin/submissions.csv");
    await admin.post("/admin", { intent: "search", search: "" });
    expect(csv).toContain("Writer 7");
    expect(csv).not.toContain("Writer 8");
  });
});

it("gives nothing to anybody else", async () => {
  const stranger = new Visitor(product.url);
  for (const path of [
    "/admin/submissions.csv",
    "/admin/requests",
    "/admin/requests/00000000-0000-4000-8000-000000000000",
  ]) {
    const { status, headers } = await stranger.get(path);
    expect(status, path).toBe(303);
    expect(headers.get("location"), path).toBe("/login");
    expect((await admin.post(path, {}, { Origin: "https://evil.example" })).status, path).toBeGreaterThanOrEqual(403);
  }
  const download = "/admin/requests/00000000-0000-4000-8000-000000000000/package";
  expect((await stranger.post(download, { format: "json" })).headers.get("location")).toBe("/login");
  expect((await admin.post(download, { format: "json" })).status).toBe(404);
  expect((await admin.post(download, { format: "exe" })).status).toBe(400);
  expect((await admin.get("/admin/requests/00000000-0000-4000-8000-000000000000")).status).toBe(404);
  expect((await admin.get("/admin/requests/nonsense")).status).toBe(404);
});
