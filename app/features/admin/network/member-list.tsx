import { networkWords } from "~/content/pages/network";
import { useMediumDayFormat } from "~/ui/frame/time-zone";
import { UndeliveredMark } from "../delivery/undelivered-mark";
import { networkPath } from "./network-filters";
import type { MemberRow } from "./network.server";
import { describeDetails } from "./network-words";

/** One page of members, each with the day since which they are in their state. */
export function MemberRows({ members }: { members: readonly MemberRow[] }) {
  const formatDay = useMediumDayFormat();
  return (
    <ul className="inbox-list">
      {members.map((member) => {
        const { id, name, company, state, asked_at, confirmed_at, decided_at } = member;
        const { kind, fields, check_size } = describeDetails(member);
        const since = { asked: asked_at, confirmed: confirmed_at, admitted: decided_at, declined: decided_at }[state];
        return (
          <li key={id}>
            <a href={`${networkPath}/${id}`} className="member-row">
              <span className="member-person">
                <bdi>{name}</bdi>, <bdi>{company}</bdi>
              </span>{" "}
              <span className="member-kind">{kind}</span> <span className="member-check">{check_size}</span>{" "}
              <span className="member-fields">{fields}</span>{" "}
              <span className="member-state">
                {member.undelivered_at === null ? null : (
                  <>
                    <UndeliveredMark />,{" "}
                  </>
                )}
                {member.unsubscribed_at === null ? null : "Stopped all mail, "}
                {`${state === "asked" ? "Asked" : networkWords.states[state]} ${formatDay(since ?? asked_at)}`}
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
