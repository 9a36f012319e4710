import { isLoopback } from "../../../../app/lib/http/loopback.ts";

/**
 * Checks that a program parses `smtps://user:password@host:465` as its author intended. A `/`, `#` or `?` in the
 * password ends the authority early: the URL is then invalid, or its host is the user name.
 */
export function isMailServerAddress(text: string): boolean {
  try {
    const { protocol, hostname, username } = new URL(text);
    return /^smtps?:$/.test(protocol) && hostname !== "" && (username !== "" || !text.includes("@"));
  } catch {
    return false;
  }
}

/** Checks whether the URL contains a user name. False for an invalid URL. */
export function hasMailUser(text: string): boolean {
  return isMailServerAddress(text) && new URL(text).username !== "";
}

/**
 * Checks whether mail leaves this machine unencrypted.
 * @param url valid URL of a mail server
 * @param smtpTls the setting SMTP_TLS; any value but "off" requires TLS
 */
export function sendsUnencrypted(url: string, smtpTls: string | undefined): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "smtp:" && smtpTls === "off" && !isLoopback(hostname);
}

/**
 * Checks whether anybody between this machine and a mail server can pose as it.
 * @param url valid URL of a mail server
 */
export function skipsCertificate(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  return !isLoopback(hostname) && searchParams.getAll("tls.rejectUnauthorized").some((is) => /^(?:false|0)$/.test(is));
}

/**
 * Returns nodemailer's encryption options for a connection to a mail server. Without `requireTLS`, nodemailer would
 * continue unencrypted when the server does not offer STARTTLS, or when an attacker strips the offer (RFC 3207, section
 * 6). Options in the URL cannot override it.
 */
export function connectionTo(
  url: string,
  smtpTls: string | undefined,
): { url: string; requireTLS: boolean; ignoreTLS: boolean } {
  const isOff = smtpTls === "off";
  const address = new URL(url);
  // Decoded names, as nodemailer reads them.
  const kept = [...address.searchParams].filter(([name]) => !/^(?:require|ignore|opportunistic)TLS$/i.test(name));
  address.search = new URLSearchParams(kept).toString();
  return {
    url: address.href,
    requireTLS: !isOff && !isLoopback(address.hostname),
    ignoreTLS: isOff,
  };
}

/**
 * Returns the name that the site gives in EHLO: the host of SITE_URL, or an address literal (RFC 5321, 4.1.3). A
 * machine's own name often has no dot, which relays such as Google's refuse.
 */
export function greetingName(siteUrl: string | undefined): string | undefined {
  if (siteUrl === undefined || !URL.canParse(siteUrl)) return undefined;
  const { hostname } = new URL(siteUrl);
  if (hostname.startsWith("[")) return hostname.replace("[", "[IPv6:");
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname;
}
