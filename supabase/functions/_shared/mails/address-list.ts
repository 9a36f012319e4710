import { readEmailAddress } from "../email-address.ts";

/** An address in parts, so that no parser can find a second recipient in it. */
export interface Mailbox {
  /** empty when none was given */
  name: string;
  address: string;
}

/**
 * Parses a list of addresses as people write them in a setting: `Firm <office@firm.example>, "Desk, West"
 * <desk@firm.example>`, separated by commas, semicolons (Outlook) or line breaks. A name may contain a comma without
 * quotation marks if angle brackets enclose the address.
 * @returns one entry per address, in order and without duplicates; null for an entry that is not an address
 */
export function parseAddressList(text: string): (Mailbox | null)[] {
  const seen = new Set<string>();
  return joinNames(split(text))
    .map(parseMailbox)
    .filter((mailbox) => {
      const key = mailbox?.address.toLowerCase();
      if (key === undefined) return true;
      return seen.has(key) ? false : seen.add(key);
    });
}

/** Parses a sender. @returns null unless the text is exactly one address, with or without a name */
export function parseSender(text: string): Mailbox | null {
  const [sender = null, ...others] = parseAddressList(text);
  return others.length === 0 ? sender : null;
}

/** Formats an address for a mail header (RFC 5322, section 3.4). */
export function formatMailbox({ name, address }: Mailbox): string {
  const shown = /["\\()<>[\]:;@,.]/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : name;
  return name === "" ? address : `${shown} <${address}>`;
}

/** Splits at commas, semicolons and line breaks outside quotation marks and angle brackets. */
function split(text: string): string[] {
  const entries: string[] = [];
  let start = 0;
  let isQuoted = false;
  let isBracketed = false;
  for (const { 0: sign, index } of text.matchAll(/\\.|["<>,;\r\n]/gsu)) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /^[<>]/.test(sign)) isBracketed = sign === "<";
    if (isQuoted || isBracketed || !/^[,;\r\n]/.test(sign)) continue;
    entries.push(text.slice(start, index));
    start = index + 1;
  }
  entries.push(text.slice(start));
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** Rejoins `Doe, John <john@firm.example>`: words without an address are the start of the next entry's name. */
function joinNames(entries: string[]): string[] {
  const joined: string[] = [];
  let words: string[] = [];
  for (const entry of entries) {
    if (!entry.includes("@")) words.push(entry);
    else if (entry.endsWith(">")) joined.push([...words.splice(0), entry].join(", "));
    else joined.push(...words.splice(0), entry);
  }
  return [...joined, ...words];
}

function parseMailbox(entry: string): Mailbox | null {
  const [, before, bracketed] = /^([^<>]*)<([^<>]*)>$/su.exec(entry) ?? [];
  const [, bare, comment] = /^([^\s()]+)\s*\(([^()]*)\)$/su.exec(entry) ?? [];
  const { address } = readEmailAddress(withoutQuotes(bracketed ?? bare ?? entry));
  const name = withoutQuotes(before ?? comment ?? "").replace(/[\p{Cc}\s]+/gu, " ");
  return address === undefined ? null : { name, address };
}

function withoutQuotes(text: string): string {
  const trimmed = text.trim();
  const inside = /^"(.*)"$/su.exec(trimmed)?.[1]?.replace(/\\(.)/gsu, "$1") ?? /^'(.*)'$/su.exec(trimmed)?.[1];
  return (inside ?? trimmed).trim();
}
