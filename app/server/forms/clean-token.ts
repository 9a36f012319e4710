/**
 * Undoes what mail programs and people do to a token: a line break inside it, quoted-printable that was not decoded
 * (`token=3D…`), and what was copied along with it, such as a full stop or a bracket.
 */
export function cleanToken(raw: string): string {
  const copied = raw.slice(0, 400).replace(/=?[\r\n]+|[\p{Cf}\p{Z}]/gu, "");
  const run = /[\w-]+/.exec(copied)?.[0] ?? "";
  const token = /^3D/i.test(run) && tokenLengths.includes(run.length - 2) ? run.slice(2) : run;
  return token.slice(
    0,
    tokenLengths.find((length) => token.length >= length),
  );
}

/** Characters of a token: 64 of a member of the network, 43 of all others. The longer come first. */
const tokenLengths = [64, 43];
