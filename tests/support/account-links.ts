import { readMailsTo } from "./data-rights";

/**
 * Waits for an email with an account link, in a product without a mail server.
 * @param known links that arrived earlier
 * @returns path and query of the link, token included
 * @throws when no link arrives within 30 s
 */
export async function readAccountLink(
  dataDir: string,
  address: string,
  known: readonly string[] = [],
): Promise<string> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const mails = await readMailsTo(dataDir, address);
    const links = mails.map(({ text }) => /\/login\/password\?token=[\w-]{43}/.exec(text)?.[0]);
    const link = links.find((found) => found !== undefined && !known.includes(found));
    if (link) return link;
    if (Date.now() > deadline) throw new Error("No account link arrived.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
