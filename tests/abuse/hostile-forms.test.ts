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
type HostileField = [
  visitor: Visitor,
  path: string,
  field: string,
  fields: Record<string, string>,
  /** returns the text's first part at most */
  isText?: boolean,
];

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
  const [admin, factor, stranger] = [1, 2, 3].map(() => new Visitor(product.url)) as [Visitor, Visitor, Visitor];
  await admin.signIn();
  const find = (path: RegExp) => [...pages.keys()].find((each) => path.test(each)) ?? "";
  const letter = find(/^\/admin\/network\/letters\/[0-9a-f-]{36}$/);
  const request = find(/^\/admin\/requests\/[0-9a-f-]{36}$/);
  const token = "A".repeat(43);
  fields = [
    ...[...pages].flatMap(([path, html]) => listFields(path.split(" ")[0] ?? "", html, admin)),
    // Forms that no page of a quiet site has, and posts of programs.
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
  await setUpSecondFactor(admin);
  await factor.signIn();
  fields.push(...listFields("/login/second-factor", (await factor.get("/login/second-factor")).html, factor));
  fields = [...new Map(fields.map((each) => [`${findRoute(each[1])} ${each[2]}`, each])).values()];
});
afterAll(() => product?.stop());

/** Lists the fields of a page's forms, each with the first value of every other one. */
function listFields(path: string, html: string, visitor: Visitor): HostileField[] {
  return [...html.matchAll(/<form\b[\s\S]*?<\/form>/g)].flatMap(([form]) => {
    const [head] = findTags(form, "form");
    if (head?.attributes.method !== "post") return [];
    const inputs = findTags(form, "input", "textarea", "select", "button").filter(({ attributes }) => attributes.name);
    // The first value of a name is what counts.
    const given = Object.fromEntries(
      inputs.toReversed().map(({ attributes: { name = "", value } }) => [name, value || "x"]),
    );
    const isText = (field: string) =>
      inputs.some(
        ({ name: tag, attributes: { name, type = "text" } }) =>
          name === field && (tag === "textarea" || (tag === "input" && ["text", "email"].includes(type))),
      );
    const { pathname, search } = new URL(head.attributes.action || path, product.url);
    return Object.keys(given).map((field): HostileField => [visitor, pathname + search, field, given, isText(field)]);
  });
}

/** Finds the route of an address. */
function findRoute(path: string): string | undefined {
  const { pathname } = new URL(path, product.url);
  return Object.keys(routes).find((route) => new RegExp(`^/${route.replaceAll(/:\w+/g, "[^/]+")}$`).test(pathname));
}

it("knows every route that takes a post", () => {
  const known = new Set(fields.map(([, path]) => findRoute(path)));
  const unknown = Object.entries(routes).filter(
    ([route, module]) =>
      !known.has(route) &&
      /^export (?:async function|const) action\b/m.test(readFileSync(`app/routes/${module}`, "utf8")),
  );
  expect(unknown).toEqual([]);
});

it.each([
  ["combining marks of two classes", [marks]],
  ["other hostile texts in turn", otherUnits],
])("leaves the site available when every field gets %s", async (_texts, units) => {
  const texts = units.map(fillBody);
  const wrong: string[] = [];
  await expectBystandersServed(product, async () => {
    for (const [index, [visitor, path, field, given, isText]] of fields.entries()) {
      const text = texts[index % texts.length] ?? "";
      // A multipart form takes the fewest bytes for a character.
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...given, [field]: text })) form.append(name, value);
      const { status, html } = await visitor.post(path, form);
      if (status >= 500) wrong.push(`${field} of ${path}: status ${status}`);
      if (isText && html.length > text.length) wrong.push(`${field} of ${path}: a page of ${html.length} characters`);
    }
  });
  expect(wrong).toEqual([]);
});
