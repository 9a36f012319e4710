import type { IncomingMessage } from "node:http";
import { resolveClientAddress } from "~/lib/http/client-address";

/** The address of the visitor's machine, as far as it can be believed ({@link resolveClientAddress}). */
export function addressOf({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const forwardedFor = headers["x-forwarded-for"];
  const trail = typeof forwardedFor === "string" ? forwardedFor : null;
  return resolveClientAddress(socket.remoteAddress ?? "", trail, trustedProxies);
}
