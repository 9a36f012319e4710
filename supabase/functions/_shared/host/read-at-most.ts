/**
 * Reads the body of a request, regardless of Content-Length.
 * @param maxKept most bytes to return
 * @param maxDrained most bytes to read and discard, so that the sender gets a response and not a broken connection
 * @returns null when the body is larger than `maxKept`
 */
export async function readAtMost(
  request: Request,
  maxKept: number,
  maxDrained = maxKept,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get("content-length") ?? 0) > maxDrained) return null;
  if (!request.body) return new Uint8Array();
  const body = new Uint8Array(maxKept);
  let size = 0;
  const reader = request.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (size + next.value.byteLength <= maxKept) body.set(next.value, size);
    size += next.value.byteLength;
    if (size > maxDrained) return null;
  }
  return size > maxKept ? null : body.subarray(0, size);
}
