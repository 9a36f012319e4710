import Negotiator from "negotiator";
import { createMemo } from "~/lib/memo";

/** An encoding in which pages are cached. */
export type ContentEncoding = "br" | "gzip" | "identity";

/** Browsers send the same few values. */
const maxRemembered = 200;

/** Our encodings, best first. */
const offered = ["br", "gzip", "identity"] as const;

/** Creates a function that chooses the best encoding that a client accepts (RFC 9110, section 12.5.3). */
export function createEncodingChoice() {
  const remember = createMemo<ContentEncoding>(maxRemembered);
  return (acceptEncoding: string | string[] | undefined): ContentEncoding => {
    if (typeof acceptEncoding !== "string") return "identity";
    return remember(acceptEncoding, () => {
      const [best] = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }).encodings(offered, offered);
      // A client that accepts none of them gets the page uncompressed rather than an error.
      return offered.find((encoding) => encoding === best) ?? "identity";
    });
  };
}
