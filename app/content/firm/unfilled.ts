/** Whether a bracket or an address that RFC 2606 reserves stands where a fact of the firm is missing. */
export function looksUnfilled(fact: string): boolean {
  return /\[[^\]]*\]|\.example\b/.test(fact);
}
