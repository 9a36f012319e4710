import type { BackendSettings, Settings } from "../../config/settings.server";
import type { Timeouts } from "../../config/timeouts.server";
import type { OutboxState } from "../../observability/product-metrics.server";

/** Settings of automatic backups. */
export type BackupSettings = Pick<Settings, "backupEveryMs" | "backupKeepDays" | "backupKeys" | "backupCopies">;

/** Settings of a site with the embedded backend. */
export interface EmbeddedSettings extends Settings {
  backend: Extract<BackendSettings, { kind: "embedded" }>;
}

/** Input for starting the embedded backend: plain data. This process must hold the data folder's lock. */
export interface EmbeddedStart {
  settings: EmbeddedSettings;
  /** see `listInEffect`; the control socket gives their digests to `doctor` */
  inEffect: Record<string, string>;
  timeouts: Pick<Timeouts, "outboxPoll" | "firstRetention" | "firstBackup" | "backupCheck" | "diskCheck">;
}

/** An open embedded backend, in this thread or in a worker thread. */
export interface OpenedEmbedded {
  url: string;
  publishableKey: string;
  /** printed once at startup; set only if this start generated the password */
  firstAdmin: { email: string; password: string } | null;
  /** false while its thread is restarting after a crash */
  isUp(): boolean;
  fetch: typeof fetch;
  /** resolves when the database has run a query */
  pingDatabase(): Promise<void>;
  /** reads the state of the outbox for the metrics */
  readOutbox(): Promise<OutboxState>;
  /** Finishes running work and closes the database; its caller releases the data folder. */
  close(): Promise<void>;
}
