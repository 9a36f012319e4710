import { useInstantFormat } from "~/ui/frame/time-zone";
import { messageActions } from "../inbox-words";
import type { Message } from "../message.server";

/**
 * Shows a colleague's changes made while the reply was written, and asks whether to send it anyway with the button
 * below.
 */
export function ReplyQuestion({ message, seen }: { message: Message; seen: string | undefined }) {
  const formatInstant = useInstantFormat();
  const { events, replies, draft: saved } = message;
  const newest = events.at(-1);
  // The log has no drafts: if only the draft changed, the newest log entry is an old one.
  const isNewest = saved !== null && newest !== undefined && Date.parse(saved.saved_at) > Date.parse(newest.at);
  const last = isNewest && message.version - Number(seen) === 1 ? undefined : newest;
  const otherReply = last?.action === "submission-replied" ? replies.at(-1) : undefined;
  return (
    <div className="mt-3 max-w-2xl rounded-lg border-2 border-(--danger) bg-(--raised) px-5 py-4">
      <h4 className="text-lg">Send anyway?</h4>
      {last ? (
        <p className="mt-1 wrap-anywhere">
          {`${formatInstant(last.at)}: ${messageActions[last.action] ?? last.action}${last.by ? `, ${last.by}` : ""}.`}
        </p>
      ) : null}
      {otherReply ? <Words label="The other reply:" text={otherReply.body} /> : null}
      {saved ? (
        <Words
          label={`The draft saved on ${formatInstant(saved.saved_at)}${saved.by ? ` by ${saved.by}` : ""}:`}
          text={saved.body}
        />
      ) : null}
    </div>
  );
}

function Words({ label, text }: { label: string; text: string }) {
  return (
    <>
      <p className="mt-2 font-semibold">{label}</p>
      <p className="message-body mt-1" dir="auto">
        {text}
      </p>
    </>
  );
}
