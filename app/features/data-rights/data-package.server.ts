import { z } from "zod";
import { accessInformation } from "~/content/privacy/access-information";
import { findRecipientsInUse } from "~/server/config/recipients-in-use.server";
import { forbidTransform } from "~/server/document/security-headers.server";
import type { Settings } from "~/server/config/settings.server";
import { nameMemberChoices } from "./membership-words";
import { writeSubjectDataPage } from "./subject-data-page.server";

/** File formats of a data package. */
export const packageFormat = z.enum(["json", "html"]);

/**
 * Creates the response that downloads a data package: the stored data, and the information that GDPR Article 15(1) and
 * (2) require with it.
 * @param subjectData as returned by `export_subject_data`
 * @param headers headers to send with it; they must forbid caching
 */
export function createPackageResponse(
  settings: Settings,
  subjectData: Record<string, unknown>,
  format: z.output<typeof packageFormat>,
  headers: Headers,
): Response {
  const information = accessInformation(findRecipientsInUse(settings));
  const content = { information, ...subjectData };
  headers.set("Content-Type", format === "html" ? "text/html; charset=utf-8" : "application/json");
  if (format === "html") forbidTransform(headers);
  headers.set("Content-Disposition", `attachment; filename="${String(subjectData.reference)}.${format}"`);
  return new Response(
    format === "html"
      ? writeSubjectDataPage(
          { ...content, membership: nameMemberChoices(subjectData.membership) },
          settings.replyClock.timeZone,
        )
      : `${JSON.stringify(content, null, 2)}\n`,
    {
      headers,
    },
  );
}
