import { z } from "zod";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { troubleCauses } from "#supabase/functions/_shared/trouble";
import { siteVersion } from "~/lib/site-version";

const waitingSchema = z.object({
  count: z.number(),
  oldestSeconds: z.number(),
  /** code of the last failed attempt, and after a space the mail server's words */
  lastError: z.string().nullable(),
});

/** The state of a running server, for `doctor`: without personal data, and with no setting but as a digest. */
export const serverStatusSchema = z.object({
  version: z.string(),
  uptimeSeconds: z.number(),
  postgresql: z.string(),
  /** digests by setting (`digestValues`) */
  settings: z.record(z.string(), z.string()),
  /** mail that waits for the mail server; null if none does. Mail that waits for a limit, or is held, does not count. */
  mail: waitingSchema.nullable(),
  /** the same for letters to the network, which wait for other mail */
  letters: waitingSchema.nullable(),
  troubles: z.array(z.object({ cause: z.enum(troubleCauses), since: z.string() })),
});

/** See `serverStatusSchema`. */
export type ServerStatus = z.output<typeof serverStatusSchema>;

/**
 * Reads the state of this server.
 * @param digests of its settings
 */
export async function readStatus(
  sql: EmbeddedBackend["sql"],
  digests: ServerStatus["settings"],
): Promise<ServerStatus> {
  const [state] = await sql<Pick<ServerStatus, "postgresql" | "troubles">>(
    "select current_setting('server_version') as postgresql, private.list_troubles() as troubles",
  );
  const waiting = await sql<z.output<typeof waitingSchema> & { isLetter: boolean }>(waitingMail);
  return {
    version: siteVersion,
    uptimeSeconds: Math.round(process.uptime()),
    postgresql: state?.postgresql ?? "",
    settings: digests,
    mail: waiting.find(({ isLetter }) => !isLetter) ?? null,
    letters: waiting.find(({ isLetter }) => isLetter) ?? null,
    troubles: state?.troubles ?? [],
  };
}

/** A clock that was set back does not make an age negative. */
const waitingMail = `
  select mail.kind = 'letter' as "isLetter", count(*)::integer as count,
    greatest(0, extract(epoch from now() - min(mail.created_at)))::integer as "oldestSeconds",
    (array_agg(mail.last_error order by mail.attempted_at desc) filter (where mail.last_error is not null))[1] as "lastError"
  from private.email_outbox as mail
  where mail.delivered_at is null and mail.gave_up_at is null and not private.is_held(mail)
  group by 1`;
