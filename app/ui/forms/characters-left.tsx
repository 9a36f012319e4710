import { countOf } from "~/lib/count-of";
import { useEffect, useState } from "react";
import { countCharacters, isOversized } from "~/lib/characters";
import { normalizeLine, normalizeText } from "~/lib/plain-text";

/** Props of {@link CharactersLeft}. */
interface CharactersLeftProps {
  controlId: string;
  /** maximum number of characters */
  limit: number;
}

/** Screen readers announce the number after a pause in typing, not on every key. */
const pauseMs = 1_000;

/** Shows how many characters are left near a limit, counted as the server counts. Shows nothing without scripts. */
export function CharactersLeft({ controlId, limit }: CharactersLeftProps) {
  const [left, setLeft] = useState(limit);
  const [spoken, setSpoken] = useState("");
  const text = left > limit / 10 ? "" : describe(left);
  useEffect(() => {
    const control = document.getElementById(controlId);
    const isArea = control instanceof HTMLTextAreaElement;
    if (!isArea && !(control instanceof HTMLInputElement)) return;
    const normalize = isArea ? normalizeText : normalizeLine;
    const count = () => {
      const typed = control.value;
      setLeft(limit - countCharacters(isOversized(typed, limit) ? typed : normalize(typed)));
    };
    // The visitor may have typed before the scripts arrived.
    count();
    control.addEventListener("input", count);
    return () => control.removeEventListener("input", count);
  }, [controlId, limit]);
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  if (text === "") return null;
  return (
    <div className={left < 0 ? "mt-1 font-semibold text-(--danger)" : "mt-1 text-(--muted)"}>
      <p aria-hidden="true">{text}</p>
      <output className="sr-only">{spoken}</output>
    </div>
  );
}

function describe(left: number): string {
  const characters = countOf(Math.abs(left), "character");
  return left < 0 ? `${characters} too many` : `${characters} left`;
}
