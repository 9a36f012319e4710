import { FactsError, requireFacts } from "~/content/firm/company.server";
import { listUnfilledFacts } from "~/content/firm/unfilled-facts.server";
import { claims, factPlaceholders } from "~/content/placeholders";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { printOutcome } from "#supabase/embedded/operations/run-operation";

/**
 * Prints the facts that the firm has yet to supply, the claims that it has to approve, and the pages that show them.
 * @param args `--strict` fails while a fact is missing; without it that is no error, since a site may be under
 *   construction
 * @returns the exit code: 0, or 1 if facts have mistakes, or are missing with `--strict`
 */
export async function runContentCheck(args: readonly string[]): Promise<number> {
  const code = await printOutcome(async () => {
    rejectMistakes();
    return describeOpenItems();
  });
  return args.includes("--strict") && listUnfilledFacts().length > 0 ? 1 : code;
}

function rejectMistakes(): void {
  try {
    requireFacts();
  } catch (error) {
    throw error instanceof FactsError ? new OperationRefused(error.message) : error;
  }
}

function describeOpenItems(): string {
  const missing = listUnfilledFacts();
  const facts = missing.map(({ key, reads }) => {
    const known = factPlaceholders.find((one) => one.key === key);
    return describe(key, known?.what ?? "The real value", known?.where, reads);
  });
  const toApprove = claims.map(({ key, what, where, says }) => describe(key, what, where, says && `“${says}”`));
  return [
    ...facts,
    ...toApprove,
    "",
    missing.length === 0
      ? "No fact is missing."
      : `${count(missing.length, "fact")} missing: supply them in the file of facts (docs/operations/settings.md, “Your firm's facts”).`,
    `${count(toApprove.length, "claim")} for the firm to approve: confirm that each is true, or change its text in the file of facts, or in app/content/pages and rebuild.`,
  ].join("\n");
}

function describe(key: string, what: string, where?: string, reads?: string): string {
  return `- ${key}: ${what}${where ? `\n    shown on: ${where}` : ""}${reads ? `\n    reads now: ${reads}` : ""}`;
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? "" : "s"}`;
}
