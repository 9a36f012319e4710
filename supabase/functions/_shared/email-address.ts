const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const rule = new RegExp(`^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`);

/**
 * Decides what an email address is, for forms and settings alike: the rule of `<input type="email">` (HTML standard, "valid email
 * address"), so that page and server agree.
 */
export function isEmailAddress(text: string): boolean {
  return rule.test(text);
}
