import { z } from "zod";

/** Validates the version that a form's page showed. Pages opened before versions existed send none. */
export const seenVersion = z
  .string()
  .regex(/^\d{1,15}$/)
  .optional();

/** SQLSTATE for a change to something newer than the version that was shown (migration "admins"). */
export const changedSinceShown = "PT409";
