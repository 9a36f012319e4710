/** The `mailto:` address of somebody; what they typed stays one address, whatever it holds (RFC 6068). */
export function mailAddress(email: string): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
