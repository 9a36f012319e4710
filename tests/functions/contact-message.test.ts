import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { describe, expect, it } from "vitest";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields.ts";
import { contactMessageSchema } from "#supabase/functions/_shared/contact-message.ts";
import { optionalLine } from "#supabase/functions/_shared/form-text.ts";
import { z } from "zod";

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

function findErrors(input: unknown) {
  const result = contactMessageSchema.safeParse(input);
  return result.success ? null : z.flattenError(result.error).fieldErrors;
}

describe("the contact schema", () => {
  it("accepts a plain message and ignores unknown keys", () => {
    expect(contactMessageSchema.parse({ ...message, role: "admin" })).toEqual(message);
  });

  it("reports for each missing field what to enter", () => {
    expect(findErrors({})).toEqual({
      name: ["Enter your name"],
      email: ["Enter your email address"],
      company: ["Enter your company"],
      stage: ["Enter your business stage"],
      goal: ["Enter your goal"],
      message: ["Enter your message"],
      privacyConsent: ["Check the box to agree to the privacy policy"],
    });
  });

  it("treats blank texts and values of another type as missing", () => {
    expect(findErrors({ ...message, name: " \n\t\u0000 " })).toEqual({ name: ["Enter your name"] });
    for (const wrong of [null, 7, true, ["a"], { a: 1 }]) {
      expect(findErrors({ ...message, name: wrong, email: wrong, message: wrong })).toEqual({
        name: ["Enter your name"],
        email: ["Enter your email address"],
        message: ["Enter your message"],
      });
    }
    expect(findErrors({ ...message, privacyConsent: "true" })).toHaveProperty("privacyConsent");
    for (const wrong of [null, "text", 1, []]) expect(findErrors(wrong)).not.toBeNull();
  });

  it.each(contactFieldList.filter(([, { kind }]) => kind !== "email"))(
    "accepts %s up to its limit of characters",
    (field, { limit }) => {
      expect(findErrors({ ...message, [field]: "a".repeat(limit) })).toBeNull();
      expect(findErrors({ ...message, [field]: "a".repeat(limit + 1) })).toEqual({
        [field]: [expect.stringMatching(/^Shorten your [a-z ]+ by 1 character\.$/)],
      });
    },
  );

  it("reports by how many characters a text is too long", () => {
    const long = { name: "a".repeat(219), message: "a".repeat(7_104) };
    expect(findErrors({ ...message, ...long })).toEqual({
      name: ["Shorten your name by 119 characters."],
      message: ["Shorten your message by 2,104 characters."],
    });
  });

  it.each([
    ["Latin", "a"],
    ["Chinese", "字"],
    ["emoji, which are two units of UTF-16", "🌻"],
    ["Korean that was typed in parts", "각".normalize("NFD")],
  ])("counts %s as the database does", (_script, letter) => {
    expect(findErrors({ ...message, message: letter.repeat(5_000) })).toBeNull();
    expect(findErrors({ ...message, message: letter.repeat(5_100) })).toEqual({
      message: ["Shorten your message by 100 characters."],
    });
  });

  it("counts a line break once in every encoding that browsers send", () => {
    expect(findErrors({ ...message, message: "a\r\n".repeat(2500) })).toBeNull();
  });

  it.each(["plain", "a@", "@b.example", "a b@c.example", "a b@c.example."])(
    "rejects %j as an email address, with one message",
    (email) => {
      expect(findErrors({ ...message, email })).toEqual({
        email: ["Enter an email address in the correct format, like name@example.com"],
      });
    },
  );

  it("keeps the case of an address and trims it", () => {
    expect(contactMessageSchema.parse({ ...message, email: "  Ada.L+x@Example.COM " }).email).toBe(
      "Ada.L+x@Example.COM",
    );
    const longest = `${"a".repeat(63)}@${`${"b".repeat(62)}.`.repeat(3)}cc`;
    expect(findErrors({ ...message, email: longest.padStart(255, "a") })).toBeNull();
    expect(findErrors({ ...message, email: longest.padStart(259, "a") })).toEqual({
      email: ["Shorten your email address by 4 characters."],
    });
  });

  it("removes line breaks that could end a mail header", () => {
    const parsed = contactMessageSchema.parse({
      ...message,
      name: "Ada\r\nBcc: x@y.example\u2028\u0085\u0000\u001bL",
      message: "one\r\ntwo\rthree\tfour\u0000\u0007 \n\n",
    });
    expect(parsed.name).toBe("Ada Bcc: x@y.example L");
    expect(parsed.message).toBe("one\ntwo\nthree\tfour");
  });

  it.each([
    ["an override of direction", "Ada \u202egpj.exe\u202c", "Ada gpj.exe"],
    ["embeddings and isolates", "\u202aA\u202bd\u202da\u2066 \u2067L\u2068.\u2069", "Ada L."],
    ["marks of direction", "A\u200ed\u200fa\u061c", "Ada"],
    ["a soft hyphen and zero-width spaces", "A\u00add\u200ba\u2060 \ufeffL", "Ada L"],
    ["tags", "Ada\u{e0041}\u{e007f}", "Ada"],
    ["joiners in Latin, at the start, behind a space, or doubled", "\u200dA\u200cda \u200dL\u200c\u200d", "Ada L"],
  ])("removes invisible characters from a line: %s", (_kind, typed, kept) => {
    expect(contactMessageSchema.parse({ ...message, name: typed }).name).toBe(kept);
    expect(findErrors({ ...message, name: typed.replaceAll(/[A-Za-z. ]/g, "") })).toEqual({
      name: ["Enter your name"],
    });
  });

  it.each([
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "\u0d05\u0d28\u0d4d\u200d",
    "\u{1f469}\u200d\u2695\ufe0f Ada",
  ])("keeps the joiners that spell a name: %s", (name) => {
    expect(contactMessageSchema.parse({ ...message, name: ` ${name} ` }).name).toBe(name);
  });

  it("strips invisible characters from a pasted address", () => {
    const parsed = contactMessageSchema.parse({ ...message, email: "\u200bada@ex\u00adample.com\u200e" });
    expect(parsed.email).toBe("ada@example.com");
  });

  it("repairs a lone surrogate, which PostgreSQL would reject", () => {
    expect(contactMessageSchema.parse({ ...message, name: "Ada \ud83d" }).name).toBe("Ada \ufffd");
  });

  it("exposes the constraints that conform renders for the browser", () => {
    const constraint = getZodConstraint(contactMessageSchema);
    for (const [field, { isOptional }] of contactFieldList) {
      expect(constraint[field]).toMatchObject({ required: !isOptional });
      // maxlength would cut pasted text, and counts other units.
      expect(constraint[field]).not.toHaveProperty("maxLength");
    }
    expect(constraint.privacyConsent).toMatchObject({ required: true });
    expect(constraint.honeypot).toMatchObject({ required: false });
  });

  it("supports an optional line", () => {
    const schema = z.object({ source: optionalLine("your source", 10) });
    expect(getZodConstraint(schema).source).toEqual({ required: false });
    const read = (typed: string) => {
      const form = new FormData();
      form.set("source", typed);
      return parseWithZod(form, { schema });
    };
    expect(read("")).toMatchObject({ status: "success", value: { source: "" } });
    expect(read("  a \r\n friend ")).toMatchObject({ value: { source: "a friend" } });
    expect(read("more than ten").reply().error).toEqual({ source: ["Shorten your source by 3 characters."] });
  });

  it("parses a posted form through conform", () => {
    const form = new FormData();
    for (const [field, value] of Object.entries(message)) form.set(field, String(value));
    form.set("privacyConsent", "on");
    expect(parseWithZod(form, { schema: contactMessageSchema })).toMatchObject({ status: "success", value: message });
    form.delete("privacyConsent");
    form.set("name", "");
    expect(parseWithZod(form, { schema: contactMessageSchema }).reply().error).toEqual({
      name: ["Enter your name"],
      privacyConsent: ["Check the box to agree to the privacy policy"],
    });
  });
});
