import type { Transact, User } from "../users.ts";

/**
 * Takes somebody's second factor, recovery codes and setup code away. Where one is required, they need a setup code next.
 * @returns how many sessions it ended
 */
export async function resetSecondFactor(transact: Transact, user: User): Promise<number> {
  const { rows } = await transact((transaction) =>
    transaction.query<{ ended: number }>("select private.reset_second_factor($1) as ended", [user.id]),
  );
  return rows[0]?.ended ?? 0;
}

/** Makes a code with which somebody sets up a second factor where one is required; an earlier one no longer works. */
export async function makeSetupCode(transact: Transact, user: User): Promise<string> {
  const { rows } = await transact((transaction) =>
    transaction.query<{ code: string }>("select private.make_setup_code($1) as code", [user.email]),
  );
  return rows[0]?.code ?? "";
}
