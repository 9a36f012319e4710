import { Notice, type NoticeProps } from "./notice";

/** Where a waiting message appears: first in the page, before its heading. */
export function MessageArea({ message }: { message: NoticeProps | null }) {
  return message ? (
    <div className="wrap pt-6">
      <Notice {...message} />
    </div>
  ) : null;
}
