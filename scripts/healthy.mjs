// Asks the server in this container whether it is well: the image's HEALTHCHECK. Ends with 0 or 1 and prints no more than
// a status or a code, for health logs are kept.
const patienceMs = 4000;

try {
  const { status } = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`, {
    redirect: "manual",
    signal: AbortSignal.timeout(patienceMs),
  });
  if (status !== 200) throw new Error(`/healthz answered ${status}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : "no answer");
  process.exitCode = 1;
}
