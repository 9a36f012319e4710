import { useEffect, useRef } from "react";
import { Notice, type NoticeProps } from "./notice";

/**
 * Where a waiting message appears: first in the page, before its heading. Where scripts run it takes the focus when it
 * arrives, because who sent a form from the foot of a page would not see it otherwise.
 */
export function MessageArea({ message, className = "wrap pt-6" }: { message: NoticeProps | null; className?: string }) {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message) area.current?.focus();
  }, [message]);
  return message ? (
    <div ref={area} tabIndex={-1} className={`${className} outline-none`}>
      <Notice {...message} />
    </div>
  ) : null;
}
