import type { ReactNode } from "react";
import { requestFactWords, statusPage } from "~/content/privacy/data-rights-links";
import type { RequestView } from "./request-views";

/**
 * A data rights request as a list of facts. Does not show who made it or what they wrote, because a link can be
 * forwarded.
 */
export function RequestFacts({ request }: { request: RequestView }) {
  const { type, state, reference, received, due, extended, closed } = request;
  return (
    <dl className="request-facts">
      <Fact name={requestFactWords.state} value={state} />
      <Fact name={requestFactWords.type} value={type} />
      <Fact name={requestFactWords.reference} value={reference} />
      <Fact name={requestFactWords.received} value={received} />
      <Fact name={requestFactWords.due} value={closed ? null : due} />
      <Fact
        name={requestFactWords.extended}
        value={
          extended && (
            <>
              <bdi>{extended}</bdi>. {statusPage.extended}
            </>
          )
        }
      />
      <Fact name={requestFactWords.closed} value={closed} />
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return value ? (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  ) : null;
}
