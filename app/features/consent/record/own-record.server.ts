import { z } from "zod";
import { instantFormat } from "~/lib/dates";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";

const instant = z.iso.datetime({ offset: true });
const decisionSchema = z.object({ analytics_consent: z.boolean(), marketing_consent: z.boolean() });
const recordSchema = decisionSchema.extend({
  user_agent: z.string().nullable(),
  history: z.array(
    decisionSchema.extend({
      source: z.enum(["banner", "dialog", "signal"]),
      consent_version: z.string(),
      text_hash: z.string(),
      decided_at: instant,
    }),
  ),
});

/** A visitor's consent record as the preferences show it. */
export interface OwnRecord {
  recordId: string;
  userAgent: string | null;
  /** oldest first; `at` is an instant in words */
  decisions: {
    at: string;
    analytics: boolean;
    marketing: boolean;
    source: "banner" | "dialog" | "signal";
    version: string;
    textHash: string;
  }[];
}

/**
 * Finds a visitor's record by its id, which only their browser has.
 * @returns null if there is none; "unavailable" if the call failed
 */
export async function findOwnRecord(
  { supabase: clients, log, settings }: SiteContext,
  recordId: string,
): Promise<OwnRecord | null | "unavailable"> {
  try {
    const supabase = await clients.visitor();
    // POST, which is not retried: projects log URLs, and the id alone opens and erases the record.
    const { data, error } = await supabase.rpc("find_consent", { session_id: recordId });
    if (!error) {
      const record = recordSchema.nullable().parse(data);
      return record && describeRecord(recordId, record, settings.replyClock.timeZone);
    }
    log.error({ event: "consent.unread", code: error.code });
  } catch (error) {
    log.error({ event: "consent.unread", ...describeError(error) });
  }
  return "unavailable";
}

/**
 * Deletes a record with its history.
 * @returns false if the backend did not confirm the deletion
 */
export async function eraseOwnRecord(site: SiteContext, recordId: string): Promise<boolean> {
  try {
    const supabase = await site.supabase.visitor();
    const { error } = await supabase.rpc("erase_consent", { session_id: recordId });
    if (!error) return true;
    site.log.error({ event: "consent.not-erased", code: error.code });
  } catch (error) {
    site.log.error({ event: "consent.not-erased", ...describeError(error) });
  }
  return false;
}

function describeRecord(
  recordId: string,
  { user_agent, history }: z.output<typeof recordSchema>,
  timeZone: string,
): OwnRecord {
  const formatInstant = instantFormat(timeZone);
  return {
    recordId,
    userAgent: user_agent,
    decisions: history.map((decision) => ({
      at: formatInstant(decision.decided_at),
      analytics: decision.analytics_consent,
      marketing: decision.marketing_consent,
      source: decision.source,
      version: decision.consent_version,
      textHash: decision.text_hash,
    })),
  };
}
