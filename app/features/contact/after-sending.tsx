import type { ReactNode } from "react";
import { company } from "~/content/company";
import { founder } from "~/content/founder";
import { contactPage } from "~/content/pages/contact";
import { SentPage } from "~/ui/forms/sent-page";
import type { SentMessage } from "./sent-message.server";
import { Face } from "~/ui/content/portrait";

interface AfterSendingProps {
  /** null before anything was sent */
  sent: SentMessage | null;
  /** the form for another message */
  again: ReactNode;
  /** the page as shown before anything was sent */
  children: ReactNode;
}

/** Shows the page, or after a message was sent, who replies by when, with the form collapsed in a `<details>`. */
export function AfterSending({ sent, again, children }: AfterSendingProps) {
  if (sent === null) return children;
  return (
    <SentPage {...sent} email={company.email}>
      {founder ? <Face {...founder} /> : null}
      <details className="mt-10 border-t border-(--line) pt-2">
        <summary className="summary-button">{contactPage.sent.again}</summary>
        <div className="mt-4">{again}</div>
      </details>
    </SentPage>
  );
}
