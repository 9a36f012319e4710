/**
 * Creates a memory for what is computed from a few strings that most requests share. Clients choose those strings, so
 * it forgets all results at once when it is full.
 * @param most number of results
 * @param lifeMs age at which all are forgotten, for results that depend on the time
 * @returns a function that returns the key's result, and computes it if it is not known
 */
export function createMemo<Result>(most: number, lifeMs = Infinity): (key: string, compute: () => Result) => Result {
  const results = new Map<string, Result>();
  let endsAt = Infinity;
  return (key, compute) => {
    if (performance.now() >= endsAt) results.clear();
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute();
    if (results.size >= most) results.clear();
    if (results.size === 0) endsAt = performance.now() + lifeMs;
    results.set(key, result);
    return result;
  };
}
