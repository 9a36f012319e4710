/** Name and value of a fact. Facts without a value are left out; `long` ones span both columns. */
export type Fact = readonly [term: string, value: string | null, size?: "long"];

/** Facts about a message, request, member or letter. */
export function FactList({ facts, className }: { facts: readonly Fact[]; className?: string }) {
  return (
    <dl className={className ?? "fact-list"}>
      {facts.map(([term, value, size]) =>
        value ? (
          <div key={term} className={size && "is-long"}>
            <dt className="text-sm text-(--muted)">{term}</dt>
            <dd className="wrap-anywhere whitespace-pre-wrap">
              {size ? <div dir="auto">{value}</div> : <bdi>{value}</bdi>}
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
