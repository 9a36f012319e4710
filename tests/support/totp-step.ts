const stepMs = 30_000;

/**
 * Waits, if necessary, until the current TOTP step has enough time left. The previous step's code is then still
 * accepted when it arrives, and the current one after it, so no test waits half a minute.
 */
export async function awaitStepWithTime(neededMs = 6_000): Promise<void> {
  const leftMs = stepMs - (Date.now() % stepMs);
  if (leftMs < neededMs) await new Promise((resolve) => setTimeout(resolve, leftMs + 50));
}
