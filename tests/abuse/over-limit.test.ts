import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { startProduct } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { visit } from "./newcomers";
import { host, startPosts } from "./crowd-posts";

it("accepts forms during 150 concurrent posts above the limits of as many clients in different networks", async () => {
  const settings = { SITE_URL: `http://${host}`, TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "1" };
  const product = await startProduct(settings, { timeouts: "production" });
  try {
    const crowd = startPosts(product, "many");
    // By then each client of the crowd is above its limit.
    await wait(10_000);
    const statuses: unknown[] = [];
    for (let client = 0; client < 20; client++) {
      const headers = { Host: host, Origin: `http://${host}`, "X-Forwarded-For": `192.0.${client}.1` };
      const message = { ...filledContactForm, message: `From ${client}` };
      statuses.push((await visit({ origin: product.url, headers }, "/contact", message)).status);
    }
    const ofCrowd = await crowd.stop();
    expect(statuses, JSON.stringify(ofCrowd)).toEqual(statuses.map(() => 303));
    // More posts arrived than there are slots.
    expect(ofCrowd["503"]).toBeGreaterThan(10);
    expect(ofCrowd["429"]).toBeGreaterThan(10);
  } finally {
    await product.stop();
  }
});
