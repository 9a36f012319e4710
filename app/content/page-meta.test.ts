import { expect, it } from "vitest";
import { company } from "./company";
import { linkMetaFor, metaFor, unlistedMetaFor } from "./page-meta";

const siteUrl = "https://firm.example";
const page = { path: "/value", title: "Value", description: "Better care." };
const problems = { 404: { title: "This link no longer works", text: "Ask for another." } };

type Meta = ReturnType<typeof metaFor>;

/** Calls a `meta` export as Remix does, with the root loader's data. */
function read(meta: Meta, root: unknown = { siteUrl }, error?: unknown) {
  const args = { matches: [{ id: "root", data: root }], error } as unknown as Parameters<Meta>[0];
  return meta(args) as Record<string, unknown>[];
}

const readTitle = (...args: Parameters<typeof read>) => read(...args)[0]?.title;
/** An error as React Router hands it on. */
const refuse = (status: number) => ({ status, statusText: "", internal: false, data: null });

it.each<[string, string, Meta, unknown, unknown?]>([
  ["a page", "Value", metaFor(page), { siteUrl }],
  ["a page with mistakes", "Error: Value", metaFor(page), { siteUrl, hasMistakes: true }],
  ["a page without the root's data", "Value", metaFor(page), null],
  ["an unlisted page", "Value", unlistedMetaFor(page), { siteUrl }],
  ["an unlisted page with mistakes", "Error: Value", unlistedMetaFor(page), { siteUrl, hasMistakes: true }],
  ["a link's page", "Value", linkMetaFor(problems, page), { siteUrl }],
  ["a link's page with mistakes", "Error: Value", linkMetaFor(problems, page), { siteUrl, hasMistakes: true }],
  ["a link that ended", "This link no longer works", linkMetaFor(problems, page), { siteUrl }, refuse(404)],
  ["a link at another error", "Something went wrong on our side", linkMetaFor(problems, page), {}, new Error()],
])("titles %s “%s”", (_case, title, meta, root, error) => {
  expect(readTitle(meta, root, error)).toBe(`${title} | ${company.name}`);
});

it("lets search engines index and share a page at SITE_URL, and no unlisted one", () => {
  const listed = read(metaFor(page));
  expect(listed).toContainEqual({ tagName: "link", rel: "canonical", href: `${siteUrl}/value` });
  expect(listed).toContainEqual({ property: "og:url", content: `${siteUrl}/value` });
  expect(listed).toContainEqual({ property: "og:image", content: `${siteUrl}/share/value.png` });
  expect(listed).not.toContainEqual(expect.objectContaining({ name: "robots" }));
  expect(read(unlistedMetaFor(page)).slice(1)).toEqual([
    { name: "description", content: page.description },
    { name: "robots", content: "noindex" },
  ]);
  expect(read(metaFor(page), null).slice(1)).toEqual([{ name: "description", content: page.description }]);
});

it.each([
  ["site", ["Organization", "WebSite"]],
  ["service", ["Service", "Organization", "BreadcrumbList"]],
  // The built-in firm names no founder, so no person is described.
  ["founder", ["Organization", "BreadcrumbList"]],
  ["page", ["BreadcrumbList"]],
] as const)("describes the subject %s to search engines as %j, without placeholders", (subject, types) => {
  const [document] = read(metaFor(page, subject)).flatMap((entry) => entry["script:ld+json"] ?? []);
  const things = (document as { "@graph": Record<string, { "@id": string }>[] })["@graph"];
  expect(things.map((thing) => thing["@type"])).toEqual(types);
  const referred = things.flatMap(({ provider, publisher }) =>
    [provider, publisher].flatMap((to) => to?.["@id"] ?? []),
  );
  expect(things.map((thing) => thing["@id"])).toEqual(expect.arrayContaining(referred));
  for (const missing of [company.founder.name, company.email]) expect(JSON.stringify(document)).not.toContain(missing);
});
