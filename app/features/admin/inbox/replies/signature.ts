import { normalizeText } from "~/lib/plain-text";

/** Begins a new reply: the admin writes above their signature, which is part of the text that is stored and sent. */
export function beginReply(signature: string): string {
  return signature === "" ? "" : `\n\n${signature}`;
}

/** Returns true for a text without any words above the signature. */
export function isUnwritten(text: string, signature: string): boolean {
  const words = normalizeText(text).trim();
  return words === "" || words === normalizeText(signature).trim();
}

/** Adds a text below the words of a reply, above the signature that ends it. */
export function insertAboveSignature(text: string, signature: string, addition: string): string {
  const all = normalizeText(text);
  const end = normalizeText(signature);
  const isSigned = end !== "" && (all.trim() === end.trim() || all.endsWith(`\n${end}`));
  const words = isSigned ? all.slice(0, Math.max(0, all.length - end.length)).trimEnd() : all;
  return [words, addition, ...(isSigned ? [end] : [])].filter((part) => part !== "").join("\n\n");
}
