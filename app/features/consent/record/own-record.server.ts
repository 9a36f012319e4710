import { z } from "zod";
import { instantFormat } from "~/lib/dates";
import { callDatabase } from "~/server/backend/calls/call-function.server";
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
export type OwnRecord = ReturnType<typeof describeRecord>;

/**
 * Finds a visitor's record by its id, which only their browser has. The id alone opens and erases the record.
 * @returns null if there is none; "unavailable" if the call failed
 */
export async function findOwnRecord(site: SiteContext, recordId: string): Promise<OwnRecord | null | "unavailable"> {
  const called = await callDatabase(site, {
    name: "find_consent",
    failure: "consent.unread",
    parameters: { session_id: recordId },
    result: recordSchema.nullable(),
  });
  if (called === null) return "unavailable";
  return called.data && describeRecord(recordId, called.data, site.settings.replyClock.timeZone);
}

/**
 * Deletes a record with its history.
 * @returns false if the backend did not confirm the deletion
 */
export async function eraseOwnRecord(site: SiteContext, recordId: string): Promise<boolean> {
  const parameters = { session_id: recordId };
  const call = { name: "erase_consent", failure: "consent.not-erased", parameters, result: z.unknown() };
  return (await callDatabase(site, call)) !== null;
}

function describeRecord(recordId: string, { user_agent, history }: z.output<typeof recordSchema>, timeZone: string) {
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
