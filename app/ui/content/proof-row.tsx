/** Props of {@link ProofRow}. */
export interface ProofRowProps {
  proof: readonly { figure: string; sentence: string; source: string }[];
}

/** The firm's figures in a slim row, each with its source. Shows nothing if the facts give none. */
export function ProofRow({ proof }: ProofRowProps) {
  if (proof.length === 0) return null;
  return (
    <ul className="wrap proof-list">
      {proof.map(({ figure, sentence, source }) => (
        <li key={figure + sentence}>
          <p className="proof-figure">{figure}</p>
          <p>
            {sentence} <span className="proof-source">{source}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
