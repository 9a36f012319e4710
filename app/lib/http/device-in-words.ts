/** Order matters: Edge also claims to be Chrome, and Chrome claims to be Safari. */
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
 * Describes browser and operating system in plain words. All words are from the two lists above, so that no text from
 * the header reaches a page, an email or a table.
 * @param userAgent the header (RFC 9110, section 10.1.5), or null
 * @returns e.g. "Firefox on Windows", "Unknown browser"; letters and spaces only
 */
export function deviceInWords(userAgent: string | null): string {
  const find = (patterns: [RegExp, string][]) => patterns.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const system = find(systems);
  const browser = find(browsers) ?? "Unknown browser";
  return system ? `${browser} on ${system}` : browser;
}
