const stepMs = 30_000;

/**
 * Waits, if need be, until the present step of an authenticator app has time left: the code of the step before is then still taken when it
 * arrives, and the present one after it, so that no test waits for half a minute.
 */
export async function awaitStepWithTime(neededMs = 6_000): Promise<void> {
  const leftMs = stepMs - (Date.now() % stepMs);
  if (leftMs < neededMs) await new Promise((resolve) => setTimeout(resolve, leftMs + 50));
}
