import { loadEnvFile } from "./env-file.mjs";

const timeoutMs = 4000;

/**
 * Asks the server of this machine, or in this container, whether it is well: the image's HEALTHCHECK. Sets the exit code to 1 when it is
 * not, and prints no more than where it asked, a status or a code, for health logs are kept. Well means alive, and no longer starting; a
 * project elsewhere that does not answer is none of this container's illness, and a container that drains is not ill either.
 */
export async function checkHealth() {
  try {
    loadEnvFile();
    const response = await fetchHealth(
      `http://${findHost(process.env.HOST?.trim() ?? "")}:${process.env.PORT?.trim() || 3000}`,
    );
    if (response.status !== 200) throw new Error(`/healthz answered ${response.status}`);
    if ((await response.text()) !== "ok\n") throw new Error("the backend is not there yet");
  } catch (error) {
    console.error(error instanceof Error ? error.message : "no answer");
    process.exitCode = 1;
  }
}

/** @param {string} site @returns {Promise<Response>} */
async function fetchHealth(site) {
  try {
    return await fetch(`${site}/healthz`, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const { name, cause } = /** @type {Error & { cause?: { code?: string } }} */ (error);
    throw new Error(
      `No site answers at ${site} (${cause?.code ?? name}): start it, or set PORT and HOST as it has them.`,
      { cause: error },
    );
  }
}

/** Where a server can be reached that listens on every address: on this machine's own. @param {string} host */
function findHost(host) {
  if (["", "0.0.0.0", "::"].includes(host)) return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
