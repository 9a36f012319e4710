import { z } from "zod";

/** The version of what its page showed, as a form carries it; a page that was open before there were versions posts none. */
export const seenVersion = z
  .string()
  .regex(/^\d{1,15}$/)
  .optional();

/** The SQLSTATE by which the database refuses to change what is no longer as it was shown (migration "seen_versions"). */
export const changedSinceShown = "PT409";
