import type { ReactNode } from "react";
import { requestFactWords, statusPage } from "~/content/privacy/data-rights-links";
import type { ConfirmationView, StatusView } from "./request-views";

/**
 * A data rights request as a list of facts. Does not show who made it or what they wrote, because a link can be
 * forwarded.
 */
export function RequestFacts({ request }: { request: ConfirmationView | StatusView }) {
  const { type, state, reference, received, due, extended, closed } = { ...noStatus, ...request };
  return (
    <dl className="request-facts">
      <Fact name={requestFactWords.state} value={state} />
      <Fact name={requestFactWords.type} value={type} />
      <Fact name={requestFactWords.reference} value={reference} />
      <Fact name={requestFactWords.received} value={received} />
      <Fact name={requestFactWords.due} value={closed === null ? due : null} />
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

const noStatus = { state: null, received: null, extended: null, closed: null };

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return value === null || value === "" ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
