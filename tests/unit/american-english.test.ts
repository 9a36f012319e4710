import { expect, it } from "vitest";
import { contactMails } from "#supabase/functions/_shared/mails/contact-mail";
import { requestAcknowledgement, requestNotification } from "#supabase/functions/_shared/mails/data-rights-mail";
import { formatDay, formatDayOf, instantFormat } from "~/lib/dates";

const modules = import.meta.glob<Record<string, unknown>>(
  ["../../app/content/**/*.ts", "!**/*.browser.ts", "!**/*.test.ts"],
  { eager: true },
);
/** Those of the admin area stand in its components. */
const components = import.meta.glob<string>(
  ["../../app/{features/admin,features/auth,routes/admin}/**/*.{ts,tsx}", "!**/*.test.ts"],
  { eager: true, query: "?raw", import: "default" },
);
const longTexts = import.meta.glob<string>(["../../app/content/legal/*.md", "../../app/content/*.md"], {
  eager: true,
  query: "?raw",
  import: "default",
});

/** Spellings and words that American English has others for. Not every British one: those that have stood here, and their like. */
const british =
  /\b(?:(?:anonym|author|categor|custom|emphas|final|minim|optim|organ|priorit|real|recogn|standard|summar)is(?:ed?|es|ing|ations?)|analys(?:ed?|ing)|\w*(?:behaviou|colou|favou|honou|labou|neighbou)r\w*|centres?|cancell(?:ed|ing)|(?:label|model|travel)l(?:ed|ing|er)|licences?|programmes?|cheques?|grey|whilst|amongst|learnt|judgement|fulfil|enquir\w+|artefacts?|catalogues?|practis\w+|defence|ageing|fortnight|postcode|the ward|wards|ethics (?:board|review)|advisers?(?! representatives))\b/i;

/** Every text under a value. */
function findTexts(value: unknown): string[] {
  if (typeof value === "string") return value.includes(" ") ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(findTexts) : [];
}

const message = { name: "", email: "", company: "", stage: "", goal: "", message: "", honeypot: "" };
const site = "https://firm.example";
const mails = [
  ...contactMails({ ...message, privacyConsent: true }, { url: site, mailContent: "full" }),
  requestAcknowledgement("", { confirm: "", status: "" }, site),
  requestNotification("access", site),
];

it("the site's words and its mails are American English", () => {
  // Keys are no words that anybody reads.
  const lines = Object.values(components).flatMap((source) => source.replaceAll(/\b\w+: /g, "").split("\n"));
  const texts = [modules, lines, longTexts, mails].flatMap((each) => findTexts(Object.values(each)));
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.filter((text) => british.test(text)).map((text) => [british.exec(text)?.[0], text])).toEqual([]);
});

it("days come as Americans write them", () => {
  expect(formatDay("2026-03-02")).toBe("March 2, 2026");
  expect(formatDayOf("2026-03-02T00:00:00Z", "America/New_York")).toBe("March 1, 2026");
  expect(instantFormat("UTC")("2026-10-24T09:30:00Z").replaceAll("\u202f", " ")).toBe("Oct 24, 2026, 9:30 AM UTC");
  const inNewYork = instantFormat("America/New_York");
  expect(inNewYork("2026-10-24T02:30:00Z").replaceAll("\u202f", " ")).toBe("Oct 23, 2026, 10:30 PM EDT");
});
