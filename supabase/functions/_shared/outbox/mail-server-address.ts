import { isLoopback } from "../../../../app/lib/http/loopback.ts";

/**
 * Decides whether a program reads `smtps://user:password@host:465` as its author means it. A password with `/`, `#` or `?` ends the part
 * that names the host too early: the address is then none, or leads to a machine that is named like the user.
 */
export function isMailServerAddress(text: string): boolean {
  try {
    const { protocol, hostname, username } = new URL(text);
    return /^smtps?:$/.test(protocol) && hostname !== "" && (username !== "" || !text.includes("@"));
  } catch {
    return false;
  }
}

/** Says whether the address names who signs in; one that cannot be read does not. */
export function namesMailUser(text: string): boolean {
  return isMailServerAddress(text) && new URL(text).username !== "";
}

/**
 * Decides whether mail leaves this machine unencrypted.
 * @param url a mail server's address that can be read
 * @param smtpTls the setting SMTP_TLS; all but "off" asks for TLS
 */
export function sendsInClear(url: string, smtpTls: string | undefined): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "smtp:" && smtpTls === "off" && !isLoopback(hostname);
}

/**
 * Says how a connection to a mail server is encrypted, in nodemailer's terms. Without `requireTLS` it would go on in clear where STARTTLS
 * is not offered, or where somebody on the way takes the offer out (RFC 3207, section 6). Options in the address do not override it.
 */
export function connectionTo(
  url: string,
  smtpTls: string | undefined,
): { url: string; requireTLS: boolean; ignoreTLS: boolean } {
  const isOff = smtpTls === "off";
  return {
    url: url.replace(/(?<=[?&])(?:require|ignore|opportunistic)TLS=[^&#]*/gi, ""),
    requireTLS: !isOff && !isLoopback(new URL(url).hostname),
    ignoreTLS: isOff,
  };
}
