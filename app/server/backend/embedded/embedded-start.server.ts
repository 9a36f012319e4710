import type { BackendSettings, Settings } from "../../config/settings.server";
import type { Timeouts } from "../../config/timeouts.server";
import type { OutboxState } from "../../observability/product-metrics.server";

/** What decides about backups. */
export type BackupSettings = Pick<Settings, "backupEveryMs" | "backupKeepDays" | "backupKeys" | "backupCopies">;

/** The settings that the embedded backend needs, and no other: they are copied into its thread. */
export interface EmbeddedSettings extends Pick<
  Settings,
  | "dataDir"
  | keyof BackupSettings
  | "siteUrl"
  | "mail"
  | "replyClock"
  | "acknowledgementsPerHour"
  | "sessionLimits"
  | "siteKey"
> {
  backend: Extract<BackendSettings, { kind: "embedded" }>;
}

/** What the embedded backend is started with: plain data, on a data folder that this process holds. */
export interface EmbeddedStart {
  settings: EmbeddedSettings;
  timeouts: Pick<Timeouts, "outboxPoll" | "firstRetention" | "firstBackup" | "backupCheck" | "diskCheck">;
}

/** The embedded backend as the site holds it, in whichever thread it runs. */
export interface OpenedEmbedded {
  url: string;
  publishableKey: string;
  /** set only where this start generated the password */
  firstAdmin: { email: string; password: string } | null;
  /** false while its thread, which has died, is being started again */
  isUp(): boolean;
  fetch: typeof fetch;
  /** resolves once the database is free to answer */
  pingDatabase(): Promise<void>;
  /** reads what waits in the outbox, for the metrics */
  readOutbox(): Promise<OutboxState>;
  /** Finishes what runs and closes the database; the data folder is then its holder's to release. */
  close(): Promise<void>;
}
