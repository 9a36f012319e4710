import { inspect } from "node:util";
import { describeError } from "./log.server";

/** Log level of each console method. Never "error": that level is for errors that our own code recognizes. */
export const consoleLevels = {
  debug: "info",
  error: "warn",
  info: "info",
  log: "info",
  trace: "warn",
  warn: "warn",
} as const;

/** Console method that libraries use. */
export type ConsoleMethod = keyof typeof consoleLevels;

/** A console call as structured data. */
export interface ConsoleLine {
  method: ConsoleMethod;
  /** e.g. `@supabase/auth-js/dist/main/GoTrueClient.js:3576:29` */
  from: string;
  /** the loggable parts of an error among the arguments */
  error: Record<string, string> | undefined;
}

/**
 * Intercepts this thread's console.
 * @param take receives each line and its arguments, which may quote a visitor
 */
export function interceptConsole(take: (line: ConsoleLine, written: unknown[]) => void): void {
  for (const method of Object.keys(consoleLevels) as ConsoleMethod[]) {
    console[method] = (...written: unknown[]) => {
      if (written[0] instanceof ForwardedLine) return take(written[0].line, written);
      const error = written.find((value) => value instanceof Error);
      take({ method, from: findCaller(), error: error && describeError(error) }, written);
    };
  }
}

/**
 * Writes a console line of another thread to this thread's console, intercepted or not.
 * @param words the formatted line, for developers
 */
export function forwardToConsole(line: ConsoleLine, words: string): void {
  console[line.method](new ForwardedLine(line, words));
}

class ForwardedLine {
  readonly line: ConsoleLine;
  readonly #words: string;

  constructor(line: ConsoleLine, words: string) {
    this.line = line;
    this.#words = words;
  }

  [inspect.custom](): string {
    return this.#words;
  }
}

function findCaller(): string {
  // Frames: "Error", this function, the console method, then its caller.
  const frame = new Error().stack?.split("\n")[3] ?? "";
  const place = frame.slice(Math.max(frame.lastIndexOf("("), frame.lastIndexOf(" ")) + 1).replace(/\)$/, "");
  return place.split(/node_modules[/\\]/).at(-1) || "unknown";
}
