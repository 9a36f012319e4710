import { expect, it } from "vitest";
import { z } from "zod";
import { paragraphs } from "#supabase/functions/_shared/form-text";
import { parseFields, parseForm } from "./parse-form.server";

const schema = z.object({ text: paragraphs("your text", 10), choice: z.enum(["a", "b"]) });

it.each([
  ["a text of four times its limit", 40, 40, "Shorten your text by 30 characters."],
  [
    "the first part of a longer one",
    41,
    10,
    "Shorten your text by 31 characters. This page may hold only the first 10.",
  ],
])("keeps %s, and no choice that is not on its list", (_case, typed, kept, mistake) => {
  const forms = [new FormData(), new FormData()] as const;
  for (const form of forms) {
    form.set("text", "q".repeat(typed));
    form.set("choice", "c");
  }
  const submission = parseForm(forms[0], schema);
  expect(parseFields(forms[1], schema).success).toBe(false);
  const expected = { text: "q".repeat(kept), choice: "" };
  expect([submission.payload, ...forms.map((form) => Object.fromEntries(form))]).toEqual([
    expected,
    expected,
    expected,
  ]);
  expect(submission.reply().error).toMatchObject({ text: [mistake] });
});
