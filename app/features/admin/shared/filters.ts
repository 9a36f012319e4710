/** The folders of the messages; `quarantined` are in no other but `all`. */
export const submissionFolders = ["all", "new", "in_progress", "done", "spam", "quarantined"] as const;

/** One of {@link submissionFolders}. */
export type SubmissionFolder = (typeof submissionFolders)[number];

/** The folders of the requests that the admin page offers; `restricted` are in no other. */
export const requestFolders = [
  "active",
  "unconfirmed",
  "open",
  "in_progress",
  "closed",
  "quarantined",
  "restricted",
] as const;

/** One of {@link requestFolders}. */
export type RequestFolder = (typeof requestFolders)[number];

/** A folder from an address, or the first where the address names none that exists. */
export function findFolder<Folder extends string>(
  folders: readonly [Folder, ...Folder[]],
  name: string | null,
): Folder {
  return folders.find((folder) => folder === name) ?? folders[0];
}

/** A place in a list from an address, or null for the beginning where the address names none. */
export function findCursor(place: string | null): string | null {
  return place !== null && cursorForm.test(place) ? place : null;
}

/** As private.turn_page writes it. */
const cursorForm = /^(?:next|previous)\.-?\d{1,17}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The address of a place in a list. It holds nothing of any person.
 * @param cursor null for the beginning
 */
export function listAddress(path: string, folder: string, cursor: string | null): string {
  const query = new URLSearchParams({ folder, ...(cursor === null ? {} : { page: cursor }) });
  return `${path}?${query}`;
}
