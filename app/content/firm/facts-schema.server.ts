import { z } from "zod";
import { closedLimits } from "~/lib/closed-days";
import { replyHoursRange } from "~/lib/reply-promise";
import { clients, engagements, example, examples, people, process, proof } from "./claims-schema.server";
import { line, publicLine } from "./fact-texts.server";

const optional = (instruction: string, most: number) => z.union([z.literal(""), line(instruction, most)], instruction);

const httpsUrl = z.url({ protocol: /^https$/ }).regex(/^\S{1,300}$/);

/** The address of a page, or "" if there is none, which omits the link. */
const page = (whose: string) => {
  const instruction = `write the https:// address of ${whose} page, or "" where there is none`;
  return z.string(instruction).refine((text) => text === "" || httpsUrl.safeParse(text).success, instruction);
};

const { least, most } = replyHoursRange;
const hours = `write a whole number of hours from ${least} to ${most}`;
/** A number in quotation marks means the number. */
const readNumber = (given: unknown) => (typeof given === "string" && /^\d+$/.test(given) ? Number(given) : given);
const list = 'write a list of names, each with its task, such as "- Example Inc. (hosting)"';

const email = "write the address that the firm reads, like hello@firm.com";

const story = "write a list of one to five paragraphs, each with at most 700 characters";

const founder = z
  .strictObject(
    {
      name: line("write the founder’s name", 80),
      role: publicLine("write what the founder is", 160),
      linkedin: page("the founder’s LinkedIn"),
      story: z.array(line(story, 700), story).min(1, story).max(5, story),
      philosophy: publicLine("write one sentence that the founder works by", 160),
      portrait: line("write the name of a picture’s file", 300),
    },
    "write name, role, linkedin, story, philosophy and portrait below it, each on its own line that begins with two spaces",
  )
  .partial();

const representatives = z
  .strictObject(
    {
      europeanUnion: optional('write name and address on one line, or "" where there is none', 300),
      unitedKingdom: optional('write name and address on one line, or "" where there is none', 300),
    },
    "write europeanUnion and unitedKingdom below it, each on its own line that begins with two spaces",
  )
  .partial();

const closedText =
  "write a list of days, each with its reason, such as “- { days: 2026-12-24 to 2027-01-03, reason: Winter break }”";
const closedRange = `write one day, or the first and the last of at most ${closedLimits.days}, as 2026-12-24 to 2027-01-03`;

/** Closed days. `days`: one ISO date, or the first and the last with "to" between them */
const closedDays = z
  .array(
    z.strictObject(
      { days: z.string(closedRange), reason: publicLine("write why, such as “Winter break”", 60) },
      closedText,
    ),
    closedText,
  )
  .max(closedLimits.ranges, closedText)
  .transform((given, context) =>
    given.map(({ days, reason }, index) => {
      const [from = "", to = from, ...more] = days.split(" to ").map((day) => day.trim());
      const length = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
      const isRange = [from, to].every((day) => z.iso.date().safeParse(day).success) && more.length === 0;
      if (!isRange || !(length >= 1 && length <= closedLimits.days))
        context.addIssue({ code: "custom", path: [index, "days"], message: closedRange });
      return { from, to, reason };
    }),
  );

/**
 * Facts that an operator's file may contain (documented in `Company`). Facts that are left out keep their built-in
 * values.
 */
const factsSchema = z
  .strictObject(
    {
      name: publicLine("write the firm’s name", 80),
      tagline: publicLine("write the line that stands under the name", 160),
      email: z.email(email).max(254, email),
      linkedin: page("the firm’s LinkedIn"),
      address: line("write the postal address on one line", 300),
      jurisdiction: line("write whose law governs the terms, such as “the State of New York”", 120),
      arbitrationBody: line("write who arbitrates disputes", 120),
      replyWithinHours: z.preprocess(readNumber, z.int(hours).min(least, hours).max(most, hours)),
      founder,
      representatives,
      processors: z.array(line("write a name and its task on one line", 200), list).max(50, list),
      process,
      proof,
      examples,
      closed: closedDays,
      engagements,
      people,
      clients,
    },
    "a file of facts has one “key: value” a line",
  )
  .partial();

/** The facts in a file. */
export type GivenFacts = z.output<typeof factsSchema>;

const portraitName = z.object({ founder: z.object({ portrait: z.string().trim().min(1) }) });

/** Finds the name of the picture's file, even if the facts have mistakes; null if they name none. */
export function findPortraitName(found: unknown): string | null {
  return portraitName.safeParse(found).data?.founder.portrait ?? null;
}

const knownKeys: Record<string, readonly string[]> = {
  "": Object.keys(factsSchema.shape),
  founder: Object.keys(founder.shape),
  representatives: Object.keys(representatives.shape),
  "proof.*": Object.keys(proof.element.shape),
  "closed.*": ["days", "reason"],
  examples: Object.keys(examples.shape),
  "examples.*": Object.keys(example.shape),
  "engagements.*": Object.keys(engagements.element.shape),
  "people.*": Object.keys(people.element.shape),
  "clients.*": Object.keys(clients.element.shape),
};

/**
 * Validates the content of the file.
 * @param found null for an empty file
 * @returns the facts, and one line per mistake: its key and what to write there
 */
export function checkFacts(found: unknown): { facts: GivenFacts; mistakes: string[] } {
  const parsed = factsSchema.safeParse(found ?? {}, { reportInput: true });
  if (parsed.success) return { facts: parsed.data, mistakes: [] };
  const mistakes = new Map<string, string>();
  for (const issue of parsed.error.issues) {
    const at = issue.path.join(".");
    if (issue.code !== "unrecognized_keys") mistakes.set(at, mistakes.get(at) ?? describeIssue(issue));
    else
      for (const key of issue.keys)
        mistakes.set(at === "" ? key : `${at}.${key}`, `unknown key; known are ${findKnownKeys(at).join(", ")}`);
  }
  return { facts: {}, mistakes: [...mistakes].map(([key, what]) => (key === "" ? what : `${key}: ${what}`)) };
}

/** YAML reads 2004 as a number, and text is wanted: the quotation marks are missing. */
function describeIssue({ code, input, message }: z.core.$ZodIssue): string {
  const lacksQuotes = code === "invalid_type" && (typeof input === "number" || typeof input === "boolean");
  return lacksQuotes ? `${message}, in quotation marks` : message;
}

function findKnownKeys(at: string): readonly string[] {
  return knownKeys[at] ?? knownKeys[at.replace(/\.\w+$/, ".*")] ?? [];
}
