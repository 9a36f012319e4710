import { FactsError, requireFacts } from "~/content/firm/company.server";
import { requireUsableFolder } from "#supabase/embedded/folder/usable-folder";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { type Settings, SettingsError, parseSettings } from "./settings.server";

/**
 * Reads the settings and the facts of the firm for an operator's command.
 * @throws OperationRefused with every mistake in the settings or in the facts
 * @throws DataFolderUnusable
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  try {
    const settings = readSettingsOnly(environment);
    requireOwnFolder(settings);
    requireFacts();
    return settings;
  } catch (error) {
    throw error instanceof FactsError ? new OperationRefused(error.message) : error;
  }
}

/** Reads the settings alone. @throws OperationRefused with every mistake in them */
export function readSettingsOnly(...given: Parameters<typeof parseSettings>): Settings {
  try {
    return parseSettings(...given);
  } catch (error) {
    throw error instanceof SettingsError ? new OperationRefused(error.message) : error;
  }
}

/**
 * Checks the data folder of a site with an embedded database. It runs before the facts are read: their file may be in
 * an unusable folder, and the error would blame the file.
 * @throws DataFolderUnusable
 */
export function requireOwnFolder({ backend, dataDir }: Pick<Settings, "backend" | "dataDir">): void {
  if (backend.kind === "embedded") requireUsableFolder(dataDir);
}
