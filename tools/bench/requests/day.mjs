/** The GETs of a day, in percent: what a small firm's site is asked for once it advertises. */
const pages = { first: 38, campaigns: 21, analytics: 16, known: 11, robots: 10, formPages: 4 };

/** What comes on top of a hundred of them. */
const forms = { mistakes: 3, messages: 1 };

/** So many GETs, for each percent, before the day begins anew. */
const repeats = 8;

/**
 * Puts a day's requests in an order in which every kind is spread evenly.
 * @param {Awaited<ReturnType<typeof import("./requests.mjs").listRequests>>} lists
 * @param {{ withForms?: boolean }} [options] with forms that have mistakes, and messages that are kept
 * @returns {import("./requests.mjs").KnownRequest[]} to be sent in turn, again and again
 */
export function makeDay(lists, { withForms = false } = {}) {
  const shares = /** @type {[keyof typeof lists, number][]} */ (
    Object.entries(withForms ? { ...pages, ...forms } : pages)
  );
  return shares
    .flatMap(([kind, share]) => {
      const count = share * repeats;
      const list = lists[kind];
      return Array.from({ length: count }, (_, index) => ({
        // The kinds begin at different places, so that no two of them always come together.
        at: (index + share / 100) / count,
        request: list[index % list.length],
      }));
    })
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ request }) => request ?? []);
}
