import { setTimeout as wait } from "node:timers/promises";
import { type Answer, Visitor, filledContactForm } from "../../support/visitor.ts";

/** Results of the simulated visitors' requests while the services were disturbed. */
export interface CrowdReport {
  pages: { requested: number; failed: number };
  /** `failed` attempts are retried after {@link pause}; `mostInARow` is the maximum for one client */
  messages: { accepted: string[]; failed: number; mostInARow: number };
  admin: { requested: number; failed: number; mostInARow: number; signedOut: number };
}

/** Page requests per second. */
export const visitorsASecond = 50;
const senders = 4;
/** Milliseconds until a person retries after a failure, as the page asks. */
const pause = 5_000;
const paths = ["/", "/about", "/value", "/contact", "/privacy-policy"];

/**
 * Simulates visitors until the work is done: page requests at a steady rate regardless of response times, four senders
 * who send one message after another, and an admin who opens the inbox every half second.
 * @param admin a signed-in visitor
 */
export async function withCrowd(url: string, admin: Visitor, work: () => Promise<unknown>): Promise<CrowdReport> {
  const report: CrowdReport = {
    pages: { requested: 0, failed: 0 },
    messages: { accepted: [], failed: 0, mostInARow: 0 },
    admin: { requested: 0, failed: 0, mostInARow: 0, signedOut: 0 },
  };
  const stop = new AbortController();
  const crowd = [
    openPages(url, report, stop.signal),
    pollInbox(admin, report, stop.signal),
    ...Array.from({ length: senders }, () => sendMessages(url, report, stop.signal)),
  ];
  try {
    await wait(1_000);
    await work();
    await wait(1_000);
  } finally {
    stop.abort();
    await Promise.all(crowd);
  }
  return report;
}

async function openPages(url: string, { pages }: CrowdReport, stop: AbortSignal): Promise<void> {
  const open = async () => {
    const path = paths[pages.requested++ % paths.length] ?? "/";
    const response = await new Visitor(url).get(path).catch(() => null);
    if (response?.status !== 200) pages.failed += 1;
  };
  const begin = performance.now();
  const opening: Promise<void>[] = [];
  while (!stop.aborted) {
    const due = ((performance.now() - begin) / 1_000) * visitorsASecond;
    while (opening.length < due) opening.push(open());
    await wait(20);
  }
  await Promise.all(opening);
}

async function sendMessages(url: string, { messages }: CrowdReport, stop: AbortSignal): Promise<void> {
  const sender = new Visitor(url);
  let inARow = 0;
  while (!stop.aborted) {
    const message = `Message ${crypto.randomUUID()}`;
    const send = () => sender.post("/contact", { ...filledContactForm, message }).catch(() => null);
    let response: Answer | null = await send();
    while (response?.status !== 303) {
      messages.failed += 1;
      messages.mostInARow = Math.max(messages.mostInARow, ++inARow);
      await wait(pause);
      response = await send();
    }
    inARow = 0;
    messages.accepted.push(message);
    await wait(200);
  }
}

async function pollInbox(visitor: Visitor, { admin }: CrowdReport, stop: AbortSignal): Promise<void> {
  let inARow = 0;
  while (!stop.aborted) {
    admin.requested += 1;
    const response = await visitor.get("/admin").catch(() => null);
    if (response?.status === 200) inARow = 0;
    else {
      if (response?.headers.get("location")) admin.signedOut += 1;
      admin.failed += 1;
      admin.mostInARow = Math.max(admin.mostInARow, ++inARow);
      await wait(pause);
    }
    await wait(500);
  }
}
