import { expect, it } from "vitest";
import { parseForm } from "~/server/forms/parse-form.server";
import { consentSchema } from "./consent.schema";

const valid = { choice: "save", source: "dialog", text: "1".repeat(64), page: "/about" };

function parse(changes: Record<string, string | null>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...valid, ...changes })) if (value !== null) form.set(name, value);
  const submission = parseForm(form, consentSchema);
  return submission.status === "success" ? submission.value : submission.status;
}

it.each([
  ["switches that are off", {}, { analytics: false, marketing: false }],
  ["a switch that is on", { analytics: "on" }, { analytics: true, marketing: false }],
  ["no text and no page", { text: null, page: null }, { text: "", page: "/" }],
  ["a script's answer", { answer: "data" }, { answer: "data" }],
])("reads a form with %s", (_case, changes, expected) => {
  expect(parse(changes)).toMatchObject(expected);
});

it.each([
  ["no choice", { choice: null }],
  ["no source", { source: null }],
  ["a signal as its source", { source: "signal" }],
  ["a text that is too long", { text: "1".repeat(65) }],
  ["a page that is too long", { page: `/${"x".repeat(2_000)}` }],
  ["an invalid switch", { analytics: "off" }],
])("refuses a form with %s", (_case, changes) => {
  expect(parse(changes)).toBe("error");
});
