/** Keeps hyphenated words such as "Mid-Sized" and "broker-dealer" on one line. */
export function keepHyphenated(text: string) {
  return text.split(/(\S+-\S+)/).map((part) =>
    part.includes("-") ? (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
