import { z } from "zod";
import { maxCharacters } from "#supabase/functions/_shared/form-text";
import { accountLinkPage, type LinkPurpose } from "~/content/pages/account-link";
import { composePassword } from "~/lib/passwords/password-rule";
import { callWithToken, refuseLink } from "~/server/forms/secret-link.server";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";

const purpose = z.enum(["invitation", "new-password"] satisfies LinkPurpose[]);

const accountLinkSchema = z.object({ purpose, email: z.string() });

/** Purpose of an account link, and its account. */
export type AccountLink = z.output<typeof accountLinkSchema>;

/**
 * Reads an account link without using it up.
 * @throws Response 404 for an unknown, expired or used token; 503 when the backend is unavailable
 */
export async function requireAccountLink(site: SiteContext, token: string): Promise<AccountLink> {
  return (await callWithToken(site, "account", "find_account_link", token, accountLinkSchema)) ?? refuseLink();
}

const { mistakes } = accountLinkPage;

/** Validates the form for a first or new password. The edge function judges the strength of the password. */
export const chosenPasswordSchema = z
  .object({
    // Rejects overlong passwords before it composes them.
    password: z
      .string(mistakes.password)
      .min(1, { error: mistakes.password, abort: true })
      .check(maxCharacters("your new password", 1024))
      .overwrite(composePassword),
    repeated: z.string(mistakes.repeated).overwrite(composePassword),
  })
  .refine((form) => form.password === form.repeated, { path: ["repeated"], message: mistakes.repeated });

/** Result of redeeming an account link. The form shows `fault`, the problem with the password. */
export type Redemption =
  | { outcome: "done"; purpose: LinkPurpose }
  | { outcome: "refused"; fault: string }
  | { outcome: "gone" }
  | { outcome: "unavailable" };

const redemptionSchema = z.union([
  z.object({ ok: z.literal(true), purpose }).transform((done) => ({ outcome: "done" as const, purpose: done.purpose })),
  z.object({ fault: z.string() }).transform(({ fault }) => ({ outcome: "refused" as const, fault })),
  z.object({ error: z.enum(["unknown-link", "invalid"]) }).transform(() => ({ outcome: "gone" as const })),
]);

/** Sets the password of the link's account and uses up the link. */
export async function redeemAccountLink(
  { supabase: clients, log }: SiteContext,
  token: string,
  password: string,
): Promise<Redemption> {
  try {
    const supabase = await clients.visitor();
    const body = { action: "redeem", token, password };
    const { data, error, response } = await supabase.functions.invoke<unknown>("account-links", { body });
    const redemption = redemptionSchema.safeParse(error ? await response?.json().catch(() => null) : data);
    if (redemption.success) return redemption.data;
    log.error({ event: "account.link-not-redeemed", status: response?.status });
  } catch (error) {
    log.error({ event: "account.link-not-redeemed", ...describeError(error) });
  }
  return { outcome: "unavailable" };
}
