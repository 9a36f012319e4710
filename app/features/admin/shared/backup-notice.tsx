import { useInstantFormat } from "~/ui/frame/time-zone";
import { Notice } from "~/ui/frame/notice";

/** Backup health for the notice. */
interface BackupNoticeProps {
  /** `lastGoodAt` is ISO 8601; null if the site makes no backups itself or their state is unknown */
  backups: { lastGoodAt: string | null; trouble: "none" | "failed" | "not-copied" | "late" } | null;
  /** the operator's command that says what to do */
  doctor: string;
}

/** Warns about failed or late backups. Renders nothing while they are fine. */
export function BackupNotice({ backups, doctor }: BackupNoticeProps) {
  const formatInstant = useInstantFormat();
  if (backups === null || backups.trouble === "none") return null;
  const when = backups.lastGoodAt && formatInstant(backups.lastGoodAt);
  const troubles = {
    failed: `The last backup failed. ${when ? `The last good one is from ${when}.` : "There is no good backup yet."}`,
    late: when ? `The last good backup is from ${when}. None has been made since.` : "There is no backup yet.",
    "not-copied": "The last backup could not be copied to its second location.",
  };
  return (
    <Notice
      tone="error"
      title="Backups need attention"
      text={`${troubles[backups.trouble]} On the server, “${doctor}” says what to do. docs/operations/backups.md explains it.`}
    />
  );
}
