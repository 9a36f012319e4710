import Negotiator from "negotiator";

/** An encoding in which pages are cached. */
export type ContentEncoding = "br" | "gzip" | "identity";

/** Browsers send the same few values. The limit keeps forged ones from filling memory. */
const maxRemembered = 200;

/** Our encodings, best first. */
const offered = ["br", "gzip", "identity"] as const;

/** Creates a function that chooses the best encoding that a client accepts (RFC 9110, section 12.5.3). */
export function createEncodingChoice() {
  const remembered = new Map<string, ContentEncoding>();
  return (acceptEncoding: string | string[] | undefined): ContentEncoding => {
    if (typeof acceptEncoding !== "string") return "identity";
    const known = remembered.get(acceptEncoding);
    if (known !== undefined) return known;
    const [best] = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }).encodings(offered, offered);
    // A client that accepts none of them gets the page uncompressed rather than an error.
    const chosen = offered.find((encoding) => encoding === best) ?? "identity";
    if (remembered.size < maxRemembered) remembered.set(acceptEncoding, chosen);
    return chosen;
  };
}
