import type { Settings } from "./settings.server";

/** Mismatch between `TRUSTED_PROXIES` and the real proxies in front of the site. */
export type HopMismatch = "ignored" | "fewer" | "more" | "cdn";

const see = "docs/operations/proxy.md";
const onlyOneClient =
  "all visitors count as one client, and ordinary traffic can lock everyone out of the forms and the sign-in";

const warnings: Record<HopMismatch, { event: string; text: string }> = {
  ignored: {
    event: "setup.forwarded-for-ignored",
    text: `A proxy is in front of the site, but TRUSTED_PROXIES is 0, so the visitor addresses that it forwards are ignored: ${onlyOneClient}.`,
  },
  fewer: {
    event: "setup.fewer-proxies",
    text: "X-Forwarded-For lists fewer proxies than TRUSTED_PROXIES counts: visitors may be able to forge their address and escape every limit, or all of them count as one client.",
  },
  more: {
    event: "setup.more-proxies",
    text: `X-Forwarded-For lists more proxies than TRUSTED_PROXIES counts, so a proxy's address counts as the visitor's: ${onlyOneClient}.`,
  },
  cdn: {
    event: "setup.cdn-not-counted",
    text: "Requests come through a CDN that TRUSTED_PROXIES or the proxy next to the site does not account for: visitors share an address of the CDN or the proxy, and ordinary traffic can lock them out of the forms and the sign-in.",
  },
};

/** Returns the `SetupWarning` for a mismatch. It suggests no number: a wrong guess would make matters worse. */
export function createHopWarning(misfit: HopMismatch) {
  return { ...warnings[misfit], see };
}

/**
 * Finds mismatches from the settings alone. This server does not terminate TLS, so an https address implies a proxy.
 */
export function listProxyWarnings({ isHttps, trustedProxies }: Settings) {
  return isHttps && trustedProxies === 0 ? [{ ...createHopWarning("ignored"), isCertain: true }] : [];
}
