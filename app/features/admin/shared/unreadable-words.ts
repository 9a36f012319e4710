/** Stands for a row of a list that the site cannot read. */
export const unreadableEntry = "This entry cannot be read.";
