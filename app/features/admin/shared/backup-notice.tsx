import { useInstantFormat } from "~/ui/frame/time-zone";
import { Notice } from "~/ui/frame/notice";

/** How the backups stand, as far as an admin has to know. */
interface BackupNoticeProps {
  /** `lastGoodAt` is ISO 8601; null where the site makes no backups by itself, or nothing is known */
  backups: { lastGoodAt: string | null; trouble: "none" | "failed" | "not-copied" | "late" } | null;
}

/** Says that backups fail or are late; nothing while they are as they should be. */
export function BackupNotice({ backups }: BackupNoticeProps) {
  const formatInstant = useInstantFormat();
  if (backups === null || backups.trouble === "none") return null;
  const when = backups.lastGoodAt && formatInstant(backups.lastGoodAt);
  const troubles = {
    failed: `The last try to make a backup failed. ${when ? `The last good one is of ${when}.` : "There is none yet."}`,
    late: `The last good backup is of ${when}, and no other was made since.`,
    "not-copied": "The last backup could not be copied to where copies are kept.",
  };
  return (
    <Notice
      tone="error"
      title="Backups need attention"
      text={`${troubles[backups.trouble]} Tell whoever runs this site: docs/OPERATIONS.md says what to do about “backups.failed” and “backups.copy-failed”.`}
    />
  );
}
