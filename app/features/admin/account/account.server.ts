import { z } from "zod";
import { optionalLine, optionalParagraphs } from "#supabase/functions/_shared/form-text";
import type { MessageKey } from "~/content/messages";
import { type AdminResult, type AdminClient, callAdmin, readAdmin } from "../shared/admin-call.server";

const accountSchema = z.object({
  email: z.string(),
  name: z.string(),
  signature: z.string(),
  sessions: z.array(
    z.object({
      id: z.uuid(),
      begun_at: z.string(),
      used_at: z.string(),
      /** as the browser sent it; null if it sent none */
      user_agent: z.string().nullable(),
      is_this: z.boolean(),
    }),
  ),
  events: z.array(
    z.discriminatedUnion("kind", [
      z.object({
        id: z.int(),
        at: z.string(),
        kind: z.enum(["password-changed", "factor-on", "factor-off", "recovery-code", "wrong-codes"]),
      }),
      z.object({
        id: z.int(),
        at: z.string(),
        kind: z.literal("sign-in"),
        /** description for people, e.g. "Firefox on Windows" */
        device: z.string(),
        is_new_device: z.boolean(),
      }),
    ]),
  ),
});

/** The admin's own account, as the account page shows it. */
export type OwnAccount = z.output<typeof accountSchema>;

/**
 * Reads the account of the signed-in admin.
 * @throws Response with the status of the failure and no body
 */
export async function getOwnAccount(client: AdminClient): Promise<OwnAccount> {
  const result = await readAdmin(client, "own_account", {}, accountSchema);
  if (!result.ok) throw new Response(null, { status: result.status, headers: { "Cache-Control": "no-store" } });
  return result.data;
}

/** Validates the form for name and signature. Both may be empty. The database counts the same characters. */
export const nameSchema = z.object({
  intent: z.literal("save-name"),
  name: optionalLine("your name", 100),
  signature: optionalParagraphs("your signature", 500),
});

/** Saves the name and signature of the signed-in admin. */
export async function saveName(
  client: AdminClient,
  { name, signature }: Pick<z.output<typeof nameSchema>, "name" | "signature">,
): Promise<AdminResult<MessageKey>> {
  const result = await callAdmin(client, "save_own_name", { name, signature }, z.unknown());
  return result.ok ? { ok: true, data: "nameSaved" } : result;
}

/** Validates the buttons that end sessions. */
export const endSessionSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("end-session"), session: z.uuid() }),
  z.object({ intent: z.literal("end-other-sessions") }),
]);

/** Ends one or all other sessions of the signed-in admin. Succeeds if the session has already ended. */
export async function endSessions(
  client: AdminClient,
  choice: z.output<typeof endSessionSchema>,
): Promise<AdminResult<MessageKey>> {
  const session = choice.intent === "end-session" ? choice.session : null;
  const result = await callAdmin(client, "end_own_sessions", { session_id: session }, z.int());
  if (!result.ok) return result;
  return { ok: true, data: session === null ? "otherSessionsEnded" : "sessionEnded" };
}
