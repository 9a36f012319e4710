import { adminPage } from "~/content/account/admin";
import { Notice } from "~/ui/frame/notice";

/** Says that the disk of the data folder is full or nearly so; nothing while it has room. */
export function DiskNotice({ disk }: { disk: "ok" | "low" | "full" }) {
  if (disk === "ok") return null;
  const { title, whatToDo, ...texts } = adminPage.disk;
  return <Notice tone="error" title={title} text={`${texts[disk]} ${whatToDo}`} />;
}
