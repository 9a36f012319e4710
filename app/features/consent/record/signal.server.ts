import { consentVersion } from "~/content/cookie-registry";
import type { ConsentDecision } from "~/lib/consent";
import type { SiteContext } from "~/server/site-context.server";
import type { ConsentState } from "../state/consent-state.server";
import { type SavingOptions, buildDecisionCookie, saveUnsaved } from "./decide.server";
import { hashShownText } from "./consent-text.server";

/**
 * Creates the refusal for a browser's signal (REQUIREMENTS 4.5). Until it is recorded, it holds nothing that tells one
 * visitor from another: the day without a time, and no id.
 */
export function refuseBySignal({ clock }: Pick<SiteContext, "clock">): ConsentDecision {
  return {
    analytics: false,
    marketing: false,
    source: "signal",
    version: consentVersion,
    decidedAt: clock.startOfToday(),
    textHash: hashShownText("signal", false),
    underGpc: false,
    recordId: null,
    isUnsaved: true,
  };
}

/**
 * Honors a signal if no other decision is in force. A visitor without a recorded decision gets a cookie without an id;
 * the record waits until that cookie comes back (`saveUnsaved`). If the signal ends a recorded decision, that record is
 * changed to a refusal immediately, and the id is removed from the browser.
 * @returns the `Set-Cookie` values
 */
export async function honorSignal(
  site: SiteContext,
  request: Request,
  { decision }: ConsentState,
  saving: SavingOptions,
): Promise<string[]> {
  const { cookies } = site;
  const hasSession = cookies.find(request, "consentSession") !== null;
  const removals = hasSession ? [cookies.remove("consentSession")] : [];
  const recordId = decision?.recordId ?? null;
  if (recordId === null) return [buildDecisionCookie(cookies, refuseBySignal(site)), ...removals];
  // With the time, because the later of two decisions becomes the record.
  const withdrawal = { ...refuseBySignal(site), recordId, decidedAt: new Date().toISOString() };
  const saved = await saveUnsaved(site, request, withdrawal, saving);
  return [...(saved.length > 0 ? saved : [buildDecisionCookie(cookies, withdrawal)]), ...removals];
}
