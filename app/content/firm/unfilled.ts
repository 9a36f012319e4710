/** Returns true if a fact contains brackets or a domain reserved by RFC 2606, and so is a placeholder. */
export function looksUnfilled(fact: string): boolean {
  const bracket = fact.indexOf("[");
  return (bracket !== -1 && fact.includes("]", bracket)) || /\.example\b/.test(fact);
}
