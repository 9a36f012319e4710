import { type Route, startProxy } from "./proxy.ts";

/** One address in front of several processes of the site. */
export interface Balancer {
  url: string;
  /** whoever is named here gets requests, in turn, as long as its /readyz says yes; change it at will */
  sites: Set<string>;
  close(): void;
}

/** Milliseconds between two looks at every /readyz. */
const lookEvery = 250;

/**
 * Starts one. Where no process is ready (the database is away, say) all of them get requests all the same: pages need no
 * database, and forms say what is wrong.
 * @param port 0 for any that is free
 */
export async function startBalancer(port: number): Promise<Balancer> {
  const sites = new Set<string>();
  const unready = new Set<string>();
  let turn = 0;
  const route: Route = (request) => {
    const all = [...sites];
    turn = (turn + 1) % Math.max(1, all.length);
    const inTurn = [...all.slice(turn), ...all.slice(0, turn)];
    const places = [...inTurn.filter((site) => !unready.has(site)), ...inTurn.filter((site) => unready.has(site))];
    const address = request.socket.remoteAddress ?? "";
    const chain = [request.headers["x-forwarded-for"], address].filter(Boolean).join(", ");
    return places.map((origin) => ({ origin, headers: { "x-forwarded-for": chain } }));
  };
  const look = async (site: string) => {
    const isReady = await fetch(`${site}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    );
    if (isReady) unready.delete(site);
    else unready.add(site);
  };
  const timer = setInterval(() => void Promise.all([...sites].map(look)), lookEvery);
  const proxy = await startProxy(port, route);
  return {
    url: proxy.url,
    sites,
    close: () => {
      clearInterval(timer);
      proxy.close();
    },
  };
}
