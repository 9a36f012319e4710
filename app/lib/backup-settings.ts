import { z } from "zod";
import { commandLine } from "./command-line.ts";
import { isLoopback } from "./http/loopback.ts";

/** How many days backups are kept: the setting BACKUP_KEEP_DAYS, read by the server and the operator's commands. */
export const backupDays = { unlessSet: 30, fewest: 1, most: 3650 } as const;

/** The bucket for copies of backups. */
export interface BackupBucket {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  bucket: string;
  /** without leading or trailing slash; may be empty */
  prefix: string;
}

/** Marks these settings for the list of all (app/server/config/setting-variables.server.ts). */
const own = { only: "embedded" };
const secret = { ...own, isSecret: true };

const mustBeEncrypted = "must be an address that begins with https://, or with http:// for this machine";

/** Variables for encryption and copies of backups, shared by the server and the operator's commands. */
export const backupVariables = z.object({
  /**
   * The keys that encrypt backups (age1…) and sign them (backup-sign-…); the command backup-key makes both. Empty:
   * backups are neither encrypted nor signed.
   */
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[02-9ac-hj-np-z]{58}$/, {
      error: () => `must be a public key like age1… (\`${commandLine("backup-key")}\` makes one)`,
    })
    .optional()
    .meta(own),
  BACKUP_SIGNING_KEY: z
    .string()
    .regex(/^backup-sign-[\w-]{43}$/, {
      error: () => `must be a key like backup-sign-… (\`${commandLine("backup-key")}\` makes one)`,
    })
    .optional()
    .meta(secret),
  /**
   * A copy of each backup goes to s3://bucket/folder, at any S3-compatible storage. It requires BACKUP_RECIPIENT.
   * Copies are deleted after BACKUP_KEEP_DAYS, too. The default endpoint is Amazon's for the region (https://…).
   */
  BACKUP_TO: z
    .string()
    .refine((text) => parseBucketAddress(text) !== null, "must be an address like s3://bucket/folder")
    .optional()
    .meta(own),
  AWS_ACCESS_KEY_ID: z.string().optional().meta(secret),
  AWS_SECRET_ACCESS_KEY: z.string().optional().meta(secret),
  AWS_REGION: z.string().prefault("us-east-1").meta(own),
  AWS_ENDPOINT_URL: z
    .url({ error: mustBeEncrypted })
    // In clear, anybody in between could read the names of backups, and forge their list.
    .refine((text) => /^https:/i.test(text) || (/^http:/i.test(text) && isLoopback(new URL(text).hostname)), {
      error: mustBeEncrypted,
    })
    .optional()
    .meta(own),
});

/** Values of {@link backupVariables}. */
export type BackupVariables = z.output<typeof backupVariables>;

/** The server's backup keys. They encrypt and sign backups and cannot decrypt any. */
export interface BackupKeys {
  /** `age1…` */
  recipient: string;
  /** `backup-sign-…` */
  signingKey: string;
}

/** Finds the keys for backups; null if backups are not encrypted. */
export function findBackupKeys(v: BackupVariables): BackupKeys | null {
  if (v.BACKUP_RECIPIENT === undefined || v.BACKUP_SIGNING_KEY === undefined) return null;
  return { recipient: v.BACKUP_RECIPIENT, signingKey: v.BACKUP_SIGNING_KEY };
}

/**
 * Parses the address of a bucket.
 * @param address `s3://bucket/folder`
 * @returns null for any other text
 */
export function parseBucketAddress(address: string): { bucket: string; prefix: string } | null {
  const [, bucket, prefix = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()-]+(?:\/[\w!.*'()-]+)*)?\/?)?$/.exec(address) ?? [];
  return bucket === undefined ? null : { bucket, prefix };
}

/**
 * Finds the bucket for copies and its credentials.
 * @param address overrides BACKUP_TO
 * @returns null without an address or credentials
 */
export function findBackupBucket(v: BackupVariables, address: string | undefined = v.BACKUP_TO): BackupBucket | null {
  const bucketAddress = address === undefined ? null : parseBucketAddress(address);
  if (bucketAddress === null || !v.AWS_ACCESS_KEY_ID || !v.AWS_SECRET_ACCESS_KEY) return null;
  return {
    ...bucketAddress,
    endpoint: v.AWS_ENDPOINT_URL ?? `https://s3.${v.AWS_REGION}.amazonaws.com`,
    region: v.AWS_REGION,
    accessKeyId: v.AWS_ACCESS_KEY_ID,
    secretAccessKey: v.AWS_SECRET_ACCESS_KEY,
  };
}

/** Lists contradictions between variables that are each valid by themselves: one line per mistake, without values. */
export function listBackupContradictions(variables: Record<string, string | undefined>): string[] {
  const mistakes: string[] = [];
  const making = `\`${commandLine("backup-key")}\` makes both`;
  if (variables.BACKUP_RECIPIENT && !variables.BACKUP_SIGNING_KEY)
    mistakes.push(`BACKUP_SIGNING_KEY is missing (BACKUP_RECIPIENT is set; ${making})`);
  if (variables.BACKUP_SIGNING_KEY && !variables.BACKUP_RECIPIENT && !variables.BACKUP_TO)
    mistakes.push(`BACKUP_RECIPIENT is missing (BACKUP_SIGNING_KEY is set; ${making})`);
  if (!variables.BACKUP_TO) return mistakes;
  if (!variables.BACKUP_RECIPIENT)
    mistakes.push("BACKUP_RECIPIENT is missing (BACKUP_TO is set, and copies leave this machine encrypted only)");
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
    if (!variables[name]) mistakes.push(`${name} is missing (BACKUP_TO is set)`);
  return mistakes;
}
