import { z } from "zod";

/**
 * Validates the version that a form's page showed: at most nine digits, which fit the database's integer. Pages opened
 * before versions existed send none.
 */
export const seenVersion = z
  .string()
  .regex(/^\d{1,9}$/)
  .optional();

/** SQLSTATE for a change to something newer than the version that was shown (migration "admins"). */
export const changedSinceShown = "PT409";
