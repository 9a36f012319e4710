import { TallLink } from "~/ui/content/tall-link";
import { TitledSection } from "~/ui/content/titled-section";
import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { networkPeriods } from "~/content/facts";
import { networkWords } from "~/content/pages/network";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { mailAddress } from "../inbox/mail-address";
import { type Fact, FactList } from "../shared/fact-list";
import type { Member } from "./network.server";
import { describeDetails, qualificationLabel } from "./network-words";

const { labels, qualifications, states } = networkWords;

/** Everything that is kept about a member, except the log and the emails. */
export function MemberFacts({ member }: { member: Member }) {
  const formatInstant = useInstantFormat();
  const instant = (at: string | null) => at && formatInstant(at);
  const facts: Fact[] = [
    ["State", states[member.state]],
    ...listDetails(member),
    ["Asked to join", instant(member.asked_at)],
    ["Confirmed", instant(member.confirmed_at)],
    ["Last said yes", member.renewed_at === member.confirmed_at ? null : instant(member.renewed_at)],
    ["Reminded", instant(member.reminded_at)],
    ["Asked to stay", instant(member.renewal_asked_at)],
    ["Stopped all mail", member.unsubscribed_at && describeStop(formatInstant(member.unsubscribed_at))],
    ["No letters since", member.paused_at && describePause(formatInstant(member.paused_at), findPauseReason(member))],
    ["Decided", instant(member.decided_at)],
  ];
  const consent = `Text ${member.consent_text_hash.slice(0, 12)}, privacy policy ${member.consent_policy_version}`;
  return (
    <>
      <p>
        <TallLink href={mailAddress(member.email)}>{member.email}</TallLink>
      </p>
      <FactList facts={facts} />
      <details>
        <summary className="summary-button">Proof of consent</summary>
        <p>{consent}</p>
      </details>
      {member.pending === null ? null : (
        <TitledSection id="pending" title="Asked for later, not confirmed">
          <p className="mt-1 mb-3 text-(--muted)">
            The contact form was used with this address again. These details apply once the member confirms them.
          </p>
          <FactList facts={listDetails(member.pending)} />
        </TitledSection>
      )}
    </>
  );
}

const describeStop = (instant: string) =>
  `${instant}. Gets no mail. The entry is deleted ${networkPeriods.stoppedDays} days later, unless the member takes it back.`;

/** Prefers the mail that caused the pause, because it has the server's own words. */
const findPauseReason = ({ mails, pause_reason: reason }: Member) =>
  mails.findLast(({ code }) => reason !== null && code?.split(" ")[0] === reason)?.code ?? reason;

const describePause = (instant: string, reason: string | null) =>
  `${instant}. Mail was returned: ${describeRefusal(reason)}. The member can end the pause on their own page.`;

function listDetails(details: NonNullable<Member["pending"]>): Fact[] {
  const { name = "", company = "", kind = null, fields = [], check_size = null, place, qualification } = details;
  const words = describeDetails({ kind, fields, check_size });
  return [
    [labels.name, name],
    [labels.company, company],
    [labels.kind, words.kind],
    [labels.fields, words.fields],
    [labels.check_size, words.check_size],
    [labels.place, place ?? null],
    [qualificationLabel, qualification ? qualifications[qualification] : null],
  ];
}
