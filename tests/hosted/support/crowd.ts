import { setTimeout as wait } from "node:timers/promises";
import { type Answer, Visitor, filledContactForm } from "../../support/visitor.ts";

/** What visitors met while something was done to the services. */
export interface CrowdReport {
  pages: { asked: number; failed: number };
  /** `failed` attempts are made again after {@link pause}; `mostInARow` is of one client */
  messages: { accepted: string[]; failed: number; mostInARow: number };
  admin: { asked: number; failed: number; mostInARow: number; signedOut: number };
}

/** How many visitors open a page in a second. */
export const visitorsASecond = 50;
const senders = 4;
/** Milliseconds after which a person tries again what has failed, as the page asks them to. */
const pause = 5_000;
const paths = ["/", "/about", "/value", "/contact", "/privacy-policy"];

/**
 * Sends visitors until the work is done: pages at a steady rate whatever the answers take, four who send one message after
 * the other, and an admin who looks at the inbox every half second.
 * @param admin somebody who is signed in
 */
export async function withCrowd(url: string, admin: Visitor, work: () => Promise<unknown>): Promise<CrowdReport> {
  const report: CrowdReport = {
    pages: { asked: 0, failed: 0 },
    messages: { accepted: [], failed: 0, mostInARow: 0 },
    admin: { asked: 0, failed: 0, mostInARow: 0, signedOut: 0 },
  };
  const stop = new AbortController();
  const crowd = [
    openPages(url, report, stop.signal),
    lookAtInbox(admin, report, stop.signal),
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
    const path = paths[pages.asked++ % paths.length] ?? "/";
    const answer = await new Visitor(url).get(path).catch(() => null);
    if (answer?.status !== 200) pages.failed += 1;
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
    let answer: Answer | null = await send();
    while (answer?.status !== 303) {
      messages.failed += 1;
      messages.mostInARow = Math.max(messages.mostInARow, ++inARow);
      await wait(pause);
      answer = await send();
    }
    inARow = 0;
    messages.accepted.push(message);
    await wait(200);
  }
}

async function lookAtInbox(visitor: Visitor, { admin }: CrowdReport, stop: AbortSignal): Promise<void> {
  let inARow = 0;
  while (!stop.aborted) {
    admin.asked += 1;
    const answer = await visitor.get("/admin").catch(() => null);
    if (answer?.status === 200) inARow = 0;
    else {
      if (answer?.headers.get("location")) admin.signedOut += 1;
      admin.failed += 1;
      admin.mostInARow = Math.max(admin.mostInARow, ++inARow);
      await wait(pause);
    }
    await wait(500);
  }
}
