import { type ReactNode, useEffect, useRef } from "react";
import { Notice, type NoticeProps } from "./notice";

/**
 * Shows a pending notice at the top of the page, before its heading. With scripts, the notice takes focus when it
 * appears: visitors who sent a form further down the page would not see it otherwise.
 */
export function MessageArea({
  message,
  className = "wrap pt-6",
  children,
}: {
  message: NoticeProps | null;
  className?: string;
  children?: ReactNode;
}) {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message) area.current?.focus();
  }, [message]);
  return message ? (
    <div ref={area} tabIndex={-1} className={`${className} outline-none`}>
      <Notice {...message}>{children}</Notice>
    </div>
  ) : null;
}
