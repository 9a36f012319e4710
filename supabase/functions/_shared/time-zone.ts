import { BackendUnavailable, secretBackend } from "./host/backend.ts";
import { replyClock } from "./reply-clock.ts";

/**
 * Tells the database where the firm is (TIME_ZONE): its days are those of due dates. The embedded backend does so at its start; a hosted
 * project has nobody but the functions who knows.
 */
export async function applyTimeZone(): Promise<void> {
  const { error } = await secretBackend().rpc("set_time_zone", { name: replyClock().timeZone });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
}
