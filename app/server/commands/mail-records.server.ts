import type { Resolver } from "node:dns/promises";

/**
 * Result of one check. `error`: mail will be lost or treated as spam. `check`: DNS does not tell; the operator has to
 * look.
 */
export interface MailFinding {
  verdict: "ok" | "error" | "check";
  text: string;
  /** true if DNS cannot tell at all */
  isUnknown?: true;
}

/** Part of `node:dns` that the checks use. */
export type MailResolver = Pick<Resolver, "resolveMx" | "resolveTxt" | "resolve4" | "resolve6">;

/** Selectors of common mail providers. DNS cannot list the selectors of a domain. */
const commonSelectors = [
  "default",
  "dkim",
  "google",
  "k1",
  "k2",
  "mail",
  "resend",
  "s1",
  "s2",
  "selector1",
  "selector2",
];

/**
 * Checks the DNS records of a domain's mail. They do not show if SPF allows the mail server in use, nor which key it
 * signs with; a test email's headers show both.
 * @param sender domain of MAIL_FROM
 * @param recipients domains of CONTACT_TO, to which replies go
 * @param selector DKIM selector, if known
 * @throws the resolver's error when it is unreachable; a missing record is a finding
 */
export async function checkMailRecords(
  { sender, recipients, selector }: { sender: string; recipients: string[]; selector?: string | undefined },
  resolver: MailResolver,
): Promise<MailFinding[]> {
  return [
    ...(await Promise.all([...new Set([sender, ...recipients])].map((domain) => checkMx(domain, resolver)))),
    await checkSpf(sender, resolver),
    await checkDkim(sender, selector, resolver),
    await checkDmarc(sender, resolver),
  ];
}

/** RFC 5321, 5.1; RFC 7505 defines the null MX. */
async function checkMx(domain: string, resolver: MailResolver): Promise<MailFinding> {
  const servers = (await emptyIfMissing(resolver.resolveMx(domain))).toSorted((a, b) => a.priority - b.priority);
  const names = servers.map(({ exchange }) => exchange).filter((name) => name !== "" && name !== ".");
  if (names.length > 0) return { verdict: "ok", text: `MX: mail to ${domain} goes to ${names.join(", ")}.` };
  const hasAddress =
    [...(await emptyIfMissing(resolver.resolve4(domain))), ...(await emptyIfMissing(resolver.resolve6(domain)))]
      .length > 0;
  if (servers.length === 0 && hasAddress)
    return {
      verdict: "check",
      text: `MX: ${domain} has none; mail to it goes to its web server, if that accepts mail.`,
    };
  return { verdict: "error", text: `MX: ${domain} accepts no mail; replies to it bounce.` };
}

/** RFC 7208. */
async function checkSpf(domain: string, resolver: MailResolver): Promise<MailFinding> {
  const records = (await readTexts(domain, resolver)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record] = records;
  if (record === undefined)
    return { verdict: "error", text: `SPF: ${domain} has no TXT record "v=spf1 …" that names its mail servers.` };
  if (records.length > 1)
    return {
      verdict: "error",
      text: `SPF: ${domain} has ${records.length} records, which receivers treat as none. Merge them into one.`,
    };
  const last = /(?:^| )([+?~-]?)all(?: |$)/i.exec(record)?.[1];
  if (last === "" || last === "+")
    return { verdict: "error", text: `SPF: "${record}" lets anyone send for ${domain}.` };
  if (last === undefined && !/ redirect=/i.test(record))
    return { verdict: "check", text: `SPF: "${record}" does not end in "-all" or "~all".` };
  return { verdict: "ok", text: `SPF: "${record}". The test email shows if it allows your mail server (spf=pass).` };
}

/** RFC 6376, 3.6.1: an empty key means that the key was revoked. */
async function checkDkim(domain: string, selector: string | undefined, resolver: MailResolver): Promise<MailFinding> {
  const tried = selector === undefined ? commonSelectors : [selector];
  const keys = await Promise.all(
    tried.map(async (name) => ({ name, texts: await readTexts(`${name}._domainkey.${domain}`, resolver) })),
  );
  const found = keys
    .filter(({ texts }) => texts.some((text) => /(?:^|;)\s*p=\s*[^;\s]/.test(text)))
    .map(({ name }) => name);
  if (found.length > 0) return { verdict: "ok", text: `DKIM: ${domain} has a key named ${found.join(", ")}.` };
  if (selector !== undefined)
    return { verdict: "error", text: `DKIM: there is no key at ${selector}._domainkey.${domain}.` };
  return { verdict: "check", text: `DKIM: ${domain} has no key under a common selector.`, isUnknown: true };
}

/** RFC 7489; a domain without its own record uses its parent's. */
async function checkDmarc(domain: string, resolver: MailResolver): Promise<MailFinding> {
  const parts = domain.split(".");
  for (let first = 0; first <= parts.length - 2; first++) {
    const name = parts.slice(first).join(".");
    const record = (await readTexts(`_dmarc.${name}`, resolver)).find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
    if (record === undefined) continue;
    const policy = /;\s*p\s*=\s*(none|quarantine|reject)\b/i.exec(record)?.[1]?.toLowerCase();
    if (policy === undefined)
      return { verdict: "error", text: `DMARC: "${record}" at _dmarc.${name} has no policy (p=).` };
    if (policy === "none")
      return {
        verdict: "check",
        text: `DMARC: "${record}" asks receivers to do nothing. Once mail passes, set p=quarantine.`,
      };
    return { verdict: "ok", text: `DMARC: "${record}" at _dmarc.${name}.` };
  }
  return { verdict: "error", text: `DMARC: there is no record at _dmarc.${domain}; large providers require one.` };
}

/** Joins the strings of each TXT record (RFC 7208, 3.3). */
async function readTexts(name: string, resolver: MailResolver): Promise<string[]> {
  return (await emptyIfMissing(resolver.resolveTxt(name))).map((strings) => strings.join("").trim());
}

async function emptyIfMissing<Found>(lookup: Promise<Found[]>): Promise<Found[]> {
  try {
    return await lookup;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw error;
  }
}
