import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to clients and to servers that listen on 0 (32768 on Linux, 49152 by IANA). */
const [firstPort, count] = [20_000, 5_000];

/** Distance of the next port from the first. Processes begin at different ones. */
let offset = (process.pid * 97) % count;

/**
 * Finds a free port for a program that must know it before it listens, or at which nothing shall listen. No other test
 * gets it while this process runs: a listener on a second port, which no program uses, stands for it.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < count; tries += 1) {
    const port = firstPort + offset;
    offset = (offset + 1) % count;
    const held = await listen(port + count);
    if (held === null) continue;
    const probe = await listen(port);
    if (probe !== null) {
      probe.close();
      await once(probe, "close");
      return port;
    }
    held.close();
  }
  throw new Error("This machine has no free port left.");
}

/** @returns null if the port is in use */
async function listen(port: number) {
  const server = createServer().unref().listen(port, "127.0.0.1");
  return once(server, "listening").then(
    () => server,
    () => null,
  );
}
