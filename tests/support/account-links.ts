import { waitForMail } from "./data-rights";

/**
 * Waits for an email with an account link, in a product without a mail server.
 * @param known links that arrived earlier
 * @returns path and query of the link, token included
 */
export async function readAccountLink(
  dataDir: string,
  address: string,
  known: readonly string[] = [],
): Promise<string> {
  return (await waitForMail(dataDir, address, /\/login\/password\?token=[\w-]{43}/, known)).match;
}
