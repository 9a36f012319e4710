import { siteVersion } from "~/lib/site-version";
import { isEchoPath } from "../../config/echo-path.server";
import type { Secrets } from "../../config/secrets.server";
import type { Settings } from "../../config/settings.server";
import { sendText } from "../send-text.server";
import type { Step } from "./exchange.server";
import { compareRequest } from "./hop-watch.server";

/**
 * Tells the operator's `doctor --from-outside` how its request arrived: how many proxies it passed, and whether
 * TRUSTED_PROXIES agrees. Others get the page for unknown addresses.
 */
export function echoRequest(settings: Pick<Settings, "trustedProxies">, secrets: Pick<Secrets, "derive">): Step {
  return (exchange, next) => {
    const { request, response } = exchange;
    if (request.method !== "GET" || !isEchoPath(() => secrets.derive("echo"), request.url ?? "")) return next();
    exchange.route = null;
    const { hops, mismatch } = compareRequest(request, settings.trustedProxies);
    sendText(response, 200, `${JSON.stringify({ hops, mismatch, version: siteVersion })}\n`, {
      "Content-Type": "application/json; charset=utf-8",
    });
  };
}
