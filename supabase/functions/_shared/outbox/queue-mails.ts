import { codeOf, isBackendAway } from "../host/backend.ts";
import { logEvent } from "../host/runtime.ts";

/** Mails of one kind that are due. */
interface DueMails<Item> {
  /** log event of a failure, with the first code and the number of mails that failed */
  event: string;
  list(): Promise<readonly Item[]>;
  queue(item: Item): Promise<unknown>;
}

/**
 * Queues the due mails of a kind. A failure is logged and left to the next run, so that it blocks neither the others nor
 * other mail. If the backend is unavailable, stops, because the others would fail, too.
 */
export async function queueMails<Item>({ event, list, queue }: DueMails<Item>): Promise<void> {
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
