import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contactFieldList } from "./contact-fields.ts";
import { contactMessageSchema } from "./contact-message.ts";
import { dataRightsFormTypes, dataRightsLimits, dataRightsRequestSchema } from "./data-rights-request.ts";

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
  ["a contact message", contactMessageSchema, message],
  ["a data rights request", dataRightsRequestSchema, request],
])("the schema of %s", (_form, schema, filled) => {
  it("accepts a completed form, as JSON or posted, and ignores unknown keys", () => {
    expect(schema.parse({ ...filled, state: "open", role: "admin" })).toEqual(filled);
    const form = new FormData();
    for (const [field, value] of Object.entries(filled)) form.set(field, value === true ? "on" : String(value));
    expect(parseWithZod(form, { schema })).toMatchObject({ status: "success", value: filled });
  });

  it("rejects what is no form", () => {
    for (const wrong of [null, "text", 1, []]) expect(schema.safeParse(wrong).success).toBe(false);
  });

  it("requires every field but the honeypot", () => {
    const required = Object.entries(getZodConstraint(schema)).filter(([, constraint]) => constraint?.required);
    expect(required.map(([field]) => field)).toEqual(Object.keys(filled).filter((field) => field !== "honeypot"));
  });
});

it.each([
  [
    contactMessageSchema,
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
    dataRightsRequestSchema,
    {
      name: ["Enter your full name"],
      email: ["Enter your email address"],
      requestType: ["Select the type of request"],
      description: ["Enter the details of your request"],
    },
  ],
])("says for each missing field what to enter", (schema, messages) => {
  expect(findErrors(schema, {})).toEqual(messages);
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
  [dataRightsRequestSchema, request, "name", dataRightsLimits.name, "your full name"] as const,
  [
    dataRightsRequestSchema,
    request,
    "description",
    dataRightsLimits.description,
    "the details of your request",
  ] as const,
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
