import { linkAddress } from "~/lib/pages/link-address";
import { LinkButton } from "~/ui/forms/link-button";
import { MemberFacts } from "./member-facts";
import type { MemberView } from "./member-view.server";
import type { MemberDetails } from "./membership.server";

/** Props of {@link PendingChange}. */
export interface PendingChangeProps {
  view: MemberView;
  pending: MemberDetails;
  words: Readonly<Record<"title" | "text" | "kept" | "asked" | "use" | "keep", string>>;
}

/** Details of a later use of the contact form beside those that are kept, with the choice between them. */
export function PendingChange({ view, pending, words }: PendingChangeProps) {
  const { token, membership } = view;
  const button = { action: linkAddress("/network", token), token, shown: membership.pending_digest };
  return (
    <section id="pending" className="mt-10" aria-labelledby="pending-title">
      <h2 id="pending-title" className="text-2xl">
        {words.title}
      </h2>
      <p className="mt-2">{words.text}</p>
      <h3 className="mt-6 text-xl">{words.asked}</h3>
      <MemberFacts details={pending} />
      <div className="mt-6">
        <LinkButton {...button} intent="confirm" label={words.use} />
      </div>
      <h3 className="mt-10 text-xl">{words.kept}</h3>
      <MemberFacts details={membership} email={membership.email} />
      <div className="mt-6">
        <LinkButton {...button} intent="discard" label={words.keep} isQuiet />
      </div>
    </section>
  );
}
