import { join } from "node:path";
import { z } from "zod";
import { retention } from "~/content/facts";
import type { FunctionOutcome } from "~/server/call-function.server";
import { deriveKey } from "~/server/derived-key.server";
import { describeError, log, logProblem } from "~/server/log.server";
import { getSettings } from "~/server/settings.server";
import { type Spool, openSpool } from "~/server/spool.server";
import { type Delivery, sendMessage } from "./send-message.server";

/** A thousand of the longest messages, and no more of the disk than that. */
const limits = { files: 1_000, bytes: 20_000_000 };
/** What tripped the honeypot may be a person's, but must not take the last places from all others. */
const mostHoneypotFiles = limits.files / 2;

const keptSchema = z.object({
  message: z.record(z.string(), z.unknown()),
  address: z.string().nullable(),
  keptAt: z.iso.datetime(),
});

let opened: Spool | undefined;
const spool = () =>
  (opened ??= openSpool(join(getSettings().dataDir, "contact-spool"), deriveKey("contact-spool"), limits));

/**
 * Keeps a message that the backend could not take, for {@link startDeliveries} to deliver.
 * @returns whether it is on the disk; false (logged) when there is no room or the disk fails
 */
export async function keepForLater({ message, address, key }: Delivery & { key: string }): Promise<boolean> {
  try {
    if (message.honeypot !== "" && (await spool().list()).length >= mostHoneypotFiles) return false;
    await spool().keep(key, JSON.stringify({ message, address, keptAt: new Date().toISOString() }));
    log({ event: "contact.spooled" });
    return true;
  } catch (error) {
    logProblem({ event: "contact.not-spooled", ...describeError(error) });
    return false;
  }
}

let isDelivering = false;
const firstAfterMs = 1_000;
const everyMs = 5_000;
const atMostEveryMs = 60_000;

/**
 * Delivers what is kept, from now on and as long as the process lives: at once what an earlier process left, then every
 * few seconds, less often while the backend stays away. Called again it changes nothing. Nothing need stop it: a
 * delivery that is cut off is repeated, and its key makes it count once.
 */
export function startDeliveries(): void {
  if (isDelivering) return;
  isDelivering = true;
  let failures = 0;
  const tick = async () => {
    const isThere = await deliverAll().catch((error: unknown) => {
      logProblem({ event: "contact.spool-failed", ...describeError(error) });
      return false;
    });
    failures = isThere ? 0 : failures + 1;
    const pause = Math.min(atMostEveryMs, everyMs * 2 ** Math.min(failures, 10));
    setTimeout(tick, pause * (0.8 + Math.random() * 0.2)).unref();
  };
  setTimeout(tick, firstAfterMs).unref();
}

/** How often each was tried in vain: one that always fails must not stand before all others. */
const triedInVain = new Map<string, number>();
/** Not tried again before a restart: perhaps with the right secret, or with a newer function. */
const setAside = new Map<string, "unreadable" | "refused">();

/** @returns false when the backend would not take one; the rest then waits, too */
async function deliverAll(): Promise<boolean> {
  await removePast();
  const before = setAside.size;
  try {
    return await deliverWaiting();
  } finally {
    if (setAside.size > before) {
      const unreadable = [...setAside.values()].filter((reason) => reason === "unreadable").length;
      logProblem({ event: "contact.spool-set-aside", unreadable, refused: setAside.size - unreadable });
    }
  }
}

const oncePerDayMs = 24 * 3600 * 1000;
let removedPastAt = -Infinity;

/** No copy outlives the time limit of messages, not even one that nobody can read any more. */
async function removePast(): Promise<void> {
  if (performance.now() - removedPastAt < oncePerDayMs) return;
  removedPastAt = performance.now();
  const limit = new Date();
  limit.setUTCFullYear(limit.getUTCFullYear() - retention.contactSubmissionYears);
  const removed = await spool().removeKeptBefore(limit);
  if (removed > 0) logProblem({ event: "contact.spool-expired", messages: removed });
}

async function deliverWaiting(): Promise<boolean> {
  const keys = (await spool().list()).filter((key) => !setAside.has(key));
  keys.sort((a, b) => (triedInVain.get(a) ?? 0) - (triedInVain.get(b) ?? 0));
  for (const key of keys) {
    if ((await deliver(key)) === "unavailable") {
      triedInVain.set(key, (triedInVain.get(key) ?? 0) + 1);
      logProblem({ event: "contact.spool-waits", messages: keys.length });
      return false;
    }
    triedInVain.delete(key);
  }
  return true;
}

/** Forgets a message only after the function has said that it is stored. */
async function deliver(key: string): Promise<FunctionOutcome> {
  const kept = await readKept(key);
  // Another process that shares the folder was faster, or it cannot be read.
  if (kept === null) return "refused";
  const outcome = await sendMessage({ message: kept.message, address: kept.address, key });
  if (outcome === "accepted") {
    await spool().remove(key);
    log({ event: "contact.spool-delivered", afterSeconds: Math.round((Date.now() - Date.parse(kept.keptAt)) / 1000) });
  }
  // Its file stays, as that of one that cannot be read does: it is the only copy of what somebody wrote.
  if (outcome === "refused") setAside.set(key, "refused");
  return outcome;
}

async function readKept(key: string): Promise<z.output<typeof keptSchema> | null> {
  try {
    const text = await spool().read(key);
    return text === null ? null : keptSchema.parse(JSON.parse(text));
  } catch {
    setAside.set(key, "unreadable");
    return null;
  }
}
