import { afterEach, expect, it } from "vitest";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { runInProcess } from "../../../support/commands/run-in-process";
import { startSite, testAdmin } from "../../../support/site";
import { leadsTo } from "../../../support/visitor";
import { type Authenticator, setUpSecondFactor } from "../../support/authenticator";
import { confirmFor, openWorld } from "../support/world";

const world = openWorld(startSite);

afterEach(() =>
  runInProcess(() => runOperation("admin", ["reset-second-factor", testAdmin.email], { DATA_DIR: world.site.dataDir })),
);

const confirmIdentity = () => world.admin.post(confirmFor("/admin"), { password: testAdmin.password });
const enter = (intent: string, code = "") => world.admin.post("/login/second-factor", { intent, code });

// ASVS 7.2.4: an attacker planted the session's cookie, or copied it, before its owner authenticated.
it.each<[string, boolean, (app?: Authenticator) => unknown]>([
  ["sets up a factor", false, () => setUpSecondFactor(world.admin)],
  ["signs in again in the same browser", false, () => world.admin.signIn()],
  ["confirms their identity", false, () => (world.ageSignIn(), confirmIdentity())],
  ["enters a code at sign-in", true, (app) => enter("code", app?.nextCode())],
  ["uses a recovery code", true, (app) => enter("recovery", app?.recoveryCodes[0])],
])("a copied session cookie is useless after the owner %s", async (_, hasFactor, authenticate) => {
  const app = hasFactor ? await setUpSecondFactor(await world.signIn()) : undefined;
  world.admin = await world.signIn();
  const copies = [world.copyOf(world.admin), world.copyOf(world.admin, true)];
  await authenticate(app);
  const opened = [...copies, world.admin].map(async (each) => leadsTo(await each.get("/admin/requests")));
  expect(await Promise.all(opened)).toEqual(["/login", "/login", null]);
});
