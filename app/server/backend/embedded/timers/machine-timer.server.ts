import { watchClock } from "#supabase/embedded/folder/clock-watch";
import { type Repetition, repeat } from "~/lib/repeat";
import { type Log, describeError } from "../../../observability/log.server";
import { readMachineHealth } from "../../machine-health.server";

const remedies = {
  "jumped-ahead":
    "set the clock if it is wrong; if it is right, because nothing ran for two weeks, do nothing: deleting what is past its " +
    "time goes on in a day",
  "went-back": "set the clock if it is wrong; what was stored meanwhile bears times to come",
  disk: "free some space, or forms will be refused: docs/OPERATIONS.md, A full disk",
};

/**
 * Looks at the clock and the disk by the clock, and tells the operator's log what somebody has to mend. The first look is
 * over when this returns: what deletes by the clock comes after it.
 */
export async function startMachineTimer(dataDir: string, log: Log, everyMs: number): Promise<Repetition> {
  async function look(): Promise<void> {
    try {
      const change = await watchClock(dataDir, Date.now());
      if (change === "trusted-again") log.info({ event: "clock.trusted-again" });
      else if (change !== "none") log.error({ event: `clock.${change}`, remedy: remedies[change] });
    } catch (error) {
      // On a full disk; the last look's time stays.
      log.error({ event: "clock.not-kept", ...describeError(error) });
    }
    const health = await readMachineHealth({ backend: { kind: "embedded" }, dataDir });
    if (health === null || health.disk === "ok") return;
    log.error({ event: `disk.${health.disk}`, freeBytes: health.freeBytes, remedy: remedies.disk });
  }
  await look();
  return repeat(look, { everyMs });
}
