import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { type Settings, SettingsError, parseSettings } from "../config/settings.server";

/**
 * Reads the settings for an operator's command.
 * @throws OperationRefused with all that is wrong with them
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  try {
    return parseSettings(environment);
  } catch (error) {
    throw error instanceof SettingsError ? new OperationRefused(error.message) : error;
  }
}
