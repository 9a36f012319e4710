import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { routes } from "../../app/routes";
import { setUpSecondFactor } from "../routes/support/authenticator";
import { readEveryPage } from "../support/every-page";
import { withDatabaseOf } from "../support/find-text";
import { insertMembers } from "../support/network";
import { findTags } from "../support/page-source";
import { type Product, startProduct } from "../support/product";
import { makeSiteFolder } from "../support/site-folder";
import { Visitor } from "../support/visitor";
import { expectBystandersServed } from "./watch-site";

/** One letter of each hostile text; the largest body repeats it. */
const marks = "\u0345\u0334";
const otherUnits = ["\u200d", "\ufdfa", "🌻", "a", "7", ".", "@", "[<(", "\"'`", " ", "\n"];

/** Bytes left of the largest body for names, other fields and the boundaries of a multipart form. */
const bodyBytes = 256 * 1024 - 8 * 1024;

/** A browser sends a line break as two bytes. */
const fillBody = (unit: string) => unit.repeat(bodyBytes / (unit === "\n" ? 2 : Buffer.byteLength(unit)));

/** A field of a form, with the other fields as the page has them. */
interface HostileField {
  visitor: Visitor;
  path: string;
  field: string;
  fields: Record<string, string>;
  /** a field that returns the text's first part at most */
  isText: boolean;
}

let product: Product;
let fields: HostileField[];

beforeAll(async () => {
  const dataDir = await makeSiteFolder();
  const [mail] = await withDatabaseOf(dataDir, async (sql) => {
    const members = await insertMembers(sql, [{ name: "Noted Nell" }]);
    return sql<{ id: string }>(
      `insert into private.email_outbox (kind, recipient, subject, body, member_id)
       values ('network', 'nell@gone.example', 'S', 'B', $1) returning id`,
      [members.get("Noted Nell")],
    );
  });
  product = await startProduct({}, { dataDir, timeouts: "production" });
  const pages = await readEveryPage(product);
  const [admin, factor] = [new Visitor(product.url), new Visitor(product.url)];
  await admin.signIn();
  const find = (path: RegExp) => [...pages.keys()].find((each) => path.test(each)) ?? "";
  const letter = find(/^\/admin\/network\/letters\/[0-9a-f-]{36}$/);
  const request = find(/^\/admin\/requests\/[0-9a-f-]{36}$/);
  const stranger = new Visitor(product.url);
  const token = "A".repeat(43);
  // Forms that no page of a quiet site has, and posts of programs.
  const others: [visitor: Visitor, path: string, field: string, fields: Record<string, string>][] = [
    [admin, `/admin/mail/${mail?.id}`, "email", { intent: "correct", seen: "0" }],
    [admin, `${letter}/check`, "number", { intent: "send", seen: "1" }],
    [admin, `${request}/package`, "format", {}],
    [admin, "/admin/submissions.csv", "separator", {}],
    [admin, "/admin/network.csv", "separator", {}],
    [stranger, "/data-rights/package/file", "format", { token }],
    [stranger, `/network/mail?token=${token}`, "token", { intent: "stop" }],
    [stranger, `/network/stop?token=${token}`, "List-Unsubscribe", {}],
    [stranger, "/answered", "token", {}],
    [stranger, "/logout", "nothing", {}],
  ];
  fields = [
    ...[...pages].flatMap(([path, html]) => listFields(path.split(" ")[0] ?? "", html, admin)),
    ...others.map(([visitor, path, field, given]) => ({ visitor, path, field, fields: given, isText: false })),
  ];
  await setUpSecondFactor(admin);
  await factor.signIn();
  fields.push(...listFields("/login/second-factor", (await factor.get("/login/second-factor")).html, factor));
  fields = [...new Map(fields.map((each) => [`${findRoute(each.path)} ${each.field}`, each])).values()];
});
afterAll(() => product?.stop());

/** Lists the fields of a page's forms, each with the first value of every other one. */
function listFields(path: string, html: string, visitor: Visitor): HostileField[] {
  return [...html.matchAll(/<form\b[\s\S]*?<\/form>/g)].flatMap(([form]) => {
    const [head] = findTags(form, "form");
    if (head?.attributes.method !== "post") return [];
    const values = new Map<string, string>();
    const texts = new Set<string>();
    for (const { name: tag, attributes } of findTags(form, "input", "textarea", "select", "button")) {
      const { name, type = "text", value } = attributes;
      if (name && !values.has(name)) values.set(name, value || "x");
      if (name && (tag === "textarea" || (tag === "input" && ["text", "email"].includes(type)))) texts.add(name);
    }
    const target = head.attributes.action ? new URL(head.attributes.action, product.url) : null;
    const to = target ? target.pathname + target.search : path;
    const given = Object.fromEntries(values);
    return [...values.keys()].map((field) => ({ visitor, path: to, field, fields: given, isText: texts.has(field) }));
  });
}

/** Finds the route of an address. */
function findRoute(path: string): string | undefined {
  const { pathname } = new URL(path, product.url);
  return Object.keys(routes).find((route) => new RegExp(`^/${route.replaceAll(/:\w+/g, "[^/]+")}$`).test(pathname));
}

it("knows every route that takes a post", () => {
  const posts = Object.entries(routes).filter(([, module]) =>
    /^export (?:async function|const) action\b/m.test(readFileSync(`app/routes/${module}`, "utf8")),
  );
  const known = new Set(fields.map(({ path }) => findRoute(path)));
  expect(posts.map(([route]) => route).filter((route) => !known.has(route))).toEqual([]);
});

it.each([
  ["combining marks of two classes", [marks]],
  ["other hostile texts in turn", otherUnits],
])("leaves the site available when every field gets %s", async (_texts, units) => {
  expect(await expectBystandersServed(product, () => postEverywhere(units))).toEqual([]);
});

/** Posts the largest body in each field, the units in turn. @returns what went wrong */
async function postEverywhere(units: string[]): Promise<string[]> {
  const wrong: string[] = [];
  const texts = units.map(fillBody);
  for (const [index, { visitor, path, field, fields: given, isText }] of fields.entries()) {
    const text = texts[index % texts.length] ?? "";
    // A multipart form takes the fewest bytes for a character.
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...given, [field]: text })) form.append(name, value);
    const { status, html } = await visitor.post(path, form);
    if (status >= 500) wrong.push(`${field} of ${path}: status ${status}`);
    if (isText && html.length > text.length) wrong.push(`${field} of ${path}: a page of ${html.length} characters`);
  }
  return wrong;
}
