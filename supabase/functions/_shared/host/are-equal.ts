/**
 * Compares the digests of two secrets in constant time, so that timing does not reveal how much of a guess was right.
 */
export async function areEqual(offered: string, secret: string): Promise<boolean> {
  const [left, right] = await Promise.all(
    [offered, secret].map(async (text) => {
      return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    }),
  );
  return left!.reduce((difference, byte, index) => difference | (byte ^ right![index]!), 0) === 0;
}
