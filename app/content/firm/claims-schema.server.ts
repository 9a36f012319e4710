import { z } from "zod";
import { publicLine } from "./fact-texts.server";

const steps = "write exactly three steps, each in at most 140 characters";

/** The steps of "How it starts". */
export const process = z.array(publicLine(steps, 140), steps).length(3, steps);

/** A figure is set 6rem high, so six characters fill a phone. */
const proofItem = z.strictObject(
  {
    figure: publicLine("write a figure such as “2004”", 6),
    sentence: publicLine("write in one sentence what the figure counts", 120),
    source: publicLine("write where anyone can check it", 120),
  },
  "write figure, sentence and source of each",
);

const proofs = "write a list of at most three, each with figure, sentence and source";

export const proof = z.array(proofItem, proofs).max(3, proofs);

const mostWords = 60;
const brief = `use at most ${mostWords} words for the three together`;
const part = (what: string) => publicLine(`write ${what} in one or two sentences`, 400);

export const example = z
  .strictObject(
    {
      startingPoint: part("where the client stood"),
      work: part("what was done"),
      result: part("what came of it"),
    },
    "write startingPoint, work and result below it",
  )
  .refine((texts) => Object.values(texts).join(" ").split(/\s+/).length <= mostWords, brief);

/** One example for each audience page. */
export const examples = z
  .strictObject(
    { startups: example, smallBusiness: example, growthStage: example, enterprises: example },
    "write startups, smallBusiness, growthStage or enterprises below it",
  )
  .partial();

/** A list of objects, with the same instruction for a wrong list and a wrong object. */
const listOf = <Fields extends z.ZodRawShape>(most: number, instruction: string, fields: Fields) =>
  z.array(z.strictObject(fields, instruction), instruction).max(most, instruction);

export const engagements = listOf(3, "write a list of at most three, each with what, weeks and feeFrom", {
  what: publicLine("write what the client gets", 80),
  weeks: publicLine("write the number of weeks, such as “4 to 6”", 12),
  feeFrom: publicLine("write the lowest fee, such as “$12,000”", 20),
});

export const people = listOf(6, "write a list of at most six, each with name, field and line", {
  name: publicLine("write the person’s name", 80),
  field: publicLine("write the person’s field in a few words", 60),
  line: publicLine("write one sentence about the person", 160),
});

export const clients = listOf(12, "write a list of at most twelve, each with name and agreed", {
  name: publicLine("write the client’s name", 80),
  agreed: publicLine("write who agreed to the name on the site, and when", 120),
});
