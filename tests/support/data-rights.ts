import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";

/** A completed data rights form. Give each test its own email address. */
export const filledDataRightsForm = {
  name: "Katherine Johnson",
  email: "katherine@orbit.example",
  requestType: "access",
  description: "What do you hold about me?\nAnd since when?",
  topic: "",
};

/** A completed form of an admin for a request that came by letter. */
export const filledLetterForm = () => ({
  name: "By Letter",
  requestType: "access",
  description: "What do you hold?",
  channel: "letter",
  receivedOn: new Date().toISOString().slice(0, 10),
});

/** Contents of the acknowledgement of a data rights request. */
export interface RequestLinks {
  reference: string;
  /** in words, e.g. "December 21, 2026" */
  due: string;
  /** path and query of the confirmation link, token included */
  confirm: string;
  /** path and query of the status link */
  status: string;
  text: string;
}

/** Reads all emails that a product without a mail server has written so far. */
export async function readMails(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, "mail");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
  return Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
}

/** Reads those to one address. */
export async function readMailsTo(dataDir: string, address: string): Promise<{ subject: string; text: string }[]> {
  return (await readMails(dataDir))
    .filter(({ to }) => to?.some((recipient) => recipient.address === address))
    .map(({ subject = "", text = "" }) => ({ subject, text }));
}

/**
 * Waits for a mail to this address whose text matches.
 * @param known matches of earlier mails
 * @throws when none arrives within 30 s
 */
export async function waitForMail(
  dataDir: string,
  address: string,
  pattern: RegExp,
  known: readonly string[] = [],
): Promise<{ text: string; match: string }> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    for (const { text } of await readMailsTo(dataDir, address)) {
      const match = pattern.exec(text)?.[0];
      if (match !== undefined && !known.includes(match)) return { text, match };
    }
    if (Date.now() > deadline) throw new Error(`No mail with ${pattern} arrived.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits for the acknowledgement of a data rights request and reads its links. */
export async function readRequestLinks(dataDir: string, address: string): Promise<RequestLinks> {
  return readLinks((await waitForMail(dataDir, address, /\/data-rights\/confirm\?/)).text);
}

function readLinks(text: string): RequestLinks {
  const find = (pattern: RegExp) => {
    const found = pattern.exec(text)?.[1];
    if (found === undefined) throw new Error(`The acknowledgement lacks ${pattern}`);
    return found;
  };
  return {
    reference: find(/^Reference: (DR-\S+)$/m),
    due: find(/^We will answer by: (.+)$/m),
    confirm: find(/(\/data-rights\/confirm\?token=\S+)$/m),
    status: find(/(\/data-rights\/status\?token=\S+)$/m),
    text,
  };
}
