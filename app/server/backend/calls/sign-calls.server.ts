import { signCall, signatureHeader } from "#supabase/functions/_shared/host/site-signature";

/**
 * Signs calls of edge functions, which accept only a few unsigned ones an hour. Other calls pass unchanged.
 * @param siteKey null: no call is signed
 */
export function signCalls(base: typeof fetch, siteKey: string | null): typeof fetch {
  if (siteKey === null) return base;
  return (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const name = /\/functions\/v1\/([a-z-]+)$/.exec(pathname)?.[1];
    if (name === undefined || typeof init?.body !== "string") return base(input, init);
    const headers = new Headers(init.headers);
    headers.set(signatureHeader, signCall(siteKey, { name, headers, body: init.body }));
    return base(input, { ...init, headers });
  };
}
