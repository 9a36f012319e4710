import { useEffect, useState } from "react";
import { choiceWords } from "~/content/privacy/consent";

/**
 * Announces to screen readers that the cookie banner is gone after a decision. Without scripts, the style sheet reveals
 * the words to them when it hides the banner. With scripts, focus moves to the page's content, because the focused
 * button is gone.
 */
export function ConsentStatus({ asks }: { asks: boolean }) {
  const [initiallyShown] = useState(asks);
  const isDecided = initiallyShown && !asks;
  useEffect(() => {
    if (isDecided && document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
  }, [isDecided]);
  if (!initiallyShown) return null;
  return (
    <output className={isDecided ? "sr-only" : "sr-only consent-answered"}>
      <span>{choiceWords.answered}</span>
    </output>
  );
}
