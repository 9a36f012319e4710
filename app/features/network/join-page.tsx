import { memberPage } from "~/content/pages/network";
import { linkAddress } from "~/lib/pages/link-address";
import { LinkPage } from "~/ui/content/link-page";
import { LinkButton } from "~/ui/forms/link-button";
import { MemberFacts } from "./member-facts";
import type { MemberView } from "./member-view.server";
import { PendingChange } from "./pending-change";

/** The page behind a link before its address is confirmed: what would be kept, and the button to join. */
export function JoinPage({ view }: { view: MemberView }) {
  const { token, membership, confirmBy } = view;
  const button = { action: linkAddress("/network", token), token };
  const { title, lead, join, otherwise, discard } = memberPage.asked;
  if (membership.is_restricted) {
    return (
      <LinkPage title={title} lead={memberPage.restricted}>
        <MemberFacts details={membership} email={membership.email} />
        <p className="link-ways">
          <LinkButton {...button} intent="leave" label={discard} isQuiet />
        </p>
      </LinkPage>
    );
  }
  return (
    <LinkPage title={title} lead={lead}>
      {membership.pending === null ? (
        <>
          <MemberFacts details={membership} email={membership.email} />
          <div className="mt-8">
            <LinkButton {...button} intent="confirm" label={join} shown="" />
          </div>
        </>
      ) : (
        <PendingChange view={view} pending={membership.pending} words={memberPage.asked.twice} />
      )}
      <p className="mt-10 text-(--muted)">{otherwise(confirmBy)}</p>
      <div className="mt-4">
        <LinkButton {...button} intent="leave" label={discard} isQuiet />
      </div>
    </LinkPage>
  );
}
