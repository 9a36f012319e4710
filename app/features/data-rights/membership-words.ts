import { networkWords } from "~/content/pages/network";

/**
 * Replaces the keys of a member's choices with the labels of the form that the member filled in, in the membership and
 * in a later wish that waits for confirmation. An unknown key stays.
 * @param membership from `export_subject_data`, or null
 */
export function nameMemberChoices(membership: unknown): unknown {
  if (typeof membership !== "object" || membership === null) return membership;
  return Object.fromEntries(
    Object.entries(membership).map(([name, value]: [string, unknown]) => [
      name,
      name === "pending" ? nameMemberChoices(value) : nameChoice(labels[name], value),
    ]),
  );
}

const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kind: networkWords.kinds,
  fields: networkWords.fields,
  check_size: networkWords.checkSizes,
  qualification: networkWords.qualifications,
  state: networkWords.states,
};

function nameChoice(words: Readonly<Record<string, string>> | undefined, value: unknown): unknown {
  if (Array.isArray(value) && words) return value.map((one) => nameChoice(words, one));
  return typeof value === "string" ? (words?.[value] ?? value) : value;
}
