import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moveToSupabase } from "#supabase/embedded/operations/move/move-to-supabase.ts";
import { sendMessage, startSite } from "../embedded/operations/site.ts";
import { testAdmin } from "../support/test-admin.ts";
import { leadsTo, readText } from "../support/visitor.ts";
import { type HostedSite, retryWhileUnavailable, canRun, startHostedSite, skipReason } from "./support/hosted-site.ts";

describe.skipIf(!canRun)(`the move of an embedded site to hosted services${skipReason}`, () => {
  let site: HostedSite;
  let dataDir: string;

  beforeAll(async () => {
    site = await startHostedSite({ withAdmin: false });
    const embedded = await startSite();
    dataDir = embedded.dataDir;
    await sendMessage(embedded);
    await embedded.sql(`insert into public.user_roles (user_id, role) select id, 'admin' from auth.users`);
    await embedded.close();
  });
  afterAll(async () => {
    await site?.close();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  it("keeps accounts, passwords and messages", async () => {
    const moved = await moveToSupabase(dataDir, site.databaseUrl);
    expect(moved.users).toBe(1);
    const admin = site.visitor();
    const { status, headers } = await retryWhileUnavailable(() => admin.signIn(testAdmin));
    expect([status, leadsTo({ headers })]).toEqual([303, "/admin"]);
    expect(readText((await retryWhileUnavailable(() => admin.get("/admin"))).html)).toContain("Grüße");
    const other = { email: testAdmin.email, password: "another password" };
    expect((await retryWhileUnavailable(() => site.visitor().signIn(other))).status).toBe(401);
  });
});
