import { codeOf, isBackendAway } from "../host/backend.ts";
import { logEvent } from "../host/runtime.ts";

/**
 * Queues the mail of each due item. A failure is logged and left to the next run, so that it blocks neither the others
 * nor other mail. If the backend is unavailable, stops, because the others would fail, too.
 * @param event log event for failures, logged with the first code and the number of failed items
 */
export async function queueEach<Item>(
  event: string,
  list: () => Promise<readonly Item[]>,
  queue: (item: Item) => Promise<unknown>,
): Promise<void> {
  const codes: string[] = [];
  const items = await list().catch((error: unknown) => {
    logEvent({ event, code: codeOf(error) });
    return [];
  });
  for (const item of items) {
    try {
      await queue(item);
    } catch (error) {
      const code = codeOf(error);
      codes.push(code);
      if (isBackendAway(code)) break;
    }
  }
  if (codes.length > 0) logEvent({ event, code: codes[0], count: codes.length });
}
