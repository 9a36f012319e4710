import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Product } from "../support/product";

/** Host name of the attacked site. */
export const host = "firm.example";

/**
 * Keeps 150 posts of an invalid form in progress.
 * @param source of the posts, see invalid-posts.mjs
 * @returns a function that stops them and returns the count of each status
 */
export function startPosts(
  product: Product,
  source: "one-network" | "many",
): { stop(): Promise<Record<string, number>> } {
  const child = spawn(process.execPath, ["tests/abuse/invalid-posts.mjs", product.url, "150", host, source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed = text(child.stdout);
  return {
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
      return JSON.parse(await printed) as Record<string, number>;
    },
  };
}
