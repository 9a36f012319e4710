import { expect, it } from "vitest";
import { createSeal } from "./sealed-secret.ts";

const seal = createSeal("a secret");

it("opens a text with its own key only, and hides equal texts", () => {
  const [one, other] = [seal.close("JBSWY3DPEHPK3PXP"), seal.close("JBSWY3DPEHPK3PXP")];
  expect([seal.open(one), seal.open(other)]).toEqual(["JBSWY3DPEHPK3PXP", "JBSWY3DPEHPK3PXP"]);
  expect(one).not.toBe(other);
  expect(() => createSeal("another secret").open(one)).toThrow(/unable to authenticate/);
});

it("refuses a text in which any byte changed", () => {
  const sealed = Buffer.from(seal.close("JBSWY3DPEHPK3PXP"), "base64url");
  for (const place of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[place]! ^= 1;
    expect(() => seal.open(changed.toString("base64url")), `byte ${place}`).toThrow(/unable to authenticate/);
  }
});
