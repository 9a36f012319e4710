import { afterEach, describe, expect, it } from "vitest";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { runInProcess } from "../../../support/commands/run-in-process";
import { startSite, testAdmin } from "../../../support/site";
import { type Visitor, leadsTo } from "../../../support/visitor";
import { type Authenticator, ageSignIn, setUpSecondFactor } from "../../support/authenticator";
import { openWorld } from "../support/world";

const world = openWorld(startSite);

afterEach(() =>
  runInProcess(() => runOperation("admin", ["reset-second-factor", testAdmin.email], { DATA_DIR: world.site.dataDir })),
);

const enter = (owner: Visitor, intent: string, code: string) => owner.post("/login/second-factor", { intent, code });

/** Ways to authenticate without a second factor, and with one. */
const ways: [string, (owner: Visitor) => Promise<unknown>][] = [
  ["sets up a factor", setUpSecondFactor],
  ["signs in again in the same browser", (owner) => owner.signIn()],
  [
    "confirms their identity",
    (owner) => {
      ageSignIn(owner, world.site.dataDir, 16);
      return owner.post("/admin/confirm?next=/admin", { password: testAdmin.password });
    },
  ],
];
const waysWithFactor: [string, (owner: Visitor, app: Authenticator) => Promise<unknown>][] = [
  ["enters a code at sign-in", (owner, app) => enter(owner, "code", app.nextCode())],
  ["uses a recovery code", (owner, app) => enter(owner, "recovery", app.recoveryCodes[0]!)],
];

/** Copies the session, authenticates, and opens a page in each browser. @returns addresses that it leads to */
async function openCopiesAfter(owner: Visitor, authenticate: () => Promise<unknown>): Promise<(string | null)[]> {
  const copies = [world.copyOf(owner), world.copyOf(owner, true)];
  await authenticate();
  return Promise.all([...copies, owner].map(async (each) => leadsTo(await each.get("/admin/requests"))));
}
const onlyTheOwner = ["/login", "/login", null];

// ASVS 7.2.4: an attacker planted the session's cookie, or copied it, before its owner authenticated.
describe("a copied session cookie", () => {
  it.each(ways)("is useless after the owner %s", async (_, authenticate) => {
    const owner = await world.signIn();
    expect(await openCopiesAfter(owner, () => authenticate(owner))).toEqual(onlyTheOwner);
  });

  it.each(waysWithFactor)("is useless after the owner %s", async (_, authenticate) => {
    const app = await setUpSecondFactor(await world.signIn());
    const owner = await world.signIn();
    expect(await openCopiesAfter(owner, () => authenticate(owner, app))).toEqual(onlyTheOwner);
  });
});
