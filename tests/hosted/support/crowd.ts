import { setTimeout as wait } from "node:timers/promises";
import { Visitor, filledContactForm } from "../../support/visitor.ts";

/** Observations of simulated visitors while the services were disturbed. */
export interface CrowdReport {
  failedPages: number;
  /** accepted messages; failed attempts are retried after {@link pause} */
  accepted: string[];
  signedOut: number;
  /** true when an attempt of a sender or of the admin failed after a failed one */
  failedTwice: boolean;
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
  const report: CrowdReport = { failedPages: 0, accepted: [], signedOut: 0, failedTwice: false };
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

async function openPages(url: string, report: CrowdReport, stop: AbortSignal): Promise<void> {
  const begin = performance.now();
  const opening: Promise<void>[] = [];
  const open = async () => {
    const path = paths[opening.length % paths.length] ?? "/";
    const response = await new Visitor(url).get(path).catch(() => null);
    if (response?.status !== 200) report.failedPages += 1;
  };
  while (!stop.aborted) {
    const due = ((performance.now() - begin) / 1_000) * visitorsASecond;
    while (opening.length < due) opening.push(open());
    await wait(20);
  }
  await Promise.all(opening);
}

async function sendMessages(url: string, report: CrowdReport, stop: AbortSignal): Promise<void> {
  const sender = new Visitor(url);
  while (!stop.aborted) {
    const message = `Message ${crypto.randomUUID()}`;
    const send = () => sender.post("/contact", { ...filledContactForm, message }).catch(() => null);
    for (let failures = 0; (await send())?.status !== 303; failures += 1) {
      if (failures > 0) report.failedTwice = true;
      await wait(pause);
    }
    report.accepted.push(message);
    await wait(200);
  }
}

async function pollInbox(admin: Visitor, report: CrowdReport, stop: AbortSignal): Promise<void> {
  let hasFailed = false;
  while (!stop.aborted) {
    const response = await admin.get("/admin").catch(() => null);
    const fails = response?.status !== 200;
    if (response?.headers.get("location")) report.signedOut += 1;
    if (fails && hasFailed) report.failedTwice = true;
    hasFailed = fails;
    await wait(fails ? pause : 500);
  }
}
