import type { Page, Route } from "playwright/test";

/**
 * Holds requests, so that a test sees the page while it waits.
 * @param address pattern of their URLs
 * @returns a function that lets them and all later ones go on
 */
export async function holdRequests(page: Page, address: string): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let isHeld = true;
  const hold = (route: Route) => (isHeld ? void held.push(route) : route.continue());
  await page.route(address, hold);
  return async () => {
    isHeld = false;
    for (const route of held) await route.continue();
    await page.unroute(address, hold);
  };
}
