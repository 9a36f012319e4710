import type { EmbeddedConnection } from "./connection.ts";
import { requireLibraryUse } from "./library-names.ts";

/**
 * Sends a first request, which reads the whole catalog unless an earlier start has: better before anybody waits for it. What
 * it makes the libraries do is checked.
 * @throws LibraryChanged
 */
export async function warmUp(
  { used, config, driver }: EmbeddedConnection,
  gateway: { fetch: typeof fetch },
  { url, secretKey }: { url: string; secretKey: string },
): Promise<void> {
  const isCatalogKept = (await config.schemaCache?.get("")) !== undefined;
  // Tests bring migrations of their own, which lack it.
  const functions = await driver.query("select 1 where to_regprocedure('public.newest_migration()') is not null");
  await gateway.fetch(`${url}/rest/v1/rpc/newest_migration`, { headers: { apikey: secretKey } });
  requireLibraryUse(used, { readingCatalog: !isCatalogKept, requestOfFunction: functions.rows.length > 0 });
}
