import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileDurably } from "./durable-files.ts";

const clockName = "clock.json";

const hourMs = 60 * 60 * 1000;
/** A clock that goes on by more than this between two looks is doubted: either nothing ran for so long, or it was set wrong. */
const longestGapMs = 14 * 24 * hourMs;
/** For so long somebody can mend the clock before anything is deleted by it. */
const doubtMs = 24 * hourMs;

const clockSchema = z.object({
  /** ISO 8601, UTC: the last look */
  seenAt: z.iso.datetime(),
  /** when it was found to have jumped; null while it is trusted */
  doubtedSince: z.iso.datetime().nullable(),
});

type ClockRecord = z.output<typeof clockSchema>;

/** What a look at the clock found. */
export type ClockChange = "none" | "jumped-ahead" | "went-back" | "trusted-again";

/**
 * Looks at the clock and keeps the time for the next look, also that of a later start. Only for the process that holds the
 * folder's lock.
 * @param now milliseconds since 1970
 */
export async function watchClock(dataDir: string, now: number): Promise<ClockChange> {
  const last = await readRecord(dataDir);
  const { change, doubtedSince } = judge(last, now);
  const record: ClockRecord = { seenAt: new Date(now).toISOString(), doubtedSince };
  await writeFileDurably(join(dataDir, clockName), `${JSON.stringify(record)}\n`, 0o600);
  return change;
}

/**
 * Whether nothing may be deleted because its time is over: the clock has jumped by more than two weeks less than a day ago.
 * @param now milliseconds since 1970
 */
export async function isClockDoubted(dataDir: string, now: number): Promise<boolean> {
  return judge(await readRecord(dataDir), now).doubtedSince !== null;
}

function judge(last: ClockRecord | null, now: number): { change: ClockChange; doubtedSince: string | null } {
  if (last === null) return { change: "none", doubtedSince: null };
  const passedMs = now - Date.parse(last.seenAt);
  // Deletes nothing too soon. If it was doubted, this is how it is mended.
  if (passedMs < -hourMs) return { change: "went-back", doubtedSince: null };
  if (passedMs > longestGapMs) return { change: "jumped-ahead", doubtedSince: new Date(now).toISOString() };
  if (last.doubtedSince === null) return { change: "none", doubtedSince: null };
  const isOver = now - Date.parse(last.doubtedSince) >= doubtMs;
  return isOver ? { change: "trusted-again", doubtedSince: null } : { change: "none", doubtedSince: last.doubtedSince };
}

/** A file that is damaged counts as none: the next look writes it anew. */
async function readRecord(dataDir: string): Promise<ClockRecord | null> {
  try {
    return clockSchema.parse(JSON.parse(await readFile(join(dataDir, clockName), "utf8")));
  } catch {
    return null;
  }
}
