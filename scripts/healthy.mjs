// Asks the server in this container whether it is well: the image's HEALTHCHECK. Ends with 0 or 1 and prints no more than
// a status or a code, for health logs are kept. Well means alive, and no longer starting; a project elsewhere that does not
// answer is none of this container's illness, and a container that drains is not ill either.
const patienceMs = 4000;

try {
  const answer = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`, {
    redirect: "manual",
    signal: AbortSignal.timeout(patienceMs),
  });
  if (answer.status !== 200) throw new Error(`/healthz answered ${answer.status}`);
  if ((await answer.text()) !== "ok\n") throw new Error("the backend is not there yet");
} catch (error) {
  console.error(error instanceof Error ? error.message : "no answer");
  process.exitCode = 1;
}
