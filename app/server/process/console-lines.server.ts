import { type Log, describeError } from "../observability/log.server";
import { type Counter, createCounter } from "../observability/prometheus-format.server";

/** How the methods of the console stand in the log: never "error", which is for what our own code knows to be one. */
const levels = { debug: "info", error: "warn", info: "info", log: "info", trace: "warn", warn: "warn" } as const;

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
 * @returns counts what was written, whether it is in the log or was left out
 */
export function sendConsoleToLog(log: Log): Counter<{ level: "info" | "warn" }> {
  const places = new Map<string, Place>();
  const lines = createCounter<{ level: "info" | "warn" }>(
    "site_console_lines_total",
    "What libraries wrote to the console.",
    [{ level: "info" }, { level: "warn" }],
  );

  function note(level: "info" | "warn", from: string, event: { event: string; method?: string }, written: unknown[]) {
    lines.add({ level });
    const place = places.get(from) ?? { shown: 0, leftOut: 0 };
    if (places.size === 0) setTimeout(reportLeftOut, minuteMs).unref();
    places.set(from, place);
    if (place.shown === maxPerMinute) {
      place.leftOut++;
      return;
    }
    place.shown++;
    const error = written.find((value) => value instanceof Error);
    log[level]({ ...event, from, ...(error && describeError(error)) });
  }

  function reportLeftOut(): void {
    for (const [from, { leftOut }] of places)
      if (leftOut > 0) log.warn({ event: "library.console-left-out", from, lines: leftOut });
    places.clear();
  }

  for (const method of Object.keys(levels) as (keyof typeof levels)[]) {
    console[method] = (...written: unknown[]) =>
      note(levels[method], findCaller(), { event: "library.console", method }, written);
  }
  process.removeAllListeners("warning");
  process.on("warning", (warning) => note("warn", warning.name, { event: "node.warning" }, [warning]));
  return lines;
}

/** @returns e.g. `@supabase/auth-js/dist/main/GoTrueClient.js:3576:29` */
function findCaller(): string {
  // Its own line, this function, the console's method, and then whoever called that.
  const frame = new Error().stack?.split("\n")[3] ?? "";
  const place = frame.slice(Math.max(frame.lastIndexOf("("), frame.lastIndexOf(" ")) + 1).replace(/\)$/, "");
  return place.split(/node_modules[/\\]/).at(-1) || "unknown";
}
