import { networkWords } from "~/content/pages/network";
import { useMediumDayFormat } from "~/ui/frame/time-zone";
import { UndeliveredMark } from "../delivery/undelivered-mark";
import { linkWaits } from "../delivery/waiting-mails";
import { type NetworkQuery, memberUrl } from "./network-filters";
import type { MemberRow } from "./network.server";
import { describeDetails } from "./network-words";

/** One page of members, each with the day since which they are in their state. */
export function MemberRows({ members, query }: { members: readonly MemberRow[]; query: NetworkQuery }) {
  return (
    <ul id="members" tabIndex={-1} className="inbox-list">
      {members.map((member) => {
        const { id, name, company } = member;
        const { kind, fields, check_size } = describeDetails(member);
        return (
          <li key={id}>
            <a href={memberUrl(id, query)} className="member-row">
              <span className="member-person">
                <bdi>{name}</bdi>, <bdi>{company}</bdi>
              </span>{" "}
              <span className="member-kind">{kind}</span> <span className="member-check">{check_size}</span>{" "}
              <span className="member-fields">{fields}</span>{" "}
              <span className="member-state">
                <MemberState member={member} />
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** Says why a member gets no mail, or else their state, which is also the list's; each with its day. */
function MemberState({ member }: { member: MemberRow }) {
  const formatDay = useMediumDayFormat();
  const { state, asked_at, confirmed_at, decided_at, undelivered_at, refusal, unsubscribed_at, link_waits } = member;
  if (unsubscribed_at !== null) return `Stopped mail ${formatDay(unsubscribed_at)}`;
  if (link_waits) return linkWaits;
  if (undelivered_at !== null)
    return (
      <>
        <UndeliveredMark error={refusal} /> {formatDay(undelivered_at)}
      </>
    );
  const since = { asked: asked_at, confirmed: confirmed_at, admitted: decided_at, declined: decided_at }[state];
  return `${state === "asked" ? "Asked" : networkWords.states[state]} ${formatDay(since ?? asked_at)}`;
}
