import { commandLine } from "~/lib/command-line";
import { type Finding, type MailResolver, fix, lookAt, notChecked, ok } from "./finding.server";

const name = "mail DNS";

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
): Promise<Finding[]> {
  return [
    ...(await Promise.all([...new Set([sender, ...recipients])].map((domain) => checkMx(domain, resolver)))),
    await checkSpf(sender, resolver),
    await checkDkim(sender, selector, resolver),
    await checkDmarc(sender, resolver),
  ];
}

/** Names the place where a wrong record is corrected. */
function correctAt(domain: string): string {
  return `Correct it where the DNS of ${domain} is managed.`;
}

/** RFC 5321, 5.1; RFC 7505 defines the null MX. */
async function checkMx(domain: string, resolver: MailResolver): Promise<Finding> {
  const servers = (await emptyIfMissing(resolver.resolveMx(domain))).toSorted((a, b) => a.priority - b.priority);
  const names = servers.map(({ exchange }) => exchange).filter((each) => each !== "" && each !== ".");
  if (names.length > 0) return ok(name, `MX: mail to ${domain} goes to ${names.join(", ")}.`);
  const hasAddress =
    [...(await emptyIfMissing(resolver.resolve4(domain))), ...(await emptyIfMissing(resolver.resolve6(domain)))]
      .length > 0;
  if (servers.length > 0 || !hasAddress)
    return fix(name, `MX: ${domain} accepts no mail; replies to it bounce.`, correctAt(domain));
  const text = `MX: ${domain} has none; mail to it goes to its web server, if that accepts mail.`;
  return lookAt(name, text, correctAt(domain));
}

/** RFC 7208. */
async function checkSpf(domain: string, resolver: MailResolver): Promise<Finding> {
  const records = (await readTexts(domain, resolver)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record] = records;
  const wrong = (text: string) => fix(name, `SPF: ${text}`, correctAt(domain));
  if (record === undefined) return wrong(`${domain} has no TXT record "v=spf1 …" that names its mail servers.`);
  if (records.length > 1)
    return wrong(`${domain} has ${records.length} records, which receivers treat as none. Merge them into one.`);
  const last = /(?:^| )([+?~-]?)all(?: |$)/i.exec(record)?.[1];
  if (last === "" || last === "+") return wrong(`"${record}" lets anyone send for ${domain}.`);
  if (last === undefined && !/ redirect=/i.test(record))
    return lookAt(name, `SPF: "${record}" does not end in "-all" or "~all".`, correctAt(domain));
  return ok(name, `SPF: "${record}". The test email shows if it allows your mail server (spf=pass).`);
}

/** RFC 6376, 3.6.1: an empty key means that the key was revoked. */
async function checkDkim(domain: string, selector: string | undefined, resolver: MailResolver): Promise<Finding> {
  const tried = selector === undefined ? commonSelectors : [selector];
  const keys = await Promise.all(
    tried.map(async (one) => ({ one, texts: await readTexts(`${one}._domainkey.${domain}`, resolver) })),
  );
  const found = keys
    .filter(({ texts }) => texts.some((text) => /(?:^|;)\s*p=\s*[^;\s]/.test(text)))
    .map(({ one }) => one);
  if (found.length > 0) return ok(name, `DKIM: ${domain} has a key named ${found.join(", ")}.`);
  if (selector !== undefined)
    return fix(name, `DKIM: there is no key at ${selector}._domainkey.${domain}.`, correctAt(domain));
  const [bySelector, byMail] = ["doctor --selector <name>", "doctor --send-mail"].map((words) => commandLine(words));
  const remedy = `Run \`${bySelector}\` with your provider's name for it, or \`${byMail}\`, and look for dkim=pass.`;
  return notChecked(name, `DKIM: ${domain} has no key under a common selector.`, remedy);
}

/** RFC 7489; a domain without its own record uses its parent's. */
async function checkDmarc(domain: string, resolver: MailResolver): Promise<Finding> {
  const parts = domain.split(".");
  for (let first = 0; first <= parts.length - 2; first++) {
    const place = `_dmarc.${parts.slice(first).join(".")}`;
    const record = (await readTexts(place, resolver)).find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
    if (record === undefined) continue;
    const policy = /;\s*p\s*=\s*(none|quarantine|reject)\b/i.exec(record)?.[1]?.toLowerCase();
    if (policy === undefined) return fix(name, `DMARC: "${record}" at ${place} has no policy (p=).`, correctAt(domain));
    if (policy !== "none") return ok(name, `DMARC: "${record}" at ${place}.`);
    const text = `DMARC: "${record}" asks receivers to do nothing. Once mail passes, set p=quarantine.`;
    return lookAt(name, text, correctAt(domain));
  }
  const text = `DMARC: there is no record at _dmarc.${domain}; large providers require one.`;
  return fix(name, text, correctAt(domain));
}

/** Joins the strings of each TXT record (RFC 7208, 3.3). */
async function readTexts(place: string, resolver: MailResolver): Promise<string[]> {
  return (await emptyIfMissing(resolver.resolveTxt(place))).map((strings) => strings.join("").trim());
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
