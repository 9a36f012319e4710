import { consentVersion } from "~/content/cookie-registry";
import type { ConsentDecision } from "~/lib/consent";
import type { SiteContext } from "~/server/site-context.server";
import type { ConsentState } from "../state/consent-state.server";
import { type SavingOptions, keepDecision, saveUnsaved } from "./decide.server";
import { hashShownText } from "./consent-text.server";

/**
 * The refusal that a browser's signal makes (REQUIREMENTS 4.5). Until it is recorded it holds nothing by which one visitor
 * could be told from another: the day and no time, and no number.
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
 * Honors a signal where nothing else decides. Who had no choice recorded gets a cookie without a number, and the record waits
 * until that comes back (`saveUnsaved`). Whose choice the signal ends has it withdrawn in its own record, at once, and the
 * number leaves their browser with that.
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
  if (recordId === null) return [keepDecision(cookies, refuseBySignal(site)), ...removals];
  // With the time, because of two decisions the later one is the record.
  const withdrawal = { ...refuseBySignal(site), recordId, decidedAt: new Date().toISOString() };
  const saved = await saveUnsaved(site, request, withdrawal, saving);
  return [...(saved.length > 0 ? saved : [keepDecision(cookies, withdrawal)]), ...removals];
}
