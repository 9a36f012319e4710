import { BackendUnavailable, secretBackend } from "./host/backend.ts";
import { readReplyClock } from "./reply-clock.ts";

/**
 * Stores the firm's time zone (TIME_ZONE) in the database, which computes due dates with it. The embedded backend does
 * this when it starts; in a hosted project only the functions have the setting.
 * @throws BackendUnavailable
 */
export async function applyTimeZone(): Promise<void> {
  const { error } = await secretBackend().rpc("set_time_zone", { name: readReplyClock().timeZone });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
}
