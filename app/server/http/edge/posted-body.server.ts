import { IncomingMessage } from "node:http";
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

/** The same request for somebody who has yet to read it: what has been read cannot be put back. */
export function repeatRequest(request: IncomingMessage, body: Buffer): IncomingMessage {
  const again = new IncomingMessage(request.socket);
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  Object.assign(again, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor });
  again.complete = true;
  again.push(body);
  again.push(null);
  return again;
}
