import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";

/** What the form on data rights holds when a person has filled it in; give each its own address. */
export const filledDataRightsForm = {
  name: "Katherine Johnson",
  email: "katherine@orbit.example",
  requestType: "access",
  description: "What do you hold about me?\nAnd since when?",
  topic: "",
};

/** What the acknowledgement of a request brings. */
export interface RequestLinks {
  reference: string;
  /** in words, e.g. "December 21, 2026" */
  due: string;
  /** path and query of the link that confirms, with its token in it */
  confirm: string;
  /** path and query of the link that tells how far the request is */
  status: string;
  text: string;
}

/** All mails that a product without a mail server has written so far to this address. */
export async function readMailsTo(dataDir: string, address: string): Promise<{ subject: string; text: string }[]> {
  const folder = join(dataDir, "mail");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
  const mails = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
  return mails
    .filter(({ to }) => to?.some((recipient) => recipient.address === address))
    .map(({ subject = "", text = "" }) => ({ subject, text }));
}

/**
 * Waits for the acknowledgement and reads its links as the person does who made the request.
 * @throws when none has come within 20 s
 */
export async function readRequestLinks(dataDir: string, address: string): Promise<RequestLinks> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const mails = await readMailsTo(dataDir, address);
    // A message from the same address has an acknowledgement of its own.
    const mail = mails.find(({ text }) => text.includes("/data-rights/confirm?"));
    if (mail) return readLinks(mail.text);
    if (Date.now() > deadline) throw new Error("No acknowledgement has come.");
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
