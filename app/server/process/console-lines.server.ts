import { consoleLevels, interceptConsole } from "../observability/console-line.server";
import { type Log, type LogEvent, describeError } from "../observability/log.server";

/** Lines logged per source and minute. One more line reports how many were left out. */
const maxPerMinute = 5;
const minuteMs = 60_000;

interface Source {
  logged: number;
  leftOut: number;
}

/**
 * Redirects console output of libraries and of Node to the log, as one JSON line each. A line has the source position,
 * and the class and code of an error. It leaves out the text, which may quote a visitor. The console belongs to the
 * whole process, so only the owner of the process may call this.
 */
export function sendConsoleToLog(log: Log): void {
  const sources = new Map<string, Source>();

  function record(level: "info" | "warn", from: string, event: LogEvent): void {
    const source = sources.get(from) ?? { logged: 0, leftOut: 0 };
    if (sources.size === 0) setTimeout(reportLeftOut, minuteMs).unref();
    sources.set(from, source);
    if (source.logged === maxPerMinute) {
      source.leftOut++;
      return;
    }
    source.logged++;
    log[level](event);
  }

  function reportLeftOut(): void {
    for (const [from, { leftOut }] of sources)
      if (leftOut > 0) log.warn({ event: "library.console-left-out", from, lines: leftOut });
    sources.clear();
  }

  interceptConsole(({ method, from, error }) =>
    record(consoleLevels[method], from, { event: "library.console", method, from, ...error }),
  );
  process.removeAllListeners("warning");
  process.on("warning", (warning) =>
    record("warn", warning.name, { event: "node.warning", from: warning.name, ...describeError(warning) }),
  );
}
