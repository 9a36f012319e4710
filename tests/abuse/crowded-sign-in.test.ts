import { afterAll, beforeAll, expect, it } from "vitest";
import { startSite, testAdmin, type TestSite } from "../support/site";
import { filledContactForm, Visitor } from "../support/visitor";

const wrong = { ...testAdmin, password: "not the passphrase" };
let site: TestSite;

beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1" }, { timeouts: { signInDelay: 200 } });
});
afterAll(() => site?.stop());

let last = 0;
const newAddress = () => ({ "X-Forwarded-For": `198.51.${last >> 8}.${last++ & 255}` });

const tryWrong = () => new Visitor(site.url).post("/login", wrong, newAddress());

it("lets the owner sign in and visitors send forms while a crowd tries passwords", async () => {
  for (let failures = 0; failures < 10; failures++) expect((await tryWrong()).status).toBe(401);
  const over = new AbortController();
  const crowd = Array.from({ length: 20 }, async () => {
    while (!over.signal.aborted) await tryWrong();
  });
  const owner: number[] = [];
  const forms: number[] = [];
  for (let tries = 0; tries < 4; tries++) {
    // A device that has never signed in, from a different network.
    const [signedIn, sent] = await Promise.all([
      new Visitor(site.url).post("/login", testAdmin, newAddress()),
      new Visitor(site.url).post("/contact", filledContactForm, newAddress()),
    ]);
    owner.push(signedIn.status);
    forms.push(sent.status);
  }
  over.abort();
  await Promise.all(crowd);
  expect(owner).toEqual(Array(4).fill(303));
  expect(forms).toEqual(Array(4).fill(303));
});
