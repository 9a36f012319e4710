import { afterAll, beforeAll, expect, it } from "vitest";
import { filledDataRightsForm, readRequestLinks } from "../../support/data-rights";
import { withDatabaseOf } from "../../support/find-text";
import { findTag } from "../../support/page-source";
import { startSite, type TestSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, readText } from "../../support/visitor";

const email = "member@rights.example";
let site: TestSite;
let admin: Visitor;
/** path of the page of a request that allows every action */
let address: string;

beforeAll(async () => {
  const dataDir = await makeSiteFolder();
  await withDatabaseOf(dataDir, (sql) =>
    sql(
      `insert into public.network_members
         (email, name, company, kind, fields, state, confirmed_at, renewed_at, consent_text_hash, consent_policy_version)
       values ($1, 'Ada Member', 'Lovelace Ventures', 'family-office', '{ai}', 'confirmed', now(), now(), repeat('c', 64), '1.0')
       returning 1 as ok`,
      [email],
    ),
  );
  site = await startSite({}, { dataDir });
  admin = new Visitor(site.url);
  await admin.signIn();
  address = await openRequest();
});
afterAll(() => site?.stop());

/** Opens a confirmed request of the member. @returns path of its page */
async function openRequest(): Promise<string> {
  const visitor = new Visitor(site.url);
  await visitor.post("/data-rights", { ...filledDataRightsForm, requestType: "other", email });
  const { confirm, reference } = await readRequestLinks(site.dataDir, email);
  const token = new URL(confirm, site.url).searchParams.get("token") ?? "";
  expect((await visitor.post("/data-rights/confirm", { token })).status).toBe(303);
  const { html } = await admin.get("/admin/requests?filter=open");
  const row = new RegExp(`href="(/admin/requests/[0-9a-f-]{36})"[^>]*>(?:(?!</a>).)*${reference}<`).exec(html);
  return row?.[1] ?? "";
}

it("corrects the membership of a person who wrote no message, and names their choices in the download", async () => {
  const { html } = await admin.get(address);
  expect(readText(html)).toContain("Membership in the investor network");
  const id = /id="correct-([0-9a-f-]{36})-place"/.exec(html)?.[1] ?? "";
  const correct = (field: string, text: string) =>
    admin.post(address, { intent: "correctMembership", submission: id, field, text, seen: "0" });
  for (const [field, typed, mistake] of [
    ["place", " ", "Enter the corrected text"],
    ["name", "x".repeat(101), "Shorten the corrected text by 1 character."],
    ["email", "other@a.example", "Something is missing or too long."],
  ] as const) {
    const refused = await correct(field, typed);
    expect([field, refused.status]).toEqual([field, 400]);
    expect(readText(refused.html)).toContain(mistake);
  }
  const long = await correct("name", "x".repeat(101));
  expect(findTag(long.html, "input", { id: `correct-${id}-name` })?.attributes.value).toBe("x".repeat(101));
  expect(findTag(long.html, "input", { id: `correct-${id}-company` })?.attributes.value).toBe("Lovelace Ventures");
  expect((await correct("place", "  Ver\r\nmont ")).status).toBe(303);
  const text = readText((await admin.get(address)).html);
  expect(text).toMatch(/place of the membership\. Salted SHA-256 of the old text: [0-9a-f]{96}/);
  // The page that was open shows the version before.
  expect((await correct("company", "Other")).status).toBe(409);

  const page = await admin.post(`${address}/package`, { format: "html" });
  const words = readText(page.html);
  for (const expected of [
    "Family office",
    "Clinical and administrative AI",
    "Ver mont",
    "Your place in the investor network",
  ])
    expect(words).toContain(expected);
  expect(page.html).not.toContain("family-office");
});

it("names the membership before an erasure", async () => {
  const { html } = await admin.get(address);
  expect(readText(html)).toMatch(/This will be deleted: .*1 membership in the investor network/);
});
