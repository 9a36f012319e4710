import { expect, it } from "vitest";
import { parse } from "yaml";
import { checkFacts } from "./facts-schema.server";

/** Returns the keys of the mistakes in a file of facts. */
const keysOf = (content: string) => checkFacts(parse(content)).mistakes.map((line) => line.split(":")[0]);

it.each([
  ["name", "name: %", 80],
  ["tagline", "tagline: %", 160],
  ["address", "address: %", 300],
  ["jurisdiction", "jurisdiction: %", 120],
  ["arbitrationBody", "arbitrationBody: %", 120],
  ["founder.name", "founder: { name: % }", 80],
  ["founder.role", "founder: { role: % }", 160],
  ["founder.story.0", "founder: { story: [%] }", 700],
  ["founder.philosophy", "founder: { philosophy: % }", 160],
  ["representatives.europeanUnion", "representatives: { europeanUnion: % }", 300],
  ["representatives.unitedKingdom", "representatives: { unitedKingdom: % }", 300],
  ["linkedin", "linkedin: https://%", 292],
  ["founder.linkedin", "founder: { linkedin: https://% }", 292],
  ["processors.0", "processors: [%]", 200],
  ["process.2", "process: [One., Two., %]", 140],
  ["proof.0.figure", "proof: [{ figure: %, sentence: A., source: B }]", 6],
  ["proof.0.sentence", "proof: [{ figure: '1', sentence: %, source: B }]", 120],
  ["proof.0.source", "proof: [{ figure: '1', sentence: A., source: % }]", 120],
  ["examples.startups.work", "examples: { startups: { startingPoint: A., work: %, result: C. } }", 400],
  ["closed.0.reason", "closed: [{ days: 2026-12-24, reason: % }]", 60],
  ["engagements.0.what", "engagements: [{ what: %, weeks: '4', feeFrom: B }]", 80],
  ["engagements.0.weeks", "engagements: [{ what: A, weeks: %, feeFrom: B }]", 12],
  ["engagements.0.feeFrom", "engagements: [{ what: A, weeks: '4', feeFrom: % }]", 20],
  ["people.0.name", "people: [{ name: %, field: B, line: C. }]", 80],
  ["people.0.field", "people: [{ name: A, field: %, line: C. }]", 60],
  ["people.0.line", "people: [{ name: A, field: B, line: % }]", 160],
  ["clients.0.name", "clients: [{ name: %, agreed: B }]", 80],
  ["clients.0.agreed", "clients: [{ name: A, agreed: % }]", 120],
  // Including @firm.test.
  ["email", "email: %@firm.test", 244],
])("reads %s in %s up to %i characters", (key, content, most) => {
  const readWith = (characters: number) => keysOf(content.replace("%", "x".repeat(characters)));
  expect(readWith(most)).toEqual([]);
  expect(readWith(most + 1)).toEqual([key]);
});

it.each([
  ["founder.story", "founder: { story: [%] }", 5, "One."],
  ["processors", "processors: [%]", 50, "One"],
  ["proof", "proof: [%]", 3, "{ figure: '1', sentence: A., source: B }"],
  ["closed", "closed: [%]", 50, "{ days: 2026-12-24, reason: A }"],
  ["engagements", "engagements: [%]", 3, "{ what: A, weeks: '4', feeFrom: B }"],
  ["people", "people: [%]", 6, "{ name: A, field: B, line: C. }"],
  ["clients", "clients: [%]", 12, "{ name: A, agreed: B }"],
])("reads %s in %s up to %i items", (key, content, most, item) => {
  const readWith = (count: number) => keysOf(content.replace("%", String(Array(count).fill(item))));
  expect(readWith(most)).toEqual([]);
  expect(readWith(most + 1)).toEqual([key]);
});
