import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { changeNoticeId } from "./change-notice";

/**
 * Opens and focuses the message that the address names, or else the notice about a change. A browser does this for a
 * document, but not for a navigation by scripts.
 */
export function useFollowedMessage(hasChange: boolean): void {
  const { key, hash } = useLocation();
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    const message = hash.startsWith("#m-") ? document.getElementById(hash.slice(1)) : null;
    const row = message?.closest("details");
    if (row) row.open = true;
    const target = message ?? (hasChange ? document.getElementById(changeNoticeId) : null);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: message ? "start" : "nearest", behavior: "instant" });
  }, [key, hash, hasChange]);
}
