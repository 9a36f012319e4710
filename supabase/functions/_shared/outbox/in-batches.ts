/**
 * Has work done for several at once: one batch at a time, and whatever comes meanwhile goes along with the next.
 * @param work does it for all, or fails for all
 * @returns adds one; settles as its batch does
 */
export function inBatches<Item>(work: (items: Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let next: { items: Item[]; done: Promise<void> } | null = null;
  let running: Promise<unknown> = Promise.resolve();

  function begin() {
    const items: Item[] = [];
    const done = running.then(() => {
      next = null;
      return work(items);
    });
    running = done.catch(() => undefined);
    return { items, done };
  }

  return (item) => {
    next ??= begin();
    next.items.push(item);
    return next.done;
  };
}
