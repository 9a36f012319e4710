import { blockKey, rateLimitKey } from "~/lib/http/client-address";

/** The places that clients hold at this moment, by network and client. */
export interface Places<Holder> {
  readonly size: number;
  /** Takes a place for a client's address. */
  take(holder: Holder, address: string): void;
  /** Frees a place. Does nothing when the holder has none. */
  free(holder: Holder): void;
  /** Notes that a holder was active just now, and whether it is in the middle of something. */
  touch(holder: Holder, isBusy: boolean): void;
  has(holder: Holder): boolean;
  /** Counts the places of a client: an IPv4 address or an IPv6 /64. */
  countOfClient(address: string): number;
  /** Counts the places of an IPv6 /48 or an IPv4 /24. */
  countOfBlock(address: string): number;
  /**
   * Finds the holder that must go when places run out. It belongs to the client that holds most, in the network that holds
   * most. Idle holders go first, then those that have been active least recently.
   * @param among narrows the search to the client or the network of an address
   */
  findLeastActive(among?: { client: string } | { block: string }): Holder | null;
}

interface Place {
  readonly client: string;
  readonly block: string;
  since: number;
  isBusy: boolean;
}

/** Creates an empty set of places. It refuses no one: callers compare the counts with their limits. */
export function createPlaces<Holder>(now: () => number = () => performance.now()): Places<Holder> {
  const places = new Map<Holder, Place>();
  const blocks = new Map<string, Map<string, Set<Holder>>>();

  function findMost(among: Parameters<Places<Holder>["findLeastActive"]>[0]): Iterable<Holder> {
    if (among !== undefined && "client" in among) return holdersOf(among.client);
    const block = among === undefined ? largest(blocks.values(), countHolders) : blocks.get(blockKey(among.block));
    return largest(block?.values() ?? [], ({ size }) => size) ?? [];
  }

  function holdersOf(address: string): ReadonlySet<Holder> {
    return blocks.get(blockKey(address))?.get(rateLimitKey(address)) ?? new Set();
  }

  return {
    get size() {
      return places.size;
    },
    take(holder, address) {
      const [client, block] = [rateLimitKey(address), blockKey(address)];
      const clients = blocks.get(block) ?? new Map<string, Set<Holder>>();
      blocks.set(block, clients);
      clients.set(client, (clients.get(client) ?? new Set()).add(holder));
      places.set(holder, { client, block, since: now(), isBusy: false });
    },
    free(holder) {
      const place = places.get(holder);
      if (place === undefined) return;
      places.delete(holder);
      const clients = blocks.get(place.block);
      const holders = clients?.get(place.client);
      holders?.delete(holder);
      if (holders?.size === 0) clients?.delete(place.client);
      if (clients?.size === 0) blocks.delete(place.block);
    },
    touch(holder, isBusy) {
      const place = places.get(holder);
      if (place !== undefined) [place.since, place.isBusy] = [now(), isBusy];
    },
    has: (holder) => places.has(holder),
    countOfClient: (address) => holdersOf(address).size,
    countOfBlock: (address) => countHolders(blocks.get(blockKey(address)) ?? new Map()),
    findLeastActive(among) {
      let found: Holder | null = null;
      let place: Place | undefined;
      for (const holder of findMost(among)) {
        const other = places.get(holder);
        if (other === undefined || (place !== undefined && !isLessActive(other, place))) continue;
        [found, place] = [holder, other];
      }
      return found;
    },
  };
}

function isLessActive(one: Place, other: Place): boolean {
  return one.isBusy === other.isBusy ? one.since < other.since : other.isBusy;
}

function countHolders(clients: ReadonlyMap<string, ReadonlySet<unknown>>): number {
  let count = 0;
  for (const { size } of clients.values()) count += size;
  return count;
}

function largest<Item>(items: Iterable<Item>, sizeOf: (item: Item) => number): Item | undefined {
  let [found, most]: [Item | undefined, number] = [undefined, -1];
  for (const item of items) {
    const size = sizeOf(item);
    if (size > most) [found, most] = [item, size];
  }
  return found;
}
