import { join } from "node:path";
import { applyWords } from "~/content/words/apply-words.server";
import { listWordFiles, readWordFolder } from "~/content/words/word-folder.server";
import { repeat } from "~/lib/repeat";
import type { Settings } from "./config/settings.server";
import type { Timeouts } from "./config/timeouts.server";
import { type Log, describeError } from "./observability/log.server";

/** A firm's own words, as this process shows them. */
export type Words = ReturnType<typeof createWords>;

/** Most mistakes in one line of the log; `words check` prints all. */
const mostLogged = 10;

/** Milliseconds since its last change until a file counts as written. */
const settledMs = 2_000;

/** Dependencies of {@link createWords}. */
interface WordsDependencies {
  settings: Pick<Settings, "dataDir">;
  log: Log;
  timeouts: Pick<Timeouts, "wordsCheck">;
}

/**
 * Creates the reader of the folder `words` in the data folder. With a mistake in any file, the last good words stay.
 */
export function createWords({ settings: { dataDir }, log, timeouts }: WordsDependencies) {
  const folder = join(dataDir, "words");
  let seen = "";
  let mistakes: readonly string[] = [];
  let digest = "";
  let restore: (() => void) | undefined;

  /** Reads the files if any changed. @returns true if the pages have other words now */
  function read(): boolean {
    try {
      const files = listWordFiles(folder);
      const mark = files.map((file) => file.mark).join("\n");
      if (mark === seen || files.some(({ modifiedMs }) => Math.abs(Date.now() - modifiedMs) < settledMs)) return false;
      const found = readWordFolder(folder);
      seen = mark;
      ({ mistakes } = found);
      if (mistakes.length > 0) {
        log.error({
          event: "words.refused",
          count: mistakes.length,
          mistakes: mistakes.slice(0, mostLogged).join("; "),
        });
        return false;
      }
      restore?.();
      restore = applyWords(found.changes);
      ({ digest } = found);
      log.info({ event: "words.read", count: found.changes.length });
      return true;
    } catch (error) {
      if (seen !== "unreadable") log.error({ event: "words.unreadable", ...describeError(error) });
      seen = "unreadable";
      mistakes = [`${folder} cannot be read`];
      return false;
    }
  }

  return {
    /**
     * Reads the words now, and again whenever a file changed.
     * @param onChange empties what was rendered before
     * @returns ends this, and puts the built-in words back
     */
    start(onChange: () => void) {
      read();
      const look = async () => {
        if (read()) onChange();
      };
      const { stop } = repeat(look, { everyMs: timeouts.wordsCheck });
      return async () => {
        await stop();
        restore?.();
      };
    },
    /** Lists the mistakes in the files, which keep their words from the pages. */
    listMistakes: () => mistakes,
    /** Identifies the words that this process shows. */
    digest: () => digest,
  };
}
