import { inspect } from "node:util";
import { describeError } from "./log.server";

/** How each method of the console stands in the log: never "error", which is for what our own code knows to be one. */
export const consoleLevels = {
  debug: "info",
  error: "warn",
  info: "info",
  log: "info",
  trace: "warn",
  warn: "warn",
} as const;

/** A method of the console that libraries write to. */
export type ConsoleMethod = keyof typeof consoleLevels;

/** Something that was written to the console, as structured data. */
export interface ConsoleLine {
  method: ConsoleMethod;
  /** e.g. `@supabase/auth-js/dist/main/GoTrueClient.js:3576:29` */
  from: string;
  /** of an error in it, what may be logged */
  error: Record<string, string> | undefined;
}

/**
 * Takes over the console of this thread.
 * @param take is given each line, and what was written in it: its words may quote a visitor
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
 * Writes a line of another thread's console to the console of this one, whoever has that.
 * @param words the line itself, for a developer's eyes
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
  // Its own line, this function, the console's method, and then whoever called that.
  const frame = new Error().stack?.split("\n")[3] ?? "";
  const place = frame.slice(Math.max(frame.lastIndexOf("("), frame.lastIndexOf(" ")) + 1).replace(/\)$/, "");
  return place.split(/node_modules[/\\]/).at(-1) || "unknown";
}
