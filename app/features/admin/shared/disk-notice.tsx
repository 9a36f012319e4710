import { Notice } from "~/ui/frame/notice";

const texts = {
  low: "Its disk is nearly full.",
  full: "Its disk is full. Visitors may be unable to send messages.",
};

/** Warns that the disk of the data folder is full or nearly full. Renders nothing while it has room. */
export function DiskNotice({ disk, doctor }: { disk: "ok" | "low" | "full"; doctor: string }) {
  if (disk === "ok") return null;
  return (
    <Notice
      tone="error"
      title="The server needs attention"
      text={`${texts[disk]} On the server, “${doctor}” says what to do. docs/operations/monitoring.md explains “disk.low”.`}
    />
  );
}
