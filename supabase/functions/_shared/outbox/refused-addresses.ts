import { tryBackend } from "../host/backend.ts";
import { logEvent } from "../host/runtime.ts";
import type { ReportedEvent } from "../trouble.ts";
import type { ClaimedMail } from "./outbox.ts";
import type { RefusedAddress } from "./send-email.ts";

const cause: ReportedEvent = "firm-address-refused";

/**
 * Logs the addresses of CONTACT_TO that the mail server refused while it took the mail for others. A 5xx reply is also
 * trouble with the site; others, such as greylisting, pass.
 * @returns the addresses to which the mail is sent again
 */
export async function reportRefusedAddresses(
  { id, kind }: ClaimedMail,
  refused: readonly RefusedAddress[],
): Promise<string[]> {
  for (const { code } of refused) logEvent({ event: "mail-address-refused", level: "warn", mail: id, kind, code });
  if (refused.some(({ code }) => code.startsWith("smtp-5"))) {
    const { code } = await tryBackend("report_trouble", { causes: [cause] });
    if (code !== null) logEvent({ event: "trouble-mails-not-queued", code });
  }
  return refused.filter(({ outcome }) => outcome !== "rejected").map(({ address }) => address);
}
