import { FactsError, requireFacts } from "~/content/firm/company.server";
import { listUnfilledFacts } from "~/content/firm/unfilled-facts.server";
import { claims, factPlaceholders } from "~/content/placeholders";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { tellOutcome } from "#supabase/embedded/operations/run-operation";

/**
 * Prints what the firm must still supply or approve before the site goes live, and where visitors meet it.
 * @param args `--strict` fails as long as a fact is left; else that is no mistake, since a site may be under construction
 * @returns the exit code: 0, or 1 when facts are left under `--strict`, or have mistakes
 */
export async function runContentCheck(args: readonly string[]): Promise<number> {
  const code = await tellOutcome(async () => {
    refuseMistakes();
    return describeLeft();
  });
  return args.includes("--strict") && listUnfilledFacts().length > 0 ? 1 : code;
}

function refuseMistakes(): void {
  try {
    requireFacts();
  } catch (error) {
    throw error instanceof FactsError ? new OperationRefused(error.message) : error;
  }
}

function describeLeft(): string {
  const left = listUnfilledFacts();
  const facts = left.map(({ key, reads }) => {
    const known = factPlaceholders.find((one) => one.key === key);
    return describe(key, known?.what ?? "What really stands there", known?.where, reads);
  });
  const said = claims.map(({ key, what, where, says }) => describe(key, what, where, says && `“${says}”`));
  return [
    ...facts,
    ...said,
    "",
    left.length === 0
      ? "No fact is left."
      : `${count(left.length, "fact")} left: supply them in the file of facts (docs/OPERATIONS.md, “Your firm’s facts”).`,
    `${count(said.length, "claim")} that only the firm can approve: be sure of each, or change its words in app/content/pages and build.`,
  ].join("\n");
}

function describe(key: string, what: string, where?: string, reads?: string): string {
  return `- ${key}: ${what}${where ? `\n    shows on: ${where}` : ""}${reads ? `\n    reads now: ${reads}` : ""}`;
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? "" : "s"}`;
}
