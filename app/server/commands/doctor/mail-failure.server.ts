import type { Settings } from "../../config/settings.server";

/** Joins the code of a failure and the server's own words. */
export function quoteFailure({ code, words }: { code: string; words?: string | undefined }): string {
  return words === undefined ? code : `${code}: “${words}”`;
}

/**
 * Finds the remedy for the failure of a mail server.
 * @param code of `classifySmtpError`; Node.js gives the codes of TLS
 */
export function findMailRemedy(code: string, { smtpUser }: Pick<Settings["mail"], "smtpUser">): string | null {
  if (/^smtp-(?:auth-53[45]|eauth$)/.test(code))
    return smtpUser === undefined
      ? "It rejects the user or the password. In SMTP_URL, % and the next two characters are decoded as one, so set SMTP_USER and SMTP_PASSWORD instead, which are used literally."
      : "It rejects SMTP_USER or SMTP_PASSWORD. Set the ones that your mail provider shows; some want a password made for programs.";
  if (code.startsWith("smtp-ehlo-"))
    return "It does not accept the name in EHLO, which is the host of SITE_URL. Set SITE_URL to the public name, or allow this machine at the mail server.";
  if (code === "smtp-no-tls")
    return "It offers no encryption (STARTTLS), so nothing was sent. Use its smtps:// address. For a relay in the same container network you can set SMTP_TLS=off.";
  if (/cert|signature/.test(code))
    return "Its certificate is not trusted, so nothing was sent. Use the host name in the certificate, let the mail server renew it, or name your authority's file in NODE_EXTRA_CA_CERTS.";
  if (code.startsWith("smtp-err_ssl_"))
    return "That port speaks no TLS at once: use smtp:// (often port 587) in SMTP_URL.";
  if (/^smtp-(?:enotfound|eai_again)$/.test(code))
    return "The host in SMTP_URL has no address. Correct it, or this machine's name server.";
  if (code === "smtp-econnrefused") return "No program listens at that host and port. Correct SMTP_URL.";
  return null;
}
