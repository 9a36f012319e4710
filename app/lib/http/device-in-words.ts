/** Who pretends to be another stands before it: Edge says that it is Chrome, and Chrome that it is Safari. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\b(?:w3m|Lynx|E?Links)\b/i, "Text browser"],
];

const systems: [RegExp, string][] = [
  [/\bWindows\b/, "Windows"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/**
 * Browser and system in plain words. All of them are from the two lists above: what a stranger's program says of itself
 * reaches no page, no mail and no table.
 * @param userAgent the header (RFC 9110, section 10.1.5), or null
 * @returns e.g. "Firefox on Windows", "Unknown browser"; letters and spaces only
 */
export function deviceInWords(userAgent: string | null): string {
  const find = (known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const system = find(systems);
  const browser = find(browsers) ?? "Unknown browser";
  return system ? `${browser} on ${system}` : browser;
}
