import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { readClosedDays, writeClosedDays } from "~/lib/closed-days";
import { builtInCompany } from "~/content/firm/built-in";
import { readFacts } from "~/content/firm/facts-file.server";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "facts-"));
});

/** Reads a file of facts with this content. */
async function read(content: string | Uint8Array, name = "firm.yaml") {
  const file = join(folder, name);
  await writeFile(file, content);
  return readFacts({ SITE_FACTS: file });
}

/** Returns the keys of mistakes. */
const keysOf = (mistakes: readonly string[]) => mistakes.map((line) => line.split(":")[0]).toSorted();

it("returns the built-in firm without any file of facts", () => {
  expect(readFacts({ DATA_DIR: folder })).toMatchObject({ company: builtInCompany, portrait: null, mistakes: [] });
});

it("reads facts.yaml from the data folder unless SITE_FACTS names another file", async () => {
  await writeFile(join(folder, "facts.yaml"), "name: Firm One");
  await writeFile(join(folder, "other.yaml"), "name: Firm Two");
  expect(readFacts({ DATA_DIR: folder, SITE_FACTS: " " }).company.name).toBe("Firm One");
  expect(readFacts({ DATA_DIR: folder, SITE_FACTS: join(folder, "other.yaml") }).company.name).toBe("Firm Two");
});

it("keeps built-in values for facts that the file leaves out", async () => {
  const { company, mistakes } = await read(
    `\uFEFFname: " Firm One "\r\nlinkedin: ""
founder: { name: Person One }
representatives: { europeanUnion: Agent One }
processors: [Host One (hosting)]
replyWithinHours: "48"
process: [One., Two., Three.]
proof: [{ figure: "1", sentence: A., source: B }]
examples: { smallBusiness: ${exampleOf(60)} }
`,
  );
  expect(mistakes).toEqual([]);
  expect(company).toEqual({
    ...builtInCompany,
    name: "Firm One",
    linkedin: "",
    replyWithinHours: 48,
    founder: { ...builtInCompany.founder, name: "Person One" },
    representatives: { europeanUnion: "Agent One", unitedKingdom: "" },
    processors: ["Host One (hosting)"],
    process: ["One.", "Two.", "Three."],
    proof: [{ figure: "1", sentence: "A.", source: "B" }],
    examples: { smallBusiness: { startingPoint: "a ".repeat(58).trim(), work: "b", result: "c" } },
  });
});

