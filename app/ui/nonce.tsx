import { createContext, useContext } from "react";

const NonceContext = createContext<string | undefined>(undefined);

/** Gives the page's script nonce to everything below; only the server renders it. */
export const NonceProvider = NonceContext.Provider;

/** The nonce that this page's scripts must carry; undefined in the browser, which hides nonces from scripts. */
export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
