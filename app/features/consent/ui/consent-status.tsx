import { useEffect, useState } from "react";
import { choiceWords } from "~/content/privacy/consent";
import { recoverFocus } from "./recover-focus";

/**
 * Says in place of the cookie banner that only what the visitor allows is used. The style sheet reveals the words when it
 * hides the banner or scripts remove it. With scripts, focus moves to the page's content, because the focused button is gone.
 */
export function ConsentStatus({ asks }: { asks: boolean }) {
  const [initiallyShown] = useState(asks);
  const isDecided = initiallyShown && !asks;
  useEffect(() => {
    if (isDecided) recoverFocus();
  }, [isDecided]);
  if (!initiallyShown) return null;
  return (
    <output className="consent-answered">
      <span>{choiceWords.answered}</span>
    </output>
  );
}
