import type { ListUrlParts, SubmissionFilter } from "../shared/filters";
import { listUrl, messageUrl } from "../shared/filters";
import { stateNames } from "./inbox-words";
import type { Neighbors } from "./neighbors.server";

/** Place of a message in the list that led to its page. */
export interface MessageWaysProps {
  /** the message's id */
  id: string;
  place: ListUrlParts & { filter: SubmissionFilter };
  neighbors: Neighbors | null;
}

/** Links back to the list, and to the messages before and after in it. A phone shows only the arrows of those. */
export function MessageWays({ id, place, neighbors }: MessageWaysProps) {
  const { count = null, previous = null, next = null, is_listed = false } = neighbors ?? {};
  const list = place.searchId === null ? stateNames[place.filter] : "Search results";
  return (
    <nav aria-label="Messages" className="message-ways">
      <a href={`${listUrl("/admin", place)}${is_listed ? `#m-${id}` : ""}`}>
        {`← ${list}${count === null ? "" : ` (${count})`}`}
      </a>{" "}
      {previous === null ? null : (
        <a href={messageUrl(previous.id, place)} rel="prev">
          ‹{" "}
          <span>
            Previous: <bdi>{previous.name}</bdi>
          </span>
        </a>
      )}{" "}
      {next === null ? null : (
        <a href={messageUrl(next.id, place)} rel="next">
          <span>
            Next: <bdi>{next.name}</bdi>
          </span>{" "}
          ›
        </a>
      )}
    </nav>
  );
}
