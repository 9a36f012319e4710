import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { describe, expect, it } from "vitest";
import {
  dataRightsFormTypes,
  dataRightsLimits,
  dataRightsRequestSchema,
} from "#supabase/functions/_shared/data-rights-request.ts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { z } from "zod";

const request = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  requestType: "access",
  description: "What do you hold?",
  honeypot: "",
};

function findErrors(input: unknown) {
  const result = dataRightsRequestSchema.safeParse(input);
  return result.success ? null : z.flattenError(result.error).fieldErrors;
}

describe("the schema of data rights requests", () => {
  it.each(dataRightsFormTypes)("accepts a request of type %s and ignores unknown keys", (requestType) => {
    expect(dataRightsRequestSchema.parse({ ...request, requestType, state: "open" })).toEqual({
      ...request,
      requestType,
    });
  });

  it("reports for each missing field what to enter", () => {
    expect(findErrors({})).toEqual({
      name: ["Enter your full name"],
      email: ["Enter your email address"],
      requestType: ["Select the type of request"],
      description: ["Enter the details of your request"],
    });
    expect(findErrors({ ...request, requestType: "" })).toEqual({ requestType: ["Select the type of request"] });
    expect(findErrors({ ...request, requestType: ["access"] })).toEqual({
      requestType: ["Select the type of request"],
    });
  });

  it.each(Object.entries(dataRightsLimits).filter(([field]) => field !== "email"))(
    "accepts %s up to %i characters",
    (field, limit) => {
      expect(findErrors({ ...request, [field]: "a".repeat(limit) })).toBeNull();
      expect(findErrors({ ...request, [field]: "a".repeat(limit + 1) })).toEqual({
        [field]: [expect.stringMatching(/^Shorten (your full name|the details of your request) by 1 character\.$/)],
      });
    },
  );

  it("normalizes as the contact form does", () => {
    const parsed = dataRightsRequestSchema.parse({
      ...request,
      name: " Ada\r\nBcc: x@y.example\u0000 ",
      email: " Ada@Example.com ",
      description: "one\r\ntwo\rthree\u0007 \n",
    });
    expect(parsed).toMatchObject({
      name: "Ada Bcc: x@y.example",
      email: "Ada@Example.com",
      description: "one\ntwo\nthree",
    });
  });

  it("exposes the constraints that conform renders, and parses a posted form", () => {
    const constraint = getZodConstraint(dataRightsRequestSchema);
    for (const field of Object.keys(dataRightsLimits) as (keyof typeof dataRightsLimits)[]) {
      expect(constraint[field]).toMatchObject({ required: true });
      expect(constraint[field]).not.toHaveProperty("maxLength");
    }
    expect(constraint.requestType).toMatchObject({ required: true });
    const form = new FormData();
    for (const [field, value] of Object.entries(request)) form.set(field, value);
    expect(parseWithZod(form, { schema: dataRightsRequestSchema })).toMatchObject({
      status: "success",
      value: request,
    });
    form.set("requestType", "");
    expect(parseWithZod(form, { schema: dataRightsRequestSchema }).reply().error).toEqual({
      requestType: ["Select the type of request"],
    });
  });
});

describe("secret tokens of links", () => {
  it("are 32 random bytes in base64url", () => {
    const tokens = Array.from({ length: 1000 }, newSecretToken);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(tokens).size).toBe(1000);
    expect(Buffer.from(tokens[0]!, "base64url")).toHaveLength(32);
    expect(new Set(tokens.join("")).size).toBe(64);
  });

  it("have the same digest as in the database", async () => {
    expect(await digestOfToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
