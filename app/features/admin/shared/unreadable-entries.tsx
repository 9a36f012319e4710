import { useLoaderData } from "@remix-run/react";
import type { UnreadableIds } from "./readable-rows.server";

/** Stands for a row of a list that the site cannot read. */
export const unreadableEntry = "This entry cannot be read.";

/** Rows of a list that the site cannot read, below the others. Shows nothing without any. */
export function UnreadableEntries() {
  const { found } = useLoaderData() as { found: { unreadable: UnreadableIds } };
  const ids = found.unreadable;
  if (ids.length === 0) return null;
  return (
    <ul className="inbox-list">
      {ids.map((id, index) => (
        <li key={id ?? index} className="py-3 wrap-anywhere">
          {unreadableEntry}
          {id === null ? null : ` Reference: ${id}`}
        </li>
      ))}
    </ul>
  );
}
