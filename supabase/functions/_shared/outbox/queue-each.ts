import { BackendUnavailable, isBackendAway } from "../host/backend.ts";
import { logEvent } from "../host/runtime.ts";

/**
 * Queues the mail of each item. A failed item is left to the next run and does not block the others. If the backend is
 * unavailable, stops, because the others would fail, too.
 * @param event log event for failures, logged with the first code and the number of failures
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
