import { lostLinkPage as copy } from "~/content/pages/network";
import { LinkPage } from "~/ui/content/link-page";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/frame/notice";
import { type LostLinkFailure, LostLinkForm } from "./lost-link-form";

/** The page without a link. `failure`: of the last post, or null. */
export function LostLink({ failure }: { failure: LostLinkFailure | null }) {
  return (
    <div>
      <div className="wrap grid gap-6 pt-6 *:max-w-2xl empty:hidden">
        {failure?.text ? <Notice tone="error" title={copy.failedTitle} text={failure.text} /> : null}
        <ErrorSummary mistakes={failure?.mistake ? [{ controlId: "email", text: failure.mistake }] : []} />
      </div>
      <LinkPage title={copy.title} lead={copy.lead}>
        <LostLinkForm failure={failure} />
      </LinkPage>
    </div>
  );
}
