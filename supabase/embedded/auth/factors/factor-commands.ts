import type { Transact, User } from "../users.ts";

/**
 * Removes a user's second factor, recovery codes and setup code. If the site requires a second factor, the user then
 * needs a setup code.
 * @returns the number of sessions ended
 */
export async function resetSecondFactor(transact: Transact, user: User): Promise<number> {
  const { rows } = await transact((transaction) =>
    transaction.query<{ ended: number }>("select private.reset_second_factor($1) as ended", [user.id]),
  );
  return rows[0]?.ended ?? 0;
}

/** Makes a code with which a user sets up a required second factor. Earlier codes stop working. */
export async function makeSetupCode(transact: Transact, user: User): Promise<string> {
  const { rows } = await transact((transaction) =>
    transaction.query<{ code: string }>("select private.make_setup_code($1) as code", [user.email]),
  );
  return rows[0]?.code ?? "";
}
