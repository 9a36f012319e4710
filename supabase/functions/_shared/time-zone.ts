import { BackendUnavailable, secretBackend } from "./host/backend.ts";
import { replyClock } from "./reply-clock.ts";

/**
 * Tells the database the firm's time zone (TIME_ZONE), which decides due dates. The embedded backend sets it when it starts. In a hosted
 * project only the functions know it.
 * @throws BackendUnavailable
 */
export async function applyTimeZone(): Promise<void> {
  const { error } = await secretBackend().rpc("set_time_zone", { name: replyClock().timeZone });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
}
