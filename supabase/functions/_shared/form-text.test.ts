import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { emailAddress, line, optionalLine, paragraphs } from "./form-text.ts";

const schema = z.object({
  name: line("your name", 100),
  email: emailAddress(255),
  message: paragraphs("your message", 5_000),
  source: optionalLine("your source", 10),
});
const filled = { name: "Ada", email: "ada@example.com", message: "Hello", source: "" };

function findErrors(changes: object) {
  const result = schema.safeParse({ ...filled, ...changes });
  return result.success ? null : z.flattenError(result.error).fieldErrors;
}
const parse = (changes: object) => schema.parse({ ...filled, ...changes });

describe("texts of a form", () => {
  it("are missing if they are blank or of another type", () => {
    expect(findErrors({ name: " \n\t\u0000 " })).toEqual({ name: ["Enter your name"] });
    for (const wrong of [undefined, null, 7, true, ["a"], { a: 1 }]) {
      expect(findErrors({ name: wrong, email: wrong, message: wrong })).toEqual({
        name: ["Enter your name"],
        email: ["Enter your email address"],
        message: ["Enter your message"],
      });
    }
  });

  it("say by how many characters they are too long, up to a text that no form keeps", () => {
    expect(findErrors({ name: "a".repeat(100), message: "a".repeat(5_000), source: "a".repeat(10) })).toBeNull();
    expect(findErrors({ name: "a".repeat(101), message: "a".repeat(7_104), source: "a".repeat(13) })).toEqual({
      name: ["Shorten your name by 1 character."],
      message: ["Shorten your message by 2,104 characters."],
      source: ["Shorten your source by 3 characters."],
    });
  });

  it.each([
    ["Chinese", "字"],
    ["emoji, which are two units of UTF-16", "🌻"],
    ["Korean that was typed in parts", "각".normalize("NFD")],
  ])("count %s as the database does", (_script, letter) => {
    expect(findErrors({ message: letter.repeat(5_000) })).toBeNull();
    expect(findErrors({ message: letter.repeat(5_100) })).toEqual({
      message: ["Shorten your message by 100 characters."],
    });
  });

  it("count a line break once in every encoding that browsers send", () => {
    expect(findErrors({ message: "a\r\n".repeat(2_500) })).toBeNull();
  });

  it("hold no line break in a line, which could end a mail header, and one kind in paragraphs", () => {
    expect(parse({ name: "Ada\r\nBcc: x@y.example\u2028\u0085\u0000\u001bL" }).name).toBe("Ada Bcc: x@y.example L");
    const { message } = parse({ message: "one\r\ntwo\rthree\tfour\u0000\u0007 \n\n" });
    expect(message).toBe("one\ntwo\nthree\tfour");
  });

  it.each([
    ["an override of direction", "Ada \u202egpj.exe\u202c", "Ada gpj.exe"],
    ["embeddings and isolates", "\u202aA\u202bd\u202da\u2066 \u2067L\u2068.\u2069", "Ada L."],
    ["marks of direction", "A\u200ed\u200fa\u061c", "Ada"],
    ["a soft hyphen and zero-width spaces", "A\u00add\u200ba\u2060 \ufeffL", "Ada L"],
    ["tags", "Ada\u{e0041}\u{e007f}", "Ada"],
    ["joiners in Latin, at the start, behind a space, or doubled", "\u200dA\u200cda \u200dL\u200c\u200d", "Ada L"],
  ])("lose invisible characters of a line: %s", (_kind, typed, kept) => {
    expect(parse({ name: typed }).name).toBe(kept);
    expect(findErrors({ name: typed.replaceAll(/[A-Za-z. ]/g, "") })).toEqual({ name: ["Enter your name"] });
  });

  it.each([
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "\u0d05\u0d28\u0d4d\u200d",
    "\u{1f469}\u200d\u2695\ufe0f Ada",
  ])("keep the joiners that spell a name: %s", (name) => {
    expect(parse({ name: ` ${name} ` }).name).toBe(name);
  });

  it("have no lone surrogate, which PostgreSQL would reject", () => {
    expect(parse({ name: "Ada \ud83d" }).name).toBe("Ada \ufffd");
  });

  it("give browsers no maxlength, which would cut pasted text and counts other units", () => {
    const required = { required: true };
    expect(getZodConstraint(schema)).toEqual({
      name: required,
      email: required,
      message: required,
      source: { required: false },
    });
  });

  it("come from a posted form", () => {
    const form = new FormData();
    for (const [field, value] of Object.entries({ ...filled, source: "  a \r\n friend " })) form.set(field, value);
    expect(parseWithZod(form, { schema })).toMatchObject({ status: "success", value: { source: "a friend" } });
    form.set("name", "");
    form.delete("source");
    expect(parseWithZod(form, { schema }).reply().error).toEqual({ name: ["Enter your name"] });
  });
});

describe("an email address of a form", () => {
  it.each([["plain"], ["a@"], ["@b.example"], ["a b@c.example"]])("is refused with one message: %j", (email) => {
    expect(findErrors({ email })).toEqual({
      email: ["Enter an email address in the correct format, like name@example.com"],
    });
  });

  it("is stored as it is meant, in its own case and up to its limit", () => {
    expect(parse({ email: "  Ada.L+x@Example.COM " }).email).toBe("Ada.L+x@Example.COM");
    expect(parse({ email: "\u200bada@ex\u00adample.com\u200e" }).email).toBe("ada@example.com");
    const longest = `${"a".repeat(63)}@${`${"b".repeat(62)}.`.repeat(3)}cc`;
    expect(findErrors({ email: longest.padStart(255, "a") })).toBeNull();
    expect(findErrors({ email: longest.padStart(259, "a") })).toEqual({
      email: ["Shorten your email address by 4 characters."],
    });
  });
});
