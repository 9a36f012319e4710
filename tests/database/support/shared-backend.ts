import type { EdgeFunctions } from "#supabase/embedded/functions.ts";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { makeLastingSiteFolder } from "../../support/site-folder.ts";
import { testAdmin } from "../../support/test-admin.ts";
import { rememberRows } from "./remember-rows.ts";

interface SharedBackend {
  embedded: EmbeddedBackend;
  /** the borrower's */
  functions: EdgeFunctions;
  /** makes the rows of all tables what they were after the start; answers false when a table's file has become too large to go on */
  restoreRows(): Promise<boolean>;
}

/** What the next test file of this process may have: to start a backend takes longer than most files' tests. */
let idle: SharedBackend | undefined;

/** A statement that changes more than rows. */
const changesMore = /\b(?:create|alter|drop|grant|revoke|comment)\b|(?:^|;)\s*set\b/i;

/** Lends a backend as it is after its start on a new site's folder. To close it is to give it back. */
export async function borrowBackend(functions: EdgeFunctions): Promise<EmbeddedBackend> {
  const shared = idle ?? (await startShared());
  idle = undefined;
  Object.assign(shared.functions, functions);
  let isSpoilt = false;
  let closing: Promise<void> | undefined;
  const giveBack = async () => {
    if (isSpoilt || idle || !(await shared.restoreRows())) return shared.embedded.close();
    for (const name of Object.keys(shared.functions)) delete shared.functions[name];
    idle = shared;
  };
  return {
    ...shared.embedded,
    sql: (query, parameters) => {
      isSpoilt ||= changesMore.test(query);
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
  return { embedded, functions, restoreRows: await rememberRows(embedded) };
}
