import { createSeal } from "../../auth/factors/sealed-secret.ts";
import { loadSecrets } from "../../secrets.ts";
import type { Query } from "../backups/digest.ts";
import type { HostedDatabase } from "../hosted-database.ts";
import { OperationRefused } from "../operation-refused.ts";

/**
 * Copies the second factors that count, behind the accounts: without them a password alone would open the admin area on the
 * target. GoTrue keeps their keys as they are, so they are unsealed on the way.
 * @param folder holds the secrets of the source
 * @throws OperationRefused when a key cannot be opened: the secrets have been made anew since
 */
export async function moveFactors(source: Query, target: HostedDatabase, folder: string): Promise<void> {
  const sealed = await source<Factor>(`
    select id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret
    from auth.mfa_factors where status = 'verified'`);
  if (sealed.length === 0) return;
  const { open } = createSeal((await loadSecrets(folder)).jwtSecret);
  const factors = sealed.map((factor) => ({ ...factor, secret: unseal(open, factor.secret) }));
  await target.run(
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
      "A second factor cannot be opened with the keys of this folder. Take it away first (`npm run admin -- reset-second-factor`).",
    );
  }
}
