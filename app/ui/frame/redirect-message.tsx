import { useNavigation } from "@remix-run/react";
import { useState } from "react";
import { MessageArea } from "./message-area";
import type { NoticeProps } from "./notice";

/**
 * Shows the notice that came with a redirect. With scripts, it disappears when the next form is sent, as on a new page.
 */
export function RedirectMessage({ message }: { message: NoticeProps | null }) {
  const { state } = useNavigation();
  const [outdated, setOutdated] = useState<NoticeProps | null>(null);
  if (state === "submitting" && outdated !== message) setOutdated(message);
  return <MessageArea message={message === outdated ? null : message} />;
}
