import type { TroubleCause } from "#supabase/functions/_shared/trouble";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { Notice } from "~/ui/frame/notice";

/** Backup health for the notice. */
interface BackupNoticeProps {
  /** `lastGoodAt` is ISO 8601; null if the site makes no backups itself or their state is unknown */
  backups: { lastGoodAt: string | null; troubles: readonly TroubleCause[] } | null;
  /** the operator's command that says what to do */
  doctor: string;
}

/** Warns about failed or late backups. Renders nothing while they are fine. */
export function BackupNotice({ backups, doctor }: BackupNoticeProps) {
  const formatInstant = useInstantFormat();
  if (backups === null) return null;
  const when = backups.lastGoodAt && formatInstant(backups.lastGoodAt);
  const texts: Partial<Record<TroubleCause, string>> = {
    "backup-failed": `The last backup failed. ${when ? `The last good one is from ${when}.` : "There is no good backup yet."}`,
    "backup-late": when ? `The last good backup is from ${when}. None has been made since.` : "There is no backup yet.",
    "copy-failed": "The last backup could not be copied to its second location.",
  };
  const [text] = backups.troubles.flatMap((cause) => texts[cause] ?? []);
  if (text === undefined) return null;
  return (
    <Notice
      tone="error"
      title="Backups need attention"
      text={`${text} On the server, “${doctor}” says what to do. docs/operations/backups.md explains it.`}
    />
  );
}
