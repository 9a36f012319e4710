import { FactsError, requireFacts } from "~/content/firm/company.server";
import { requireUsableFolder } from "#supabase/embedded/folder/usable-folder";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { type Settings, SettingsError, parseSettings } from "./settings.server";

/**
 * Reads the settings, and the facts of the firm, for an operator's command.
 * @throws OperationRefused with all that is wrong with the one or the other
 * @throws DataFolderUnusable
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  try {
    const settings = parseSettings(environment);
    requireOwnFolder(settings);
    requireFacts();
    return settings;
  } catch (error) {
    throw error instanceof SettingsError || error instanceof FactsError ? new OperationRefused(error.message) : error;
  }
}

/**
 * Looks at the data folder of a site that has its database there. Before the facts, which may be in it: they would be called unreadable.
 * @throws DataFolderUnusable
 */
export function requireOwnFolder({ backend, dataDir }: Pick<Settings, "backend" | "dataDir">): void {
  if (backend.kind === "embedded") requireUsableFolder(dataDir);
}
