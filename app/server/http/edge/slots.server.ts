import { blockKey, rateLimitKey } from "~/lib/http/client-address";

/** The slots that clients hold now, by network and client. */
export interface Slots<Holder> {
  readonly size: number;
  /** Takes a slot for a client's address. */
  acquire(holder: Holder, address: string): void;
  /** Frees the holder's slot, if it has one. */
  release(holder: Holder): void;
  /** Records that a holder was active just now, and whether it is still busy. */
  touch(holder: Holder, isBusy: boolean): void;
  has(holder: Holder): boolean;
  /** Counts the slots of a client: an IPv4 address or an IPv6 /64. */
  countOfClient(address: string): number;
  /** Counts the slots of an IPv6 /48 or an IPv4 /24. */
  countOfBlock(address: string): number;
  /**
   * Finds the holder to evict when no slot is free. It belongs to the client with the most slots in the network with
   * the most. Idle holders go first, then the least recently active.
   * @param among limits the search to the client or the network of an address
   */
  findLeastActive(among?: { client: string } | { block: string }): Holder | null;
}

interface Slot {
  readonly client: string;
  readonly block: string;
  since: number;
  isBusy: boolean;
}

/** Creates an empty set of slots. It has no limit: callers compare the counts with theirs. */
export function createSlots<Holder>(now: () => number = () => performance.now()): Slots<Holder> {
  const slots = new Map<Holder, Slot>();
  const blocks = new Map<string, Map<string, Set<Holder>>>();

  function findMost(among: Parameters<Slots<Holder>["findLeastActive"]>[0]): Iterable<Holder> {
    if (among !== undefined && "client" in among) return holdersOf(among.client);
    const block = among === undefined ? largest(blocks.values(), countHolders) : blocks.get(blockKey(among.block));
    return largest(block?.values() ?? [], ({ size }) => size) ?? [];
  }

  function holdersOf(address: string): ReadonlySet<Holder> {
    return blocks.get(blockKey(address))?.get(rateLimitKey(address)) ?? new Set();
  }

  return {
    get size() {
      return slots.size;
    },
    acquire(holder, address) {
      const [client, block] = [rateLimitKey(address), blockKey(address)];
      const clients = blocks.get(block) ?? new Map<string, Set<Holder>>();
      blocks.set(block, clients);
      clients.set(client, (clients.get(client) ?? new Set()).add(holder));
      slots.set(holder, { client, block, since: now(), isBusy: false });
    },
    release(holder) {
      const slot = slots.get(holder);
      if (slot === undefined) return;
      slots.delete(holder);
      const clients = blocks.get(slot.block);
      const holders = clients?.get(slot.client);
      holders?.delete(holder);
      if (holders?.size === 0) clients?.delete(slot.client);
      if (clients?.size === 0) blocks.delete(slot.block);
    },
    touch(holder, isBusy) {
      const slot = slots.get(holder);
      if (slot !== undefined) [slot.since, slot.isBusy] = [now(), isBusy];
    },
    has: (holder) => slots.has(holder),
    countOfClient: (address) => holdersOf(address).size,
    countOfBlock: (address) => countHolders(blocks.get(blockKey(address)) ?? new Map()),
    findLeastActive(among) {
      let found: Holder | null = null;
      let slot: Slot | undefined;
      for (const holder of findMost(among)) {
        const other = slots.get(holder);
        if (other === undefined || (slot !== undefined && !isLessActive(other, slot))) continue;
        [found, slot] = [holder, other];
      }
      return found;
    },
  };
}

function isLessActive(one: Slot, other: Slot): boolean {
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
