import { z } from "zod";
import { company } from "~/content/company";
import type { MessageKey } from "~/content/messages";
import { optionalParagraphs, paragraphs } from "#supabase/functions/_shared/form-text";
import { nameSite, networkAskMail, networkLinkMail } from "#supabase/functions/_shared/mails/network-mail";
import { type AdminClient, type AdminResult, callAdmin } from "../shared/admin-call.server";
import { changedSinceShown, seenVersion } from "../shared/seen.server";
import { noteLimit } from "./network-words";
import type { Member } from "./network.server";

const optionalNote = optionalParagraphs("your note", noteLimit);

/** Validates the forms of a member's page. `text` is the admin's note. */
export const memberFormSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("noted"), text: paragraphs("your note", noteLimit), seen: seenVersion }),
  z.object({ intent: z.enum(["admitted", "declined"]), text: optionalNote, seen: seenVersion }),
  z.object({ intent: z.literal("sendLink") }),
  z.object({ intent: z.literal("remove") }),
]);

/** A form that passed {@link memberFormSchema}. */
export type MemberChange = z.output<typeof memberFormSchema>;

/** Text of a refusal because a colleague, or the member, changed the record. The page lists the changes. */
export const changedMeanwhile =
  "This member was changed while the page was open, so nothing was done. This is the current version. To go ahead anyway, press the button again.";

/**
 * Changes one member with the rights of the signed-in admin. The database logs the admin. Only sending the link writes
 * to the person.
 * @param siteUrl origin of the link in that mail
 */
export async function changeMember(
  client: AdminClient,
  siteUrl: string,
  member: Pick<Member, "id" | "state">,
  change: MemberChange,
): Promise<AdminResult<MessageKey>> {
  const [name, parameters, key] = toDatabaseCall(member, change, siteUrl);
  const failures = {
    [changedSinceShown]: { status: 409, text: changedMeanwhile },
    ...(change.intent === "sendLink"
      ? {
          "55000": {
            status: 409,
            text: "A link was sent less than 10 minutes ago, or waits for its turn. Reload the page.",
          },
          "55006": { status: 409, text: "This member stopped all mail, so nothing was sent." },
        }
      : {}),
  };
  const result = await callAdmin(client, name, { member_id: member.id, ...parameters }, z.unknown(), failures);
  return result.ok ? { ok: true, data: key } : result;
}

function toDatabaseCall(
  { state }: Pick<Member, "state">,
  change: MemberChange,
  siteUrl: string,
): [string, Record<string, unknown>, MessageKey] {
  switch (change.intent) {
    case "noted":
    case "admitted":
    case "declined": {
      const { intent, text, seen } = change;
      const review = { action: intent, note: text || null, seen_version: seen === undefined ? null : Number(seen) };
      return ["review_network_member", review, reviewMessages[intent]];
    }
    case "sendLink": {
      const write = state === "asked" ? networkAskMail : networkLinkMail;
      return ["send_network_link", { mail: write(nameSite(siteUrl, company.name)) }, "memberLinkSent"];
    }
    case "remove":
      return ["remove_network_member", {}, "memberRemoved"];
  }
}

const reviewMessages = {
  noted: "memberNoted",
  admitted: "memberAdmitted",
  declined: "memberDeclined",
} as const satisfies Record<string, MessageKey>;
