import type { ReactNode } from "react";
import { statusPage } from "~/content/privacy/data-rights-links";
import { LinkPage } from "~/ui/content/link-page";
import { RequestFacts } from "./request-facts";
import type { StatusView } from "./request-views";

interface RequestProgressProps {
  request: StatusView;
  /** the actions of the page */
  children?: ReactNode;
}

/** Shows how far a data rights request has come, and what happens next. */
export function RequestProgress({ request, children }: RequestProgressProps) {
  return (
    <LinkPage title={statusPage.title}>
      <RequestFacts request={request} />
      <h2 className="mt-10 text-2xl">{statusPage.nextTitle}</h2>
      <p className="mt-2">{request.next}</p>
      {children}
    </LinkPage>
  );
}
