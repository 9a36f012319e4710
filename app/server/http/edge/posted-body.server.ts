import type { IncomingMessage } from "node:http";
import { largestDrained, largestForm } from "../../forms/read-form.server";

/**
 * Reads what was posted, before anything is done with it: a slow sender holds nobody up. No more is kept than shows the
 * form's reader that it is too large; the rest is read and thrown away.
 * @returns null when the visitor went away before it was all there
 */
export function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const maxKept = largestForm + 1;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks));
    request.on("data", (chunk: Buffer) => {
      if (size < maxKept) chunks.push(chunk.subarray(0, maxKept - size));
      size += chunk.length;
      if (size > largestDrained) finish();
    });
    // Its length alone says that it is too large: the answer need not wait for it.
    if (Number(request.headers["content-length"]) > largestDrained) finish();
    request.once("end", finish);
    request.once("close", () => resolve(null));
    request.once("error", () => resolve(null));
  });
}
