/** An encoding in which pages are kept. */
export type ContentEncoding = "br" | "gzip" | "identity";

/** Browsers send the same few values for ever; a forger's go no further than this. */
const mostRemembered = 200;

/**
 * Makes a choice among encodings: the best that a client takes (RFC 9110, section 12.5.3).
 * @param offered the best first
 */
export function createEncodingChoice<Offered extends ContentEncoding>(offered: readonly Offered[]) {
  const remembered = new Map<string, Offered | "identity">();
  return (acceptEncoding: string | string[] | undefined): Offered | "identity" => {
    if (typeof acceptEncoding !== "string") return "identity";
    const known = remembered.get(acceptEncoding);
    if (known !== undefined) return known;
    const chosen = offered.find((encoding) => accepts(acceptEncoding, encoding)) ?? "identity";
    if (remembered.size < mostRemembered) remembered.set(acceptEncoding, chosen);
    return chosen;
  };
}

function accepts(acceptEncoding: string, encoding: string): boolean {
  return acceptEncoding.split(",").some((part) => {
    const [name = "", ...parameters] = part.trim().toLowerCase().split(";");
    const isRefused = parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(parameter));
    return name.trim() === encoding && !isRefused;
  });
}
