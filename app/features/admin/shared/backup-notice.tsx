import { adminPage } from "~/content/account/admin";
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
  const { title, failed, late, notCopied, whatToDo } = adminPage.backups;
  const when = backups.lastGoodAt && formatInstant(backups.lastGoodAt);
  const words = { failed, late, "not-copied": notCopied }[backups.trouble];
  return <Notice tone="error" title={title} text={`${words(when ?? null)} ${whatToDo}`} />;
}
