import Negotiator from "negotiator";

/** An encoding in which pages are kept. */
export type ContentEncoding = "br" | "gzip" | "identity";

/** Browsers send the same few values for ever; a forger's go no further than this. */
const maxRemembered = 200;

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
    const [best] = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }).encodings(offered, offered);
    // A client that takes none of them gets the page as it is, rather than none.
    const chosen = offered.find((encoding) => encoding === best) ?? "identity";
    if (remembered.size < maxRemembered) remembered.set(acceptEncoding, chosen);
    return chosen;
  };
}
