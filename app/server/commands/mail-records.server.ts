import type { Resolver } from "node:dns/promises";

/** One thing that was looked at. `mend`: mail will be lost or taken for spam; `look`: it cannot be told from here. */
export interface MailFinding {
  verdict: "ok" | "mend" | "look";
  text: string;
}

/** The part of `node:dns` that is asked. */
export type MailResolver = Pick<Resolver, "resolveMx" | "resolveTxt" | "resolve4" | "resolve6">;

/** Names under which mail providers have their customers publish a key; there is no list of a domain's own. */
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
 * Looks at what a domain publishes about its mail. It cannot see whether the mail server in use is one that SPF allows, nor
 * with which key it signs: a test mail's headers show both.
 * @param sender domain of MAIL_FROM
 * @param recipients domains of CONTACT_TO, which answers go to
 * @param selector DKIM's, where it is known
 * @throws what the resolver throws when it is away; that there is no such record is a finding
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

/** RFC 5321, 5.1; a null MX is RFC 7505's. */
async function checkMx(domain: string, resolver: MailResolver): Promise<MailFinding> {
  const servers = (await emptyIfMissing(resolver.resolveMx(domain))).toSorted((a, b) => a.priority - b.priority);
  const names = servers.map(({ exchange }) => exchange).filter((name) => name !== "" && name !== ".");
  if (names.length > 0) return { verdict: "ok", text: `MX: mail to ${domain} goes to ${names.join(", ")}.` };
  const hasAddress =
    [...(await emptyIfMissing(resolver.resolve4(domain))), ...(await emptyIfMissing(resolver.resolve6(domain)))]
      .length > 0;
  if (servers.length === 0 && hasAddress)
    return { verdict: "look", text: `MX: ${domain} has none; mail to it goes to its web server, if that takes any.` };
  return { verdict: "mend", text: `MX: ${domain} takes no mail; whoever answers to it gets an error.` };
}

/** RFC 7208. */
async function checkSpf(domain: string, resolver: MailResolver): Promise<MailFinding> {
  const records = (await readTexts(domain, resolver)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record] = records;
  if (record === undefined)
    return { verdict: "mend", text: `SPF: ${domain} has no TXT record "v=spf1 …" that names its mail servers.` };
  if (records.length > 1)
    return {
      verdict: "mend",
      text: `SPF: ${domain} has ${records.length} records; receivers take that for none. Make them one.`,
    };
  const last = /(?:^| )([+?~-]?)all(?: |$)/i.exec(record)?.[1];
  if (last === "" || last === "+")
    return { verdict: "mend", text: `SPF: "${record}" lets anybody send for ${domain}.` };
  if (last === undefined && !/ redirect=/i.test(record))
    return { verdict: "look", text: `SPF: "${record}" does not end in "-all" or "~all".` };
  return { verdict: "ok", text: `SPF: "${record}". That it names your mail server, the test mail shows (spf=pass).` };
}

/** RFC 6376, 3.6.1: a record with an empty key is a revoked one. */
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
    return { verdict: "mend", text: `DKIM: there is no key at ${selector}._domainkey.${domain}.` };
  const how = "Name yours with --selector, or look whether the test mail has dkim=pass.";
  return { verdict: "look", text: `DKIM: ${domain} has no key under a usual name. ${how}` };
}

/** RFC 7489; a domain without a record of its own has its parent's. */
async function checkDmarc(domain: string, resolver: MailResolver): Promise<MailFinding> {
  const parts = domain.split(".");
  for (let first = 0; first <= parts.length - 2; first++) {
    const name = parts.slice(first).join(".");
    const record = (await readTexts(`_dmarc.${name}`, resolver)).find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
    if (record === undefined) continue;
    const policy = /;\s*p\s*=\s*(none|quarantine|reject)\b/i.exec(record)?.[1]?.toLowerCase();
    if (policy === undefined)
      return { verdict: "mend", text: `DMARC: "${record}" at _dmarc.${name} has no policy (p=).` };
    if (policy === "none")
      return {
        verdict: "look",
        text: `DMARC: "${record}" asks receivers to do nothing. Once mail passes, ask for p=quarantine.`,
      };
    return { verdict: "ok", text: `DMARC: "${record}" at _dmarc.${name}.` };
  }
  return { verdict: "mend", text: `DMARC: there is no record at _dmarc.${domain}; large providers ask for one.` };
}

/** A record may come in several strings, which belong together (RFC 7208, 3.3). */
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
