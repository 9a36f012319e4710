import type { ReactNode } from "react";
import { memberPage, networkWords } from "~/content/pages/network";
import { LinkPage } from "~/ui/content/link-page";
import { MemberButton } from "./member-button";
import { MemberFacts, memberFactWords } from "./member-facts";
import type { MemberView } from "./member-view";
import { PendingChange } from "./pending-change";

/** Props of {@link MemberPage}. */
export interface MemberPageProps {
  view: MemberView;
  /** the form with the details */
  children: ReactNode;
}

/** A member's own page: state and details, a later wish, the question to stay, the form and the button to leave. */
export function MemberPage({ view, children }: MemberPageProps) {
  const { token, membership, asked, confirmed, renewBy } = view;
  const { state, pending, is_restricted: isRestricted } = membership;
  const { title, leads, renewal, leave, restricted } = memberPage;
  const lead = state === "asked" ? memberPage.asked.lead : leads[state];
  return (
    <LinkPage title={title} lead={isRestricted ? restricted : lead}>
      {pending === null || isRestricted ? null : (
        <PendingChange view={view} pending={pending} words={memberPage.pending} />
      )}
      {renewBy === null || pending !== null || isRestricted ? null : (
        <section className="mt-10">
          <h2 className="text-2xl">{renewal.title}</h2>
          <p className="mt-2 mb-6">{renewal.text(renewBy)}</p>
          <MemberButton token={token} action="confirm" label={renewal.button} shown="" />
        </section>
      )}
      {pending === null || isRestricted ? (
        <MemberFacts
          details={membership}
          email={membership.email}
          more={[
            [memberFactWords.state, networkWords.states[state]],
            [memberFactWords.asked, confirmed === null ? asked : null],
            [memberFactWords.confirmed, confirmed],
          ]}
        />
      ) : null}
      {children}
      <section className="withdrawal">
        <h2 className="text-2xl">{leave.title}</h2>
        <p className="mt-2 mb-6">{leave.text}</p>
        <MemberButton token={token} action="leave" label={leave.button} isQuiet />
      </section>
    </LinkPage>
  );
}