it("keeps the built-in firm for the example, an empty file, and a file of comments", async () => {
  const example = await readFile("docs/facts.example.yaml", "utf8");
  for (const content of [example, "", "#".repeat(64 * 1024)])
    expect(await read(content)).toMatchObject({ company: builtInCompany, mistakes: [] });
  const shown = [...example.matchAll(/^ *(?:# )?([a-zA-Z]+): ?/gm)].map(([, key]) => key);
  const { replyDays: _setting, ...factsOfFile } = builtInCompany;
  const known = [...Object.keys(factsOfFile), ...Object.keys(builtInCompany.founder)];
  expect(shown).toEqual(expect.arrayContaining([...known, ...Object.keys(builtInCompany.representatives)]));
});

it("lists all mistakes by key and keeps the built-in firm", async () => {
  const { mistakes, company } = await read(`
name: 2024
nmae: Firm One
tagline:
email: nobody
linkedin: "#"
address: "Line one\\nLine two"
jurisdiction: "{{company.name}}"
arbitrationBody: ${"long ".repeat(30)}
replyWithinHours: a day
founder:
  role: "[Role]"
  linkedin: http://firm.test/in/one
  portrait: missing.jpg
  age: 50
representatives: none
processors: Host One
`);
  const wrong =
    "address arbitrationBody email jurisdiction linkedin name nmae processors replyWithinHours representatives";
  const wrongBelow = "founder.age founder.linkedin founder.portrait founder.role tagline";
  expect(keysOf(mistakes)).toEqual(`${wrong} ${wrongBelow}`.split(" ").toSorted());
  for (const mistake of [
    "name: write the firm’s name, in quotation marks",
    'linkedin: write the https:// address of the firm’s LinkedIn page, or "" where there is none',
    "founder.portrait: there is no such file: name one by its path from the folder of the facts",
    "replyWithinHours: write a whole number of hours from 2 to 240",
    "founder.age: unknown key; known are name, role, linkedin, story, philosophy, portrait",
  ])
    expect(mistakes).toContain(mistake);
  // Mistakes may be shown to others, so they must not quote the file.
  expect(mistakes.join()).not.toMatch(/2024|firm\.test|Host One/);
  expect(company).toEqual(builtInCompany);
});

it("reads closed days, one or a range", async () => {
  const { company } = await read(
    "closed: [{ days: 2026-12-24 to 2027-01-03, reason: A }, { days: 2027-05-31, reason: B }]",
  );
  expect(company.closed).toEqual([
    { from: "2026-12-24", to: "2027-01-03", reason: "A" },
    { from: "2027-05-31", to: "2027-05-31", reason: "B" },
  ]);
  expect(readClosedDays(writeClosedDays(company.closed))).toEqual(company.closed.map(({ from, to }) => ({ from, to })));
});

it.each([
  ["a name that is still a placeholder", "name: '[Name]'", "name"],
  ["a story without a paragraph", "founder: { story: [] }", "founder.story"],
  ["an address with a space", "linkedin: https://firm.test/a b", "linkedin"],
  ["two steps of three", "process: [One., Two.]", "process"],
  ["a step that is still a placeholder", "process: [One., Two., '[Step]']", "process.2"],
  ["a proof without its source", "proof: [{ figure: '2004', sentence: A. }]", "proof.0.source"],
  ["an example for no audience", "examples: { investors: {} }", "examples.investors"],
  [
    "an example without its result",
    "examples: { startups: { startingPoint: A, work: B } }",
    "examples.startups.result",
  ],
  ["an example of 61 words", `examples: { startups: ${exampleOf(61)} }`, "examples.startups"],
  ["a person without a line", "people: [{ name: A, field: B }]", "people.0.line"],
  ["closed days without an end", "closed: [{ days: 2026-12-24 to, reason: A }]", "closed.0.days"],
  ["32 closed days", "closed: [{ days: 2026-12-01 to 2027-01-01, reason: A }]", "closed.0.days"],
  ["closed days that end first", "closed: [{ days: 2026-12-24 to 2026-12-23, reason: A }]", "closed.0.days"],
  ["a day that no calendar has", "closed: [{ days: 2027-02-29, reason: A }]", "closed.0.days"],
  ["closed days without a reason", "closed: [{ days: 2026-12-24 }]", "closed.0.reason"],
  ["a client without consent", "clients: [{ name: A }]", "clients.0.agreed"],
  ["a promise below the allowed range", "replyWithinHours: 1", "replyWithinHours"],
  ["a control character", 'name: "Firm\\u0007"', "name"],
  ["a duplicate key", "name: Firm One\nname: Firm Two", "it is no valid YAML"],
  ["a list instead of keys", "- name", "a file of facts has one “key"],
  ["a second document", "name: Firm One\n---\nname: Firm Two", "it is no valid YAML"],
  ["an alias", "name: &one Firm One\ntagline: *one", "it has aliases (*)"],
  ["brackets that overflow the parser's stack", "{".repeat(60_000), "it has too many levels"],
  ["keys that overflow the parser's stack", "? ".repeat(30_000), "it has too many levels"],
  ["a byte over 64 kB", "#".repeat(64 * 1024 + 1), "it is too large"],
])("rejects %s, on one line", async (_case, content, key) => {
  const { mistakes } = await read(content);
  expect(keysOf(mistakes)).toEqual([key]);
  expect(mistakes.join()).not.toContain("\n");
});

it("rejects a binary file, a folder and a missing file", async () => {
  expect((await read(new Uint8Array([0xff, 0xfe, 0x6e, 0x00]))).mistakes).toEqual([
    "it is no text in UTF-8: save it as that",
  ]);
  expect(readFacts({ SITE_FACTS: join(folder, "nowhere.yaml") }).mistakes).toEqual(["there is no such file"]);
  expect(readFacts({ SITE_FACTS: folder }).mistakes).toEqual(["this is no file: name the YAML file itself"]);
  await mkdir(join(folder, "facts.yaml"));
  expect(readFacts({ DATA_DIR: folder }).mistakes).toHaveLength(1);
});

it.each([
  ["jpeg", `\xff\xd8\xff${"x".repeat(150 * 1024 - 11)}`],
  ["png", "\x89PNG\r\n\x1a\n"],
  ["webp", "RIFF\x01\n\x00\x00WEBPVP8 "],
  ["avif", "\0\0\0\x1cftypavif\0\0\0\0"],
  ["avif", "\0\0\0\x1cftypmif1\0\0\0\0mif1avif"],
])("detects a %s portrait by its first bytes and derives its address from the content", async (kind, start) => {
  const bytes = Buffer.from(`${start}and more`, "latin1");
  await writeFile(join(folder, "portrait.txt"), bytes);
  const one = await read("founder: { portrait: portrait.txt }");
  expect(one.mistakes).toEqual([]);
  expect(one.portrait?.type).toBe(`image/${kind}`);
  expect(Buffer.from(one.portrait?.bytes ?? [])).toEqual(bytes);
  expect(one.company.founder.portrait).toMatch(new RegExp(`^/portrait/[0-9a-f]{16}\\.${kind}$`));
  await writeFile(join(folder, "portrait.txt"), Buffer.concat([bytes, bytes]));
  expect((await read("founder: { portrait: portrait.txt }")).company.founder.portrait).not.toBe(
    one.company.founder.portrait,
  );
});

it.each([
  ["an SVG drawing, which can contain scripts", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
  ["an HTML file with the name of a picture", "<!doctype html>"],
  ["an empty file", ""],
  ["a picture of a byte over 300 kB", `\xff\xd8\xff${"x".repeat(300 * 1024 - 2)}`],
])("rejects %s as a portrait", async (_case, content) => {
  await writeFile(join(folder, "portrait.jpg"), Buffer.from(content, "latin1"));
  const { mistakes, portrait } = await read("founder: { portrait: portrait.jpg }");
  expect(keysOf(mistakes)).toEqual(["founder.portrait"]);
  expect(portrait).toBeNull();
});

/** Writes an example with this number of words. */
function exampleOf(words: number): string {
  return `{ startingPoint: ${"a ".repeat(words - 2)}, work: b, result: c }`;
}
