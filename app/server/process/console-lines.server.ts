import { consoleLevels, interceptConsole } from "../observability/console-line.server";
import { type Log, type LogEvent, describeError } from "../observability/log.server";

/** Lines of one place in the program a minute; the rest of the minute is one more line, which counts them. */
const maxPerMinute = 5;
const minuteMs = 60_000;

interface Place {
  shown: number;
  leftOut: number;
}

/**
 * From here on what libraries and Node itself write to the console is one JSON line in the log: where in the program it was
 * written, and of an error its class and code. The words are left out: they may quote what a visitor sent. The console
 * belongs to the whole process, so this is for who owns the process.
 * @returns counts of what was written, whether it is in the log or was left out; they go on growing
 */
export function sendConsoleToLog(log: Log): Readonly<Record<"info" | "warn", number>> {
  const places = new Map<string, Place>();
  const lines = { info: 0, warn: 0 };

  function note(level: "info" | "warn", from: string, event: LogEvent): void {
    lines[level] += 1;
    const place = places.get(from) ?? { shown: 0, leftOut: 0 };
    if (places.size === 0) setTimeout(reportLeftOut, minuteMs).unref();
    places.set(from, place);
    if (place.shown === maxPerMinute) {
      place.leftOut++;
      return;
    }
    place.shown++;
    log[level](event);
  }

  function reportLeftOut(): void {
    for (const [from, { leftOut }] of places)
      if (leftOut > 0) log.warn({ event: "library.console-left-out", from, lines: leftOut });
    places.clear();
  }

  interceptConsole(({ method, from, error }) =>
    note(consoleLevels[method], from, { event: "library.console", method, from, ...error }),
  );
  process.removeAllListeners("warning");
  process.on("warning", (warning) =>
    note("warn", warning.name, { event: "node.warning", from: warning.name, ...describeError(warning) }),
  );
  return lines;
}
