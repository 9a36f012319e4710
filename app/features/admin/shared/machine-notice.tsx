import { adminPage } from "~/content/account/admin";
import { Notice } from "~/ui/frame/notice";

/** How the machine of the site stands, as far as an admin has to know. */
interface MachineNoticeProps {
  /** null where the site keeps no data on its machine */
  machine: { disk: "ok" | "low" | "full"; clock: "trusted" | "doubted" } | null;
}

/** Says that the disk is full or nearly so, and that the clock has jumped; nothing while both are as they should be. */
export function MachineNotice({ machine }: MachineNoticeProps) {
  if (machine === null) return null;
  const { title, disk, clock, whatToDo } = adminPage.machine;
  const texts = [
    ...(machine.disk === "ok" ? [] : [disk[machine.disk]]),
    ...(machine.clock === "doubted" ? [clock] : []),
  ];
  return texts.length > 0 ? <Notice tone="error" title={title} text={[...texts, whatToDo].join(" ")} /> : null;
}
