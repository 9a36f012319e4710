import type { ReactNode } from "react";
import { memberPage, networkWords } from "~/content/pages/network";
import { linkAddress } from "~/lib/pages/link-address";
import { LinkPage } from "~/ui/content/link-page";
import { LinkButton } from "~/ui/forms/link-button";
import { MemberFacts } from "./member-facts";
import type { MemberView } from "./member-view.server";
import { PendingChange } from "./pending-change";

/** Props of {@link MemberPage}. */
export interface MemberPageProps {
  view: MemberView;
  /** the form with the details */
  children: ReactNode;
}

/** A member's own page: state and details, a later wish, the question to stay, the form and the button to leave. */
export function MemberPage({ view, children }: MemberPageProps) {
  const { token, membership, asked, confirmed, renewBy, stopped, returned, linkEnds } = view;
  const { state, pending, is_restricted: isRestricted } = membership;
  const button = { action: linkAddress("/network", token), token };
  const { title, renewal, links, leave } = memberPage;
  return (
    <LinkPage title={title} lead={findLead(view)}>
      {stopped === null ? null : (
        <div className="mt-6">
          <LinkButton {...button} intent="resume" label={memberPage.stopped.button} />
        </div>
      )}
      {stopped !== null && isRestricted ? <p className="mt-6">{memberPage.restricted}</p> : null}
      {returned === null || stopped !== null || isRestricted ? null : (
        <section className="mt-10">
          <h2 className="text-2xl">{memberPage.returned.title}</h2>
          <p className="mt-2 mb-6">{memberPage.returned.text(returned)}</p>
          <LinkButton {...button} intent="resume" label={memberPage.returned.button} />
        </section>
      )}
      {pending === null || isRestricted ? null : (
        <PendingChange view={view} pending={pending} words={memberPage.pending} />
      )}
      {renewBy === null || pending !== null || stopped !== null || isRestricted ? null : (
        <section className="mt-10">
          <h2 className="text-2xl">{renewal.title}</h2>
          <p className="mt-2 mb-6">{renewal.text(renewBy)}</p>
          <LinkButton {...button} intent="confirm" label={renewal.button} shown="" />
        </section>
      )}
      {pending === null || isRestricted ? (
        <MemberFacts
          details={membership}
          email={membership.email}
          more={[
            [memberPage.facts.state, networkWords.states[state]],
            [memberPage.facts.asked, confirmed === null ? asked : null],
            [memberPage.facts.confirmed, confirmed],
          ]}
        />
      ) : null}
      {children}
      <section className="mt-12">
        <h2 className="text-2xl">{links.title}</h2>
        <p className="mt-2 mb-6">{links.text(linkEnds)}</p>
        <LinkButton {...button} intent="endLinks" label={links.button} isQuiet />
      </section>
      <section className="withdrawal">
        <h2 className="text-2xl">{leave.title}</h2>
        <p className="mt-2 mb-6">{leave.text}</p>
        <LinkButton {...button} intent="leave" label={leave.button} isQuiet />
      </section>
    </LinkPage>
  );
}

function findLead({ membership: { state, is_restricted: isRestricted }, stopped }: MemberView): string {
  if (stopped !== null) return memberPage.stopped.lead(stopped);
  if (isRestricted) return memberPage.restricted;
  return state === "asked" ? memberPage.asked.lead : memberPage.leads[state];
}
