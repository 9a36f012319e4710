/** A figure with what it counts and where that can be checked. */
export interface Proof {
  figure: string;
  sentence: string;
  source: string;
}

/** Large figures side by side. Shows nothing if there are none. */
export function ProofList({ proofs }: { proofs: readonly Proof[] }) {
  if (proofs.length === 0) return null;
  return (
    <ul className="proof-list">
      {proofs.map(({ figure, sentence, source }) => (
        <li key={figure + sentence}>
          <p className="proof-figure">{figure}</p>
          <p>{sentence}</p>
          <p className="proof-source">{source}</p>
        </li>
      ))}
    </ul>
  );
}
