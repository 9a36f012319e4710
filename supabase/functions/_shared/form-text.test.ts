import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { addressMistakes } from "./email-address.ts";
import { emailAddress, line, optionalLine, paragraphs } from "./form-text.ts";
import { contactFieldList } from "./contact-fields.ts";
import { contactMessageSchema } from "./contact-message.ts";
import { dataRightsFormTypes, dataRightsLimits as limits, dataRightsRequestSchema } from "./data-rights-request.ts";

const textSchema = z.object({
  name: line("your name", 100),
  email: emailAddress(255),
  message: paragraphs("your message", 5_000),
  source: optionalLine("your source", 10),
});
const texts = { name: "Ada", email: "ada@example.com", message: "Hello", source: "" };

const findMistakes = (changes: object) => findErrors(textSchema, { ...texts, ...changes });
const parse = (changes: object) => textSchema.parse({ ...texts, ...changes });

describe("texts of a form", () => {
  it("are missing if they are blank or of another type", () => {
    expect(findMistakes({ name: " \n\t\u0000 " })).toEqual({ name: ["Enter your name"] });
    for (const wrong of [undefined, null, 7, true, ["a"], { a: 1 }]) {
      expect(findMistakes({ name: wrong, email: wrong, message: wrong })).toEqual({
        name: ["Enter your name"],
        email: ["Enter your email address"],
        message: ["Enter your message"],
      });
    }
  });

  it("say by how many characters they are too long, up to a text that no form keeps", () => {
    expect(findMistakes({ name: "a".repeat(100), message: "a".repeat(5_000), source: "a".repeat(10) })).toBeNull();
    expect(findMistakes({ name: "a".repeat(101), message: "a".repeat(7_104), source: "a".repeat(13) })).toEqual({
      name: ["Shorten your name by 1 character."],
      message: ["Shorten your message by 2,104 characters."],
      source: ["Shorten your source by 3 characters."],
    });
  });

  it.each([
    ["emoji, which are two units of UTF-16", "🌻"],
    ["Korean that was typed in parts", "각".normalize("NFD")],
  ])("count %s as the database does", (_script, letter) => {
    expect(findMistakes({ message: letter.repeat(5_000) })).toBeNull();
    expect(findMistakes({ message: letter.repeat(5_100) })).toEqual({
      message: ["Shorten your message by 100 characters."],
    });
  });

  it("count a line break once in every encoding that browsers send", () => {
    expect(findMistakes({ message: "a\r\n".repeat(2_500) })).toBeNull();
  });

  it("hold no line break in a line, which could end a mail header, and one kind in paragraphs", () => {
    expect(parse({ name: "Ada\r\nBcc: x@y.example\u2028\u0085\u0000\u001bL" }).name).toBe("Ada Bcc: x@y.example L");
    const { message } = parse({ message: "one\r\ntwo\rthree\tfour\u0000\u0007 \n\n" });
    expect(message).toBe("one\ntwo\nthree\tfour");
  });

  it("give browsers no maxlength, which would cut pasted text and counts other units", () => {
    const required = { required: true };
    expect(getZodConstraint(textSchema)).toEqual({
      name: required,
      email: required,
      message: required,
      source: { required: false },
    });
  });

  it("are missing if a posted form has them empty, unless they are optional", () => {
    const form = new FormData();
    for (const [field, value] of Object.entries({ ...texts, name: "" })) form.set(field, value);
    form.delete("source");
    expect(parseWithZod(form, { schema: textSchema }).reply().error).toEqual({ name: ["Enter your name"] });
  });
});

it("takes an email address as it is meant, up to its limit, and says what is wrong with another", () => {
  expect(parse({ email: "\u200bada@ex\u00adample.com\u200e" }).email).toBe("ada@example.com");
  const longest = `${"a".repeat(63)}@${`${"b".repeat(62)}.`.repeat(3)}cc`;
  expect(findMistakes({ email: longest.padStart(255, "a") })).toBeNull();
  expect(findMistakes({ email: longest.padStart(259, "a") })).toEqual({
    email: ["Shorten your email address by 4 characters."],
  });
  expect(findMistakes({ email: "plain" })).toEqual({ email: [addressMistakes.format] });
});

const message = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  company: "Engines Ltd",
  stage: "Growth",
  goal: "Scale",
  message: "Hello",
  honeypot: "",
  privacyConsent: true,
};
const request = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  requestType: "access",
  description: "What do you hold?",
  honeypot: "",
};

function findErrors(schema: z.ZodType, input: unknown) {
  const result = schema.safeParse(input);
  return result.success ? null : z.flattenError(result.error).fieldErrors;
}

describe.each([
  [
    "a contact message",
    contactMessageSchema,
    message,
    {
      name: ["Enter your name"],
      email: ["Enter your email address"],
      company: ["Enter your company"],
      stage: ["Enter your business stage"],
      goal: ["Enter your goal"],
      message: ["Enter your message"],
      privacyConsent: ["Check the box to agree to the privacy policy"],
    },
  ],
  [
    "a data rights request",
    dataRightsRequestSchema,
    request,
    {
      name: ["Enter your full name"],
      email: ["Enter your email address"],
      requestType: ["Select the type of request"],
      description: ["Enter the details of your request"],
    },
  ],
])("the schema of %s", (_form, schema, filled, missing) => {
  it("accepts a completed form, as JSON or posted, and ignores unknown keys", () => {
    expect(schema.parse({ ...filled, state: "open", role: "admin" })).toEqual(filled);
    const form = new FormData();
    for (const [field, value] of Object.entries(filled)) form.set(field, value === true ? "on" : String(value));
    expect(parseWithZod(form, { schema })).toMatchObject({ status: "success", value: filled });
  });

  it("rejects what is no form", () => {
    for (const wrong of [null, "text", 1, []]) expect(schema.safeParse(wrong).success).toBe(false);
  });

  it("requires every field but the honeypot, and says what to enter", () => {
    const required = Object.entries(getZodConstraint(schema)).filter(([, constraint]) => constraint?.required);
    expect(required.map(([field]) => field)).toEqual(Object.keys(missing));
    expect(findErrors(schema, {})).toEqual(missing);
  });
});

it("counts a consent or a type in another form as missing", () => {
  expect(findErrors(contactMessageSchema, { ...message, privacyConsent: "true" })).toHaveProperty("privacyConsent");
  for (const requestType of ["", ["access"]])
    expect(findErrors(dataRightsRequestSchema, { ...request, requestType })).toHaveProperty("requestType");
});

it.each([
  ...contactFieldList.flatMap(([field, { kind, limit, what }]) =>
    kind === "email" ? [] : ([[contactMessageSchema, message, field, limit, what]] as const),
  ),
  [dataRightsRequestSchema, request, "name", limits.name, "your full name"] as const,
  [dataRightsRequestSchema, request, "description", limits.description, "the details of your request"] as const,
])("accepts a text up to its limit: %#", (schema, filled, field, limit, what) => {
  expect(findErrors(schema, { ...filled, [field]: "a".repeat(limit) })).toBeNull();
  expect(findErrors(schema, { ...filled, [field]: "a".repeat(limit + 1) })).toEqual({
    [field]: [`Shorten ${what} by 1 character.`],
  });
});

it("accepts the seven required types of requests, and a complaint", () => {
  expect(dataRightsFormTypes).toEqual(
    "access rectification erasure portability restrict object other complaint".split(" "),
  );
});
