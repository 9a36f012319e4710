/**
 * Keeps this process from sleeping while it waits for answers. Waking it would be the server's work, and in a virtual
 * machine takes microseconds; since the slower of two servers lets it sleep more often, that would make it slower still.
 * @returns {() => void} lets it sleep again
 */
export function stayAwake() {
  let isAwake = true;
  const turn = () => {
    if (isAwake) setImmediate(turn);
  };
  turn();
  return () => {
    isAwake = false;
  };
}
