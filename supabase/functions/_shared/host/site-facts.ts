import { callBackend } from "./backend.ts";
import { currentFacts, runWithFacts, type SiteFacts } from "./runtime.ts";

/**
 * Runs a function, and everything it starts, with the facts that the site stored in the database. Before it stored any,
 * the settings of the host apply. Work that continues after the response keeps the facts that it started with.
 * @throws BackendUnavailable
 */
export async function withSiteFacts<Result>(work: () => Promise<Result>): Promise<Result> {
  if (currentFacts() !== undefined) return work();
  return runWithFacts(await callBackend<SiteFacts | null>("read_site_facts"), work);
}
