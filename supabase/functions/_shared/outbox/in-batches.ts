/**
 * Collects items into batches and processes one batch at a time. Items added while a batch runs join the next one.
 * @param work processes a whole batch; a rejection fails all its items
 * @returns a function that adds an item and settles with its batch
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
