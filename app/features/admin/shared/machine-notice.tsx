import { Notice } from "~/ui/frame/notice";

/** How the machine of the site stands, as far as an admin has to know. */
interface MachineNoticeProps {
  /** null where the site keeps no data on its machine */
  machine: { disk: "ok" | "low" | "full"; clock: "trusted" | "doubted" } | null;
}

/** Says that the disk is full or nearly so, and that the clock has jumped; nothing while both are as they should be. */
export function MachineNotice({ machine }: MachineNoticeProps) {
  if (machine === null) return null;
  const disk = {
    ok: "",
    low: "Its disk is nearly full.",
    full: "Its disk is full: visitors may be told that their messages could not be sent.",
  };
  const texts = [
    ...(machine.disk === "ok" ? [] : [disk[machine.disk]]),
    ...(machine.clock === "doubted"
      ? [
          "Its clock jumped by more than two weeks. Nothing is deleted for a day, so that a wrong clock can be set right.",
        ]
      : []),
  ];
  return texts.length > 0 ? (
    <Notice
      tone="error"
      title="The server needs attention"
      text={[
        ...texts,
        "Tell whoever runs this site: docs/OPERATIONS.md says what to do about “disk.low” and “clock.jumped-ahead”.",
      ].join(" ")}
    />
  ) : null;
}
