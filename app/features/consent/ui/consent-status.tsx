import { useEffect, useState } from "react";
import { choiceWords } from "~/content/privacy/consent";

/**
 * Tells those who hear the page that the question about cookies is gone, once it was answered. Without scripts the style shows the words to
 * them when it hides the banner. With scripts the focus, whose button is gone, moves to the page's content.
 */
export function ConsentStatus({ asks }: { asks: boolean }) {
  const [askedAtFirst] = useState(asks);
  const isAnswered = askedAtFirst && !asks;
  useEffect(() => {
    if (isAnswered && document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
  }, [isAnswered]);
  if (!askedAtFirst) return null;
  return (
    <output className={isAnswered ? "sr-only" : "sr-only consent-answered"}>
      <span>{choiceWords.answered}</span>
    </output>
  );
}
