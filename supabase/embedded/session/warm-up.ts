import type { EmbeddedConnection } from "./connection.ts";
import { requireLibraryUse } from "./library-names.ts";

/**
 * Sends a first request, which makes lite read the whole catalog before a visitor has to wait for it. Checks that lite
 * then uses the replaced methods.
 * @throws LibraryChanged
 */
export async function warmUp(
  { used, driver }: EmbeddedConnection,
  gateway: { fetch: typeof fetch },
  { url, publishableKey }: { url: string; publishableKey: string },
): Promise<void> {
  // Test migrations lack this function.
  const functions = await driver.query("select 1 where to_regprocedure('public.newest_migration()') is not null");
  await gateway.fetch(`${url}/rest/v1/rpc/newest_migration`, { headers: { apikey: publishableKey } });
  if (functions.rows.length > 0) requireLibraryUse(used);
}
