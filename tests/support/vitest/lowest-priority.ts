import { constants, setPriority } from "node:os";

// A site's own backups run at the lowest priority (decision 55). Beside tests at a higher one, on a machine that is busy with
// them, each would wait until all the others are through.
setPriority(constants.priority.PRIORITY_LOW);
