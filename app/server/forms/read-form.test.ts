import { expect, it } from "vitest";
import { contactFields } from "#supabase/functions/_shared/contact-fields";
import { maxFormBytes, readForm } from "./read-form.server";

const urlEncoded = "application/x-www-form-urlencoded";
const part = (name: string, value: string, more = "") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
/** Decomposed Korean, percent-encoded, takes 27 bytes a character. */
const longestMessage = "한".normalize("NFD").repeat(contactFields.message.limit);
const tooLarge = `a=${"x".repeat(256 * 1024 - 1)}`;
const pairs = (count: number) => "a=1&".repeat(count);

const latin1 = Buffer.from(`${part("a", "Zoë")}--b--`, "latin1");

type Fields = Record<string, string>;

const cases: [string, string, string | Buffer<ArrayBuffer>, number | Fields][] = [
  ["fields", urlEncoded, "name=Ada+L&b-2=%C3%A9", { name: "Ada L", "b-2": "é" }],
  [
    "parts without their files",
    "multipart/form-data; boundary=b",
    `${part("a", "1")}${part("f", "x", '; filename="f"')}--b--`,
    { a: "1" },
  ],
  ["a type in capitals with a charset", "Application/X-WWW-Form-Urlencoded; charset=utf-8", "a=1", { a: "1" }],
  ["a doubly encoded text once", urlEncoded, "a=%2541", { a: "%41" }],
  ["only names that our forms could have", urlEncoded, "a[0]=1&__intent__=2&toString=3&1a=4&=5&ok=6", { ok: "6" }],
  [
    "the longest message",
    urlEncoded,
    new URLSearchParams({ message: longestMessage }).toString(),
    { message: longestMessage },
  ],
  ["a body of 256 kB", urlEncoded, tooLarge.slice(0, -1), { a: tooLarge.slice(2, -1) }],
  ["a larger body", urlEncoded, tooLarge, 413],
  ["fifty fields", urlEncoded, pairs(50), { a: "1" }],
  ["more fields", urlEncoded, pairs(51), 400],
  ["more parts", "multipart/form-data; boundary=b", `${part("a", "1").repeat(51)}--b--`, 400],
  ["parts without an end", "multipart/form-data; boundary=b", part("a", "1"), 400],
  ["letters in the encoding of the type", `${urlEncoded}; charset=windows-1252`, "a=Zo%EB", { a: "Zoë" }],
  ["letters in the encoding of the field", urlEncoded, "_charset_=windows-1252&a=Zo%EB", { a: "Zoë" }],
  ["parts in the encoding of the type", "multipart/form-data; charset=iso-8859-1; boundary=b", latin1, { a: "Zoë" }],
  ["letters without percents", urlEncoded, "a=Zoë", { a: "Zoë" }],
  ["letters that are not UTF-8", urlEncoded, "a=%ff", 400],
  ["letters that are not the UTF-8 of the type", `${urlEncoded}; charset=utf-8`, "a=%ff", 400],
  ["letters in an unknown encoding", `${urlEncoded}; charset=martian`, "a=%ff", 400],
  ["parts that are not UTF-8", "multipart/form-data; boundary=b", latin1, 400],
  ["JSON", "application/json", "{}", 415],
  ["a body without a type", "", "a=1", 415],
  ["nothing without a type", "", "", {}],
];

for (const server of ["our server", "stock remix-serve"]) {
  it.each(cases)(`reads a post on ${server}: %s`, async (_case, type, text, expected) => {
    const body = typeof text === "string" ? Buffer.from(text) : text;
    const headers = { "Content-Length": String(body.length), ...(type === "" ? {} : { "Content-Type": type }) };
    const request = new Request("http://site/contact", { method: "POST", headers, body });
    if (type === "") request.headers.delete("Content-Type");
    // Our server has read the body already, and keeps at most what a form may have.
    const context = server === "our server" ? { body: body.subarray(0, maxFormBytes) } : {};
    const result = await readForm(request, context).then(
      (form) => Object.fromEntries(form),
      (refusal: Response) => refusal.status,
    );
    expect(result).toEqual(expected);
  });
}
