import { commandLine } from "../../../../app/lib/command-line.ts";
import { createSeal } from "../../auth/factors/sealed-secret.ts";
import { loadSecrets } from "../../secrets.ts";
import type { Query } from "../read-database.ts";
import { OperationRefused } from "../operation-refused.ts";

/**
 * Copies verified second factors, after the accounts: without them a password alone would give access to the admin area
 * on the target. GoTrue stores TOTP secrets unencrypted, so they are decrypted on the way.
 * @param folder holds the secrets of the source
 * @throws OperationRefused when a secret cannot be decrypted because the folder's secrets were regenerated
 */
export async function moveFactors(source: Query, target: Query, folder: string): Promise<void> {
  const sealed = await source<Factor>(`
    select id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret
    from auth.mfa_factors where status = 'verified'`);
  if (sealed.length === 0) return;
  const { open } = createSeal((await loadSecrets(folder)).jwtSecret);
  const factors = sealed.map((factor) => ({ ...factor, secret: unseal(open, factor.secret) }));
  await target(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
     select id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret
     from jsonb_populate_recordset(null::auth.mfa_factors, $1::jsonb)`,
    [JSON.stringify(factors)],
  );
}

interface Factor {
  id: string;
  secret: string;
}

function unseal(open: (sealed: string) => string, sealed: string): string {
  try {
    return open(sealed);
  } catch {
    throw new OperationRefused(
      `A second factor cannot be decrypted with the keys of this folder. Remove it first (\`${commandLine("admin reset-second-factor <email>")}\`).`,
    );
  }
}
