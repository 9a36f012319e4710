import { countOf } from "~/lib/count-of";
import { networkWords } from "~/content/pages/network";
import { letterStates } from "../network-filters";
import type { Letter, LetterRow } from "./letters.server";

/** Labels of {@link letterStates}. */
export const letterStateWords: Record<(typeof letterStates)[number], string> = {
  confirmed: "Confirmed, not reviewed yet",
  admitted: "Admitted",
};

/** Path of the list of letters. */
export const lettersPath = "/admin/network/letters";

/** Returns the path of a letter's page. */
export const letterPath = (id: string) => `${lettersPath}/${id}`;

/** Returns the path of the page that checks and sends a draft. */
export const checkPath = (id: string) => `${letterPath(id)}/check`;

/** Describes the chosen groups, e.g. "Admitted · Angel investor · All fields". */
export function describeChoice({ to_states, to_kind, to_field }: Pick<Letter, "to_states" | "to_kind" | "to_field">) {
  return [
    to_states.length === letterStates.length
      ? "Confirmed or admitted"
      : to_states.map((state) => networkWords.states[state]).join(", "),
    to_kind === null ? "All kinds" : networkWords.kinds[to_kind],
    to_field === null ? "All fields" : networkWords.fields[to_field],
  ].join(" · ");
}

/** Names a number of members, e.g. "1 member". */
export const countMembers = (count: number) => countOf(count, "member");

/** Says how far a letter is, for its row in the list. */
export function describeProgress({ state, to_count: total, delivered, refused, unsent }: LetterRow): string {
  switch (state) {
    case "draft":
      return "Draft";
    case "sending":
      return `Sending: ${delivered} of ${total}`;
    case "sent":
      return refused + unsent > 0 ? `Sent: ${delivered} of ${total}` : `Sent to ${countMembers(total ?? 0)}`;
    case "stopped":
      return `Stopped: ${delivered} of ${total}`;
  }
}

/** Finds the braces of a letter that are not `{name}`, each with what it encloses: members would get them as typed. */
export function findStrayBraces({ subject, body }: { subject: string; body: string }): string[] {
  const found = `${subject}\n${body}`.match(/\{+[^{}\n]{0,40}\}+|[{}]/g) ?? [];
  return [...new Set(found.filter((text) => text !== "{name}"))];
}
