/** Paragraphs with a comfortable line length. */
export function Prose({ paragraphs }: { paragraphs: readonly string[] }) {
  return (
    <div className="mt-8 grid max-w-[41em] gap-5">
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  );
}
