import type { EdgeFunctions } from "#supabase/embedded/functions.ts";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { makeLastingSiteFolder } from "../../support/site-folder.ts";
import { testAdmin } from "../../support/test-admin.ts";
import { captureRows } from "../../support/pool/capture-rows.mjs";

interface SharedBackend {
  embedded: EmbeddedBackend;
  /** functions of the current borrower */
  functions: EdgeFunctions;
  /** Restores all rows to their state after the start. Returns false when a table's file has grown too large. */
  restoreRows(): Promise<boolean>;
}

/** Backend for the next test file of this process: starting one takes longer than most files' tests. */
let idle: SharedBackend | undefined;

/** Matches a statement that changes more than rows. */
const altersMoreThanRows = /\b(?:create|alter|drop|grant|revoke|comment)\b|(?:^|;)\s*set\b/i;

/** Lends a backend in the state after its start in a new site folder. `close` returns it for the next borrower. */
export async function borrowBackend(functions: EdgeFunctions): Promise<EmbeddedBackend> {
  const shared = idle ?? (await startShared());
  idle = undefined;
  Object.assign(shared.functions, functions);
  let isAltered = false;
  let closing: Promise<void> | undefined;
  const giveBack = async () => {
    if (isAltered || idle || !(await shared.restoreRows())) return shared.embedded.close();
    for (const name of Object.keys(shared.functions)) delete shared.functions[name];
    idle = shared;
  };
  return {
    ...shared.embedded,
    sql: (query, parameters) => {
      isAltered ||= altersMoreThanRows.test(query);
      return shared.embedded.sql(query, parameters);
    },
    close: () => (closing ??= giveBack()),
  };
}

async function startShared(): Promise<SharedBackend> {
  const functions: EdgeFunctions = {};
  const embedded = await startEmbeddedBackend({
    dataDir: await makeLastingSiteFolder(),
    siteUrl: "http://localhost:3000",
    admin: testAdmin,
    functions,
    log: () => undefined,
  });
  return { embedded, functions, restoreRows: await captureRows(embedded) };
}
