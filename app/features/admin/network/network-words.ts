import { networkWords } from "~/content/pages/network";
import type { MemberState } from "./network-filters";

/** Most characters of a note. The database counts the same. */
export const noteLimit = 2_000;

/** Label of how a member qualifies, for admins. */
export const qualificationLabel = "How they qualify as an accredited investor (not checked)";

/** Labels of the tabs. */
export const stateTabs: Record<MemberState, string> = {
  confirmed: "To review",
  admitted: "Admitted",
  declined: "Declined",
  asked: "Not confirmed",
};

/** Entries of a member's log in words, by action. */
export const memberActions: Readonly<Record<string, string>> = {
  asked: "Asked to join",
  "asked-again": "Asked again, with details that they have not confirmed",
  confirmed: "Confirmed the address",
  changed: "Changed their details",
  "change-discarded": "Kept their details as they were",
  reminded: "Reminder sent",
  "renewal-asked": "Asked whether they want to stay",
  renewed: "Confirmed that they stay",
  noted: "Note",
  admitted: "Admitted",
  declined: "Declined",
  "link-sent": "New link to their page",
  corrected: "Corrected at the member’s request",
  paused: "Mail was returned, so no more is sent",
  unsubscribed: "Stopped all mail",
  resumed: "Wants mail again",
  restricted: "Use restricted",
  "restriction-lifted": "Restriction lifted",
};

/** Actors of the log who are no admins. */
export const memberActors = { member: "Member", admin: "Admin", system: "System" };

/** Optional details of a member, as the database stores them. */
export interface MemberDetails {
  kind: keyof typeof networkWords.kinds | null;
  fields: readonly (keyof typeof networkWords.fields)[];
  check_size: keyof typeof networkWords.checkSizes | null;
}

/** Describes the optional details in words. Those that were not given are empty. */
export function describeDetails({ kind, fields, check_size }: MemberDetails) {
  return {
    kind: kind === null ? "" : networkWords.kinds[kind],
    fields: fields.map((field) => networkWords.fields[field]).join(", "),
    check_size: check_size === null ? "" : networkWords.checkSizes[check_size],
  };
}
