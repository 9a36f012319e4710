const timeoutMs = 4000;

/**
 * Asks the server in this container whether it is well: the image's HEALTHCHECK. Sets the exit code to 1 when it is not,
 * and prints no more than a status or a code, for health logs are kept. Well means alive, and no longer starting; a
 * project elsewhere that does not answer is none of this container's illness, and a container that drains is not ill either.
 */
export async function checkHealth() {
  try {
    const answer = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`, {
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status !== 200) throw new Error(`/healthz answered ${answer.status}`);
    if ((await answer.text()) !== "ok\n") throw new Error("the backend is not there yet");
  } catch (error) {
    console.error(error instanceof Error ? error.message : "no answer");
    process.exitCode = 1;
  }
}
