import type { Resolver } from "node:dns/promises";
import { commandLine } from "~/lib/command-line";
import type { Settings } from "../../config/settings.server";
import type { LocalServer } from "./local-server.server";
import type { Outside } from "./outside/visit.server";
import type { RunningServer } from "./running-server.server";

/**
 * `fix`: something fails, or will. `look at`: it may be intended. `not checked`: this command cannot know, and the
 * remedy says how to find out.
 */
export type Verdict = "ok" | "look at" | "fix" | "not checked";

/** Result of one check: one line for the operator, without personal data and secrets. */
export interface Finding {
  name: string;
  verdict: Verdict;
  text: string;
  /** null if there is nothing to do */
  remedy: string | null;
  /** lines of a list, after all findings */
  details?: readonly string[];
}

/** Part of `node:dns` that the checks of mail use. */
export type MailResolver = Pick<Resolver, "resolveMx" | "resolveTxt" | "resolve4" | "resolve6">;

/** The installation under examination. */
export interface Installation {
  settings: Settings;
  /** direct connection of the hosted project, if the operator set it for this command */
  databaseUrl: string | undefined;
  resolver: MailResolver;
  /** the server on this machine; asked once for all checks */
  server: Promise<LocalServer>;
  /** the process that holds the data folder; asked once for all checks */
  running: Promise<RunningServer>;
  outside: Outside;
  /** true in a container, which has to listen on all addresses */
  isContainer: boolean;
  /** true if the operator asked to write the site's facts into the hosted project's database */
  writesFacts: boolean;
  /** true if the operator asked for a test email */
  sendsMail: boolean;
  /** DKIM selector, if the operator gave it */
  selector: string | undefined;
  /** true if a missing fact is to be fixed even on a site that is not public, and facts and claims are to be listed */
  isStrict: boolean;
}

/**
 * A group of checks. It may throw: the caller reports that as "not checked", and with a data folder that cannot be used,
 * what to do first.
 */
export type Check = (installation: Installation) => Promise<Finding[]>;

/** Creates a finding without a remedy. */
export function ok(name: string, text: string): Finding {
  return { name, verdict: "ok", text, remedy: null };
}

const createFinding = (verdict: Verdict) => (name: string, text: string, remedy: string) =>
  ({ name, verdict, text, remedy }) satisfies Finding;

/** Creates a finding that the operator may have intended. */
export const lookAt = createFinding("look at");

/** Creates a finding that is certain. */
export const fix = createFinding("fix");

/** Creates a finding for something that this command cannot see: why, and what to do or run. */
export const notChecked = createFinding("not checked");

/**
 * Creates a finding for something that this command can see after a step of the operator.
 * @param first that step, e.g. "Start it"
 */
export function notYet(name: string, text: string, first: string, words = "doctor"): Finding {
  return notChecked(name, text, `${first}, then run \`${commandLine(words)}\`.`);
}

/**
 * Splits a message that the start prints: `problem: remedy.`, or sentences of which the first is the problem.
 * @returns the problem as a sentence, and the remedy
 */
export function splitMessage(message: string): [text: string, remedy: string] {
  const [first = "", ...others] = message.split(/(?<=\.) (?=[A-Z])/);
  if (others.length > 0 && !first.includes(": ")) return [first, others.join(" ")];
  const at = message.indexOf(": ");
  const remedy = message.slice(at + 2);
  return at < 0 ? [message, ""] : [`${message.slice(0, at)}.`, remedy.charAt(0).toUpperCase() + remedy.slice(1)];
}
