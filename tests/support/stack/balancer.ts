import { type Route, startProxy } from "./proxy.ts";

/** One address in front of several processes of the site. */
export interface Balancer {
  url: string;
  /** origins that get requests in turn while their /readyz succeeds; change it at any time */
  sites: Set<string>;
  close(): void;
}

/** Milliseconds between polls of every /readyz. */
const pollIntervalMs = 250;

/**
 * Starts a balancer. When no process is ready (during a database outage, for example), all of them keep getting
 * requests: pages need no database, and forms show their own errors.
 */
export async function startBalancer(): Promise<Balancer> {
  const sites = new Set<string>();
  const unready = new Set<string>();
  let turn = 0;
  const route: Route = (request) => {
    const all = [...sites];
    turn = (turn + 1) % Math.max(1, all.length);
    const inTurn = [...all.slice(turn), ...all.slice(0, turn)];
    const targets = [...inTurn.filter((site) => !unready.has(site)), ...inTurn.filter((site) => unready.has(site))];
    const address = request.socket.remoteAddress ?? "";
    const chain = [request.headers["x-forwarded-for"], address].filter(Boolean).join(", ");
    return targets.map((origin) => ({ origin, headers: { "x-forwarded-for": chain } }));
  };
  const poll = async (site: string) => {
    const isReady = await fetch(`${site}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    );
    if (isReady) unready.delete(site);
    else unready.add(site);
  };
  const timer = setInterval(() => void Promise.all([...sites].map(poll)), pollIntervalMs);
  const proxy = await startProxy(0, route);
  return {
    url: proxy.url,
    sites,
    close: () => {
      clearInterval(timer);
      proxy.close();
    },
  };
}
