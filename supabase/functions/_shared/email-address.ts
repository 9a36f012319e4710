import { normalizeLine } from "../../../app/lib/plain-text.ts";

/** An address that mail can be sent to, or what is wrong with it, as a sentence for whoever typed it. */
export type EmailReading = { address: string; fault?: undefined } | { address?: undefined; fault: string };

/** Everything that {@link readEmailAddress} says is wrong with an address. */
export const addressMistakes = {
  format: "Enter an email address in the correct format, like name@example.com",
  several: "Enter only one email address",
  dots: "Check the dots in the email address: one too many, or one at the wrong place",
  noDot: "Enter the whole email address. What follows the @ has a dot in it, like name@example.com",
  number: "Enter an email address with a name after the @, like name@example.com. Numbers alone do not work",
  letters: (found: string) =>
    `Our mail cannot reach an address with “${found}” before the @. Use one with only a to z, digits and signs there`,
};

/**
 * Reads an email address as people type and paste it, for every form and setting: "Ada <ada@example.com>.", `mailto:`, a
 * full-width @. Judges the form alone: no look-up, no list of endings, so `.example` and `.localhost` pass.
 * @returns the address with an international domain in ASCII (RFC 5891), in the case it was typed in
 */
export function readEmailAddress(typed: string): EmailReading {
  if (typed.length > longestLook) return { fault: addressMistakes.format };
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

/** Decides that a text is an email address as it stands, with nothing to take off. */
export function isEmailAddress(text: string): boolean {
  return readEmailAddress(text).address === text;
}

/** What somebody may have meant who typed this address; null for one that looks right. Only a guess: the address may exist. */
export function suggestAddress(address: string): string | null {
  const [local = "", domain = ""] = address.split("@");
  const typed = domain.toLowerCase();
  const ending = typed.slice(typed.lastIndexOf(".") + 1);
  const mended = `${typed.slice(0, -ending.length)}${endings.get(ending) ?? ending}`;
  const meant = domains.get(mended) ?? mended;
  return meant === typed ? null : `${local}@${meant}`;
}

/** Far above any limit of a form. Longer texts are no addresses, and some patterns take long to say so. */
const longestLook = 1_000;

/** What people paste around an address, taken off. */
function unwrap(typed: string): string {
  const line = normalizeLine(typed)
    // Keyboards of Chinese and Japanese write these beside the ASCII ones.
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u3002\uff61]/g, ".")
    // The capital of i where keyboards are Turkish; its lower case in other languages is two characters.
    .replace(/\u0130/g, "I")
    .replace(/i\u0307/g, "i");
  const inBrackets = /^[^<>]*<([^<>]*)>[^<>@]*$/.exec(line)?.[1] ?? line;
  return inBrackets
    .replace(/^[\s("'“‘«<[]*(?:mailto:)?/i, "")
    .replace(/(?<=@[^?]*)\?.*$/, "")
    .replace(/[\s)"'”’»>\].,;:!?]+$/, "")
    .replace(/\s*@\s*/g, "@");
}

/** Lets the URL parser do it, which every runtime has (UTS 46). @returns null for what is no host */
function toAscii(domain: string): string | null {
  // In a URL these would end the host or hide another one in it.
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
  // No ending has one letter, and none has digits but in its encoded form.
  return isNamed && /^(?:[a-z]{2,}|xn--.+)$/.test(ending) ? null : addressMistakes.format;
}

/** Slips of which there are many; 40 at most in both lists, because each asks somebody a question. */
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
