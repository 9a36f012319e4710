import type { ConsoleLine } from "../../observability/console-line.server";
import type { Log, LogEvent } from "../../observability/log.server";
import type { OutboxState } from "../../observability/product-metrics.server";
import type { EmbeddedStart, OpenedEmbedded } from "./embedded-start.server";
import type { RequestMessage, ResponseMessage } from "./fetch-messages.server";
import type { PlainError } from "./plain-error.server";

/** What the backend's thread does for the site's. */
export type ThreadFunctions = {
  /** @throws MigrationFailed, AdminPasswordRefused, or AbortError after `giveUp` */
  open(start: EmbeddedStart): Promise<Pick<OpenedEmbedded, "url" | "publishableKey" | "firstAdmin">>;
  /** Gives the opening up at its next step. */
  giveUp(): Promise<void>;
  /** needs no SQL */
  isAlive(): Promise<void>;
  askDatabase(): Promise<void>;
  fetch(request: RequestMessage, signal: AbortSignal): Promise<ResponseMessage>;
  readOutbox(): Promise<OutboxState>;
  close(): Promise<void>;
};

/** What the backend's thread tells the site's without having been asked. */
export type ThreadReport =
  | { report: "log"; level: keyof Log; event: LogEvent }
  | { report: "longWork"; isUnderWay: boolean }
  | { report: "console"; line: ConsoleLine; words: string }
  | { report: "warning"; warning: PlainError };
