import { FactsError, requireFacts } from "~/content/firm/company.server";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { type Settings, SettingsError, parseSettings } from "../config/settings.server";

/**
 * Reads the settings, and the facts of the firm, for an operator's command.
 * @throws OperationRefused with all that is wrong with the one or the other
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  try {
    requireFacts();
    return parseSettings(environment);
  } catch (error) {
    throw error instanceof SettingsError || error instanceof FactsError ? new OperationRefused(error.message) : error;
  }
}
