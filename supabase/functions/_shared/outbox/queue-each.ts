import { BackendUnavailable, isBackendAway } from "../host/backend.ts";
import { logEvent } from "../host/runtime.ts";

/**
 * Queues the mail of each item. One that cannot be queued is left to the next run and holds up no other, unless the backend
 * is away: then the others would wait for it in vain.
 * @param event names in the log that some could not, with the first one's code and how many
 */
export async function queueEach<Item>(
  event: string,
  items: readonly Item[],
  queue: (item: Item) => Promise<void>,
): Promise<void> {
  const codes: string[] = [];
  for (const item of items) {
    try {
      await queue(item);
    } catch (error) {
      const code = error instanceof BackendUnavailable ? error.code : "unexpected";
      codes.push(code);
      if (isBackendAway(code)) break;
    }
  }
  if (codes.length > 0) logEvent({ event, code: codes[0], count: codes.length });
}
