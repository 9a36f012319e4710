import { readEmailAddress } from "../email-address.ts";

/** An address in parts: whatever it holds, no parser can find a second recipient in it. */
export interface Mailbox {
  /** empty where none was given */
  name: string;
  address: string;
}

/**
 * Reads addresses as people write them in a setting: `Firm <office@firm.example>, "Desk, West" <desk@firm.example>`, divided by commas,
 * semicolons (Outlook) or line breaks. A comma in a name needs no quotation marks where angle brackets show the address.
 * @returns one entry an address, in order, each address once; null for an entry that is no address
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

/** Reads a sender. @returns null where the text is not exactly one address, with or without a name */
export function parseSender(text: string): Mailbox | null {
  const [sender = null, ...others] = parseAddressList(text);
  return others.length === 0 ? sender : null;
}

/** Writes an address as the header of a mail has it (RFC 5322, section 3.4). */
export function formatMailbox({ name, address }: Mailbox): string {
  const shown = /["\\()<>[\]:;@,.]/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : name;
  return name === "" ? address : `${shown} <${address}>`;
}

/** Divides at commas, semicolons and line breaks outside quotation marks and angle brackets. */
function split(text: string): string[] {
  const entries = [""];
  let isQuoted = false;
  let isBracketed = false;
  for (const [character] of text.matchAll(/\\.|./gsu)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[<>]/.test(character)) isBracketed = character === "<";
    if (!isQuoted && !isBracketed && /[,;\r\n]/.test(character)) entries.push("");
    else entries.push((entries.pop() ?? "") + character);
  }
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** Puts `Doe, John <john@firm.example>` together again: words without an address begin the name of the next one. */
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
