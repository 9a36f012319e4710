import { normalizeLine } from "../../../app/lib/plain-text.ts";

/** A deliverable address, or what is wrong with it, as a sentence for the person who typed it. */
export type EmailReading = { address: string; fault?: undefined } | { address?: undefined; fault: string };

/** All faults that {@link readEmailAddress} reports. */
export const addressMistakes = {
  format: "Enter an email address in the correct format, like name@example.com",
  several: "Enter only one email address",
  dots: "Check the dots in the email address: one too many, or one in the wrong place",
  noDot: "Enter the whole email address. The part after the @ contains a dot, like name@example.com",
  number: "Enter an email address with a name after the @, like name@example.com. Numbers alone do not work",
  letters: (found: string) =>
    `We cannot send email to an address with “${found}” before the @. Use one with only a to z, digits and symbols there`,
};

/**
 * Reads an email address as people type and paste it, for every form and setting: "Ada <ada@example.com>.", `mailto:`,
 * a full-width @. Checks the syntax only, without a look-up or a list of top-level domains, so `.example` and
 * `.localhost` pass.
 * @returns the address with an international domain in ASCII (RFC 5891), in the case in which it was typed
 */
export function readEmailAddress(typed: string): EmailReading {
  if (typed.length > maxInputLength) return { fault: addressMistakes.format };
  const address = unwrap(typed);
  const at = address.indexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || domain === "") return { fault: addressMistakes.format };
  if (domain.includes("@")) return { fault: addressMistakes.several };
  const foreign = /[^\p{ASCII}]/u.exec(local)?.[0];
  if (foreign) return { fault: addressMistakes.letters(foreign) };
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(local)) return { fault: addressMistakes.format };
  const asciiDomain = toAscii(domain);
  if (asciiDomain === null) return { fault: addressMistakes.format };
  const fault = hasStrayDot(local) || hasStrayDot(domain) ? addressMistakes.dots : findDomainFault(asciiDomain);
  return fault ? { fault } : { address: `${local}@${/[^\p{ASCII}]/u.test(domain) ? asciiDomain : domain}` };
}

/** Returns true when the whole text is an email address, with nothing to strip. */
export function isEmailAddress(text: string): boolean {
  return readEmailAddress(text).address === text;
}

/**
 * Suggests the address that a person may have meant; null for one that looks right. Only a guess: the typed address may
 * exist.
 */
export function suggestAddress(address: string): string | null {
  const [local = "", domain = ""] = address.split("@");
  const typed = domain.toLowerCase();
  const ending = typed.slice(typed.lastIndexOf(".") + 1);
  const corrected = `${typed.slice(0, -ending.length)}${endings.get(ending) ?? ending}`;
  const meant = domains.get(corrected) ?? corrected;
  return meant === typed ? null : `${local}@${meant}`;
}

/** Far above any form's limit. Longer texts are not addresses, and some patterns take long to reject them. */
const maxInputLength = 1_000;

/** Strips what people paste around an address. */
function unwrap(typed: string): string {
  const line = normalizeLine(typed)
    // Chinese and Japanese keyboards produce full-width forms of the ASCII characters.
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u3002\uff61]/g, ".")
    // The capital i of Turkish keyboards. In other languages its lower case has two characters.
    .replace(/\u0130/g, "I")
    .replace(/i\u0307/g, "i");
  const inBrackets = /^[^<>]*<([^<>]*)>[^<>@]*$/.exec(line)?.[1] ?? line;
  const link = inBrackets.replace(/^[\s("“‘«<[]*/, "");
  const target = /^mailto:/i.test(link) ? decodeLink(link.slice("mailto:".length)) : link;
  return (
    target
      // An address may begin with an apostrophe, as Dutch names do. In quotation marks it has a second one.
      .replace(/^'(?=.*@.*')/, "")
      .replace(/(?<=@[^?]*)\?.*$/, "")
      .replace(/[\s)"'”’»>\].,;:!?]+$/, "")
      .replace(/\s*@\s*/g, "@")
  );
}

/** Decodes the address of a mailto link (RFC 6068), in which a plus sign may be `%2B`. */
function decodeLink(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/**
 * Converts a domain with the URL parser, which every runtime has (UTS 46).
 * @returns null when it is not a valid host
 */
function toAscii(domain: string): string | null {
  // In a URL these would end the host or hide another host.
  if (/[\s/\\?#%:<>[\]^|]/.test(domain)) return null;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return hasStrayDot(domain) ? domain : null;
  }
}

function hasStrayDot(part: string): boolean {
  return part.split(".").includes("");
}

function findDomainFault(domain: string): string | null {
  const labels = domain.split(".");
  const ending = labels.at(-1) ?? "";
  if (/^\d+$/.test(ending)) return addressMistakes.number;
  if (labels.length < 2) return addressMistakes.noDot;
  const isNamed = labels.every((label) => label.length <= 63 && /^[a-z0-9-]+$/.test(label) && !/^-|-$/.test(label));
  // No top-level domain has a single letter, and none contains digits except in its encoded form.
  return isNamed && /^(?:[a-z]{2,}|xn--.+)$/.test(ending) ? null : addressMistakes.format;
}

/** Frequent typos; at most 40 in both lists, because each makes the form ask the visitor a question. */
const endings = new Map(
  ["con", "cmo", "ocm", "vom", "xom", "cim", "cpm", "comm", "coom"].map((slip) => [slip, "com"] as const),
);

const domains = new Map(
  Object.entries({
    "gmail.com": ["gmial.com", "gmai.com", "gmal.com", "gamil.com", "gnail.com", "gmali.com", "gmaill.com", "gmail.co"],
    "hotmail.com": ["hotmial.com", "hotnail.com", "hotmai.com", "hotmal.com", "hotmaill.com", "hotmail.co"],
    "outlook.com": ["outlok.com", "outloook.com", "outllook.com", "otlook.com", "outlook.co"],
    "yahoo.com": ["yaho.com", "yahooo.com", "yhaoo.com", "yhoo.com", "yahoo.co"],
    "icloud.com": ["iclod.com", "icloud.co", "icoud.com", "iclould.com"],
  }).flatMap(([meant, slips]) => slips.map((slip) => [slip, meant] as const)),
);
