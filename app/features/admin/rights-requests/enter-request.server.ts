import { z } from "zod";
import { complaintAcknowledgement } from "#supabase/functions/_shared/mails/complaint-mail";
import { enteredAcknowledgement, requestAcknowledgement } from "#supabase/functions/_shared/mails/data-rights-mail";
import { dataRightsLimits, dataRightsRequestSchema } from "#supabase/functions/_shared/data-rights-request";
import { line, paragraphs } from "#supabase/functions/_shared/form-text";
import { type AdminResult, type AdminClient, callAdmin } from "../shared/admin-call.server";
import { createLinks } from "./new-links.server";

const dayMs = 86_400_000;
const dateMistake = "Enter the date the request was received, within the last 90 days";

/**
 * Builds the schema for a request that came by letter, phone or email. The database repeats these checks.
 * @param today ISO date in the firm's time zone
 */
export const enteredRequestSchema = (today: string) =>
  dataRightsRequestSchema.omit({ honeypot: true }).extend({
    name: line("the person’s full name", dataRightsLimits.name),
    description: paragraphs("what the person asks for", dataRightsLimits.description),
    channel: z.enum(["letter", "phone", "email"], "Select how the request arrived"),
    receivedOn: z.iso.date(dateMistake).refine((day) => {
      const age = Date.parse(today) - Date.parse(day);
      return age >= 0 && age < 90 * dayMs;
    }, dateMistake),
    isIdentified: z.boolean().default(false),
  });

/** A request that passed {@link enteredRequestSchema}. */
export type EnteredRequest = z.output<ReturnType<typeof enteredRequestSchema>>;

/**
 * Stores a request that came by letter, phone or email, with the rights of the signed-in admin, and queues an email to
 * the person.
 * @param siteUrl origin of the links in that email
 * @returns id of the request
 */
export async function enterRequest(
  client: AdminClient,
  siteUrl: string,
  entered: EnteredRequest,
): Promise<AdminResult<string>> {
  const { name, email, requestType, description, channel, receivedOn, isIdentified } = entered;
  const acknowledge = isIdentified ? enteredAcknowledgement : requestAcknowledgement;
  const write = requestType === "complaint" ? complaintAcknowledgement : acknowledge;
  const parameters = {
    request: { name, email, request_type: requestType, description },
    channel,
    received_on: receivedOn,
    is_identified: isIdentified,
    ...(await createLinks(write, email, siteUrl)),
  };
  return callAdmin(client, "enter_request", parameters, z.string());
}
