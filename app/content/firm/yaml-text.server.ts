/** Returns true for text that makes the parser recurse so often that Node.js aborts: its stack overflows. */
export function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    depth = Math.max(0, depth + ("[{".includes(bracket) ? 1 : -1));
    if (depth > 100) return true;
  }
  return /(?:[?-]\s+){100}/.test(text);
}
