import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";

/** A completed data rights form. Give each test its own email address. */
export const filledDataRightsForm = {
  name: "Katherine Johnson",
  email: "katherine@orbit.example",
  requestType: "access",
  description: "What do you hold about me?\nAnd since when?",
  topic: "",
};

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

/** Reads all emails that a product without a mail server has written to this address so far. */
export async function readMailsTo(dataDir: string, address: string): Promise<{ subject: string; text: string }[]> {
  const folder = join(dataDir, "mail");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
  const mails = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
  return mails
    .filter(({ to }) => to?.some((recipient) => recipient.address === address))
    .map(({ subject = "", text = "" }) => ({ subject, text }));
}

/**
 * Waits for the acknowledgement of a data rights request and reads its links.
 * @throws when no acknowledgement arrives within 20 s
 */
export async function readRequestLinks(dataDir: string, address: string): Promise<RequestLinks> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const mails = await readMailsTo(dataDir, address);
    // A contact message from the same address gets its own acknowledgement.
    const mail = mails.find(({ text }) => text.includes("/data-rights/confirm?"));
    if (mail) return readLinks(mail.text);
    if (Date.now() > deadline) throw new Error("No acknowledgement arrived.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
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
