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
