import { join } from "node:path";
import { applyWords } from "~/content/words/apply-words.server";
import { readWordFolder } from "~/content/words/word-folder.server";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import type { Log } from "../observability/log.server";
import { watchFolder } from "./folder-watch.server";

/** Dependencies of the readers of an operator's texts. */
export interface OwnTextsDependencies {
  settings: Pick<Settings, "dataDir">;
  log: Log;
  timeouts: Pick<Timeouts, "ownTexts">;
}

/** Creates the reader of a firm's own words. With a mistake in any file, the last good words stay. */
export function createWords({ settings: { dataDir }, log, timeouts }: OwnTextsDependencies) {
  const folder = join(dataDir, "words");
  let restore: (() => void) | undefined;
  const { start, listMistakes } = watchFolder({
    name: "words",
    folder,
    log,
    everyMs: timeouts.ownTexts,
    take() {
      const { changes, mistakes } = readWordFolder(folder);
      if (mistakes.length > 0) return { mistakes, count: null };
      restore?.();
      restore = applyWords(changes);
      return { mistakes, count: changes.length };
    },
  });
  return {
    listMistakes,
    start(onChange: () => void): () => Promise<void> {
      const stop = start(onChange);
      return async () => {
        await stop();
        restore?.();
      };
    },
  };
}
