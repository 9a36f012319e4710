import { type Marks, listMarks } from "~/content/firm/folder-marks.server";
import { repeat } from "~/lib/repeat";
import { type Log, describeError } from "../observability/log.server";

/** Most mistakes in one line of the log; commands print all. */
const mostLogged = 10;

/** Milliseconds since its last change until a file counts as written. */
const settledMs = 2_000;

/** Dependencies of {@link watchFolder}. */
interface FolderWatchParts {
  /** name for the log: `<name>.read`, `<name>.refused` and `<name>.unreadable` */
  name: "words" | "insights";
  folder: string;
  /** folders below it that count, too */
  inner?: readonly string[];
  /** Reads the files. @returns one line for each mistake, and the number of texts that pages show now; null if it stays */
  take(marks: Marks): { mistakes: readonly string[]; count: number | null };
  log: Log;
  everyMs: number;
}

/**
 * Watches a folder of an operator's texts, which may not exist. It looks at times and sizes, which also works on network
 * disks, and reads all files when one changed.
 */
export function watchFolder({ name, folder, inner = [], take, log, everyMs }: FolderWatchParts) {
  let seen = "";
  let mistakes: readonly string[] = [];

  /** @returns true if pages show other texts now */
  function look(): boolean {
    try {
      const { marks, newestMs } = listMarks(folder, inner);
      const mark = JSON.stringify([...marks]);
      if (mark === seen || Math.abs(Date.now() - newestMs) < settledMs) return false;
      const isFirst = seen === "" && marks.size === 0;
      seen = mark;
      if (isFirst) return false;
      const taken = take(marks);
      ({ mistakes } = taken);
      if (mistakes.length > 0) {
        const listed = mistakes.slice(0, mostLogged).join("; ");
        log.error({ event: `${name}.refused`, count: mistakes.length, mistakes: listed });
      }
      if (taken.count !== null) log.info({ event: `${name}.read`, count: taken.count });
      return taken.count !== null;
    } catch (error) {
      const failed = `unreadable ${String(error)}`;
      if (seen !== failed) log.error({ event: `${name}.unreadable`, ...describeError(error) });
      seen = failed;
      mistakes = [`${folder} cannot be read: let the site’s user read it`];
      return false;
    }
  }

  return {
    /** Lists the mistakes that keep texts from the pages. */
    listMistakes: () => mistakes,
    /**
     * Reads the folder now, and again whenever a file changed.
     * @param onChange empties what was rendered before
     * @returns ends this
     */
    start(onChange: () => void): () => Promise<void> {
      const readAgain = () => {
        if (look()) onChange();
      };
      readAgain();
      return repeat(async () => readAgain(), { everyMs }).stop;
    },
  };
}
