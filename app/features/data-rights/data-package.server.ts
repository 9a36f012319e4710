import { z } from "zod";
import { accessInformation } from "~/content/privacy/access-information";
import { findRecipientsInUse } from "~/server/config/recipients-in-use.server";
import { forbidTransform } from "~/server/document/forbid-transform.server";
import type { Settings } from "~/server/config/settings.server";
import { writeSubjectDataPage } from "./subject-data-page.server";

/** In which form a data package is given out. */
export const packageFormat = z.enum(["json", "html"]);

/**
 * The answer that hands over a data package as a file: what is held, and what GDPR Article 15(1) and (2) ask to be told
 * beside it.
 * @param subjectData as `export_subject_data` returns it
 * @param headers to be sent with it; they must keep it out of every cache
 */
export function answerWithPackage(
  settings: Settings,
  subjectData: Record<string, unknown>,
  format: z.output<typeof packageFormat>,
  headers: Headers,
): Response {
  const information = accessInformation(findRecipientsInUse(settings));
  const whole = { information, ...subjectData };
  headers.set("Content-Type", format === "html" ? "text/html; charset=utf-8" : "application/json");
  if (format === "html") forbidTransform(headers);
  headers.set("Content-Disposition", `attachment; filename="${String(subjectData.reference)}.${format}"`);
  return new Response(
    format === "html"
      ? writeSubjectDataPage(whole, settings.replyClock.timeZone)
      : `${JSON.stringify(whole, null, 2)}\n`,
    {
      headers,
    },
  );
}
