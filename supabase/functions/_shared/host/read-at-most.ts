/**
 * Reads the body of a request, whatever Content-Length claims.
 * @param most bytes that are kept
 * @param mostDrained bytes that are read and thrown away before giving up, so that the sender gets an answer and not a
 *   broken connection
 * @returns null when the body is larger than `most`
 */
export async function readAtMost(
  request: Request,
  most: number,
  mostDrained = most,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get("content-length") ?? 0) > mostDrained) return null;
  if (!request.body) return new Uint8Array();
  const body = new Uint8Array(most);
  let size = 0;
  const reader = request.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (size + next.value.byteLength <= most) body.set(next.value, size);
    size += next.value.byteLength;
    if (size > mostDrained) return null;
  }
  return size > most ? null : body.subarray(0, size);
}
