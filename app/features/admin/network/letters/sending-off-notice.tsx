import { Notice } from "~/ui/frame/notice";

/** Says that letters cannot be sent yet, and what to add. Renders nothing if they can. */
export function SendingOffNotice({ isOff }: { isOff: boolean }) {
  if (!isOff) return null;
  return (
    <Notice
      tone="info"
      title="Sending is off: the firm’s postal address is missing"
      text="Each letter must name it (CAN-SPAM Act). Ask your site operator to add a line to the firm’s facts, facts.yaml, and to restart the site:"
    >
      <p className="mt-2">
        <code className="wrap-anywhere">address: 1 Main Street, Portland, OR 97201</code>
      </p>
      <p className="mt-2">You can write and save drafts meanwhile.</p>
    </Notice>
  );
}
