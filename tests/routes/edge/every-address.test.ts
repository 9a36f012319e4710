import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { routes } from "../../../app/routes";
import { shareSite } from "../../support/shared-site";
import { Visitor } from "../../support/visitor";

const addresses = Object.keys(routes)
  .filter((route) => route !== "*")
  .map((route) => `/${route.replaceAll(/:\w+/g, randomUUID())}`);

it("answers a GET of every address with a page, a file or a redirect, for strangers and admins", async () => {
  const { url } = await shareSite();
  const [stranger, admin] = [new Visitor(url), new Visitor(url)];
  await admin.signIn();
  for (const visitor of [stranger, admin]) {
    for (const address of addresses) {
      const { status, html } = await visitor.get(address);
      expect([address, [200, 303, 308, 404].includes(status) || status]).toEqual([address, true]);
      expect([address, html]).toEqual([address, expect.not.stringContaining("Unexpected Server Error")]);
    }
  }
});
