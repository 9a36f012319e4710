import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseEnv } from "../../bin/parse-env.mjs";

const valuesOf = (text: string) =>
  Object.fromEntries([...parseEnv(text).settings].map(([name, { value }]) => [name, value]));

it.each([
  ["Windows line ends", "A=x\r\n\r\n# c\r\nB=y", { A: "x", B: "y" }],
  ["an old Mac's line ends", "A=x\rB=y\r", { A: "x", B: "y" }],
  ["a shell's export", "export A=x\nexport\tB='y z'", { A: "x", B: "y z" }],
  ["spaces, including invisible ones from copied text", " A = x \t\n\u00a0B\u00a0=\u00a0y\u200b", { A: "x", B: "y" }],
  [
    "a # in a value, and a comment after a space",
    "A=x#z\nB=y # c\nC=#c\nD='x # y' # c",
    { A: "x#z", B: "y", C: "", D: "x # y" },
  ],
  [
    "quotation marks of each kind, and ones inside a value",
    "A=\"it's\"\nB='\"'\nC=`\"'`\nD=it's",
    { A: "it's", B: '"', C: "\"'", D: "it's" },
  ],
  ["spaces inside quotation marks", "A=' x '", { A: " x " }],
  ["an escaped line break, as Node.js does", "A=\"x\\ny\"\nB='x\\ny'", { A: "x\ny", B: "x\\ny" }],
  ["$ and \\ literally", "A=$B\\\nB=y$$", { A: "$B\\", B: "y$$" }],
  ["a value above or below an empty one of the same name", "A=x\nA=\nB=\nB=y", { A: "x", B: "y" }],
])("reads %s", (_what, text, expected) => {
  expect(parseEnv(text).mistakes).toEqual([]);
  expect(valuesOf(text)).toEqual(expected);
});

it.each([
  ["A=1\nsecret-1", /^line 2 has no =: write NAME=value/],
  ["secret-1=", /^line 1 does not start with a name/],
  ["SITE\u200b_URL=secret-1", /^line 1 contains an invisible character \(U\+200B\): retype the line/],
  ["\u0405ITE_URL=secret-1", /^line 1 has a character before the = that only looks right \(U\+0405\)/],
  ["SMTP_PASSWORD=secret #1", /^line 1 \(SMTP_PASSWORD\) has a # after a space: put the value between quotation marks/],
  ["SMTP_PASSWORD=#secret", /^line 1 \(SMTP_PASSWORD\) has a # after a space/],
  ["A='secret-1", /^line 1 \(A\) has an opening quotation mark without a closing one: add it .* on the same line/],
  ['A="secret-1 # the\n# operator\'s "own"', /^line 1 \(A\) has an opening quotation mark/],
  ['A="secret"-1"', /^line 1 \(A\) continues after its closing quotation mark/],
  ["A=“secret-1”", /^line 1 \(A\) begins with a typographic quotation mark/],
  ["A=secret\u200b-1", /^line 1 \(A\) contains an invisible character \(U\+200B\)/],
  ["A=secret\0-1", /^line 1 \(A\) contains an invisible character \(U\+0000\)/],
  ["A=secret\ufffd-1", /^line 1 \(A\) has a character that is not UTF-8/],
  ["A=secret-1\n\nA=secret-2", /^line 3 \(A\) has a different value on line 1/],
  ["secretKeyOf32Bytes=“", /^line 1 begins with a typographic/],
])("reports the line of %j without its value", (text, expected) => {
  const { mistakes } = parseEnv(text);
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]).toMatch(expected);
  expect(mistakes[0]).not.toContain("secret");
});

it("lists every mistake, and reads the lines around it", () => {
  const { settings, mistakes } = parseEnv('A="1\nB=2\nC\n\nD=4');
  expect(mistakes.map((mistake) => mistake.slice(0, 6))).toEqual(["line 1", "line 3"]);
  expect(Object.fromEntries(settings)).toEqual({ B: { value: "2", line: 2 }, D: { value: "4", line: 5 } });
});

it("reads a copy of .env.example, which sets nothing", () => {
  const { settings, mistakes } = parseEnv(readFileSync(".env.example", "utf8"));
  expect(mistakes).toEqual([]);
  expect([...settings.values()].map(({ value }) => value).join("")).toBe("");
  expect(settings.has("SITE_URL")).toBe(true);
});
