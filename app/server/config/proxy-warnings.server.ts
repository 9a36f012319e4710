import type { Settings } from "./settings.server";

/** How `TRUSTED_PROXIES` and what stands in front of the site can disagree. */
export type HopMisfit = "ignored" | "fewer" | "more" | "cdn";

const see = "docs/OPERATIONS.md, Behind a proxy";
const onlyOneClient =
  "all visitors count as one client, and ordinary traffic can lock everybody out of the forms and of signing in";

const warnings: Record<HopMisfit, { event: string; text: string }> = {
  ignored: {
    event: "setup.forwarded-for-ignored",
    text: `A proxy stands in front of the site, and TRUSTED_PROXIES is 0, so the visitors' addresses that it passes on are ignored: ${onlyOneClient}.`,
  },
  fewer: {
    event: "setup.fewer-proxies",
    text: "Requests name fewer proxies in X-Forwarded-For than TRUSTED_PROXIES counts: visitors may be able to choose the address that they are counted by, so that no limit holds them, or all of them count as one client.",
  },
  more: {
    event: "setup.more-proxies",
    text: `Requests name more proxies in X-Forwarded-For than TRUSTED_PROXIES counts, so the address of a proxy is taken for the visitor's: ${onlyOneClient}.`,
  },
  cdn: {
    event: "setup.cdn-not-counted",
    text: "Requests come through a CDN that TRUSTED_PROXIES and the proxy beside the site do not reckon with: an address of the CDN or of the proxy counts as the visitor's, visitors share it, and ordinary traffic can lock them out of the forms and of signing in.",
  },
};

/** The `SetupWarning` about a misfit: what it costs, and where to read on. It names no number, which a wrong guess would make worse. */
export function warnAboutHops(misfit: HopMisfit) {
  return { ...warnings[misfit], see };
}

/** Finds what the settings alone reveal: this server speaks no TLS, so an https address means that a proxy ends it. */
export function listProxyWarnings({ isHttps, trustedProxies }: Settings) {
  return isHttps && trustedProxies === 0 ? [warnAboutHops("ignored")] : [];
}
