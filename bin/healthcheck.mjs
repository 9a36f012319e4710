import { loadEnvFile } from "./env-file.mjs";

const timeoutMs = 4000;

/**
 * Checks the health of the server on this machine or in this container: the image's HEALTHCHECK. Sets exit code 1 if it
 * is unhealthy. Prints only the URL and a status or error code, because health logs are retained. Healthy means alive
 * and no longer starting. An unreachable hosted project does not make this container unhealthy, nor does draining.
 */
export async function checkHealth() {
  try {
    loadEnvFile();
    const response = await fetchHealth(
      `http://${findHost(process.env.HOST?.trim() ?? "")}:${process.env.PORT?.trim() || 3000}`,
    );
    if (response.status !== 200) throw new Error(`/healthz returned ${response.status}`);
    if ((await response.text()) !== "ok\n") throw new Error("the backend is still starting");
  } catch (error) {
    console.error(error instanceof Error ? error.message : "no response");
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
      `No site responds at ${site} (${cause?.code ?? name}): start it, or set PORT and HOST to its values.`,
      { cause: error },
    );
  }
}

/** Returns the host to connect to: loopback for a server that listens on all addresses. @param {string} host */
function findHost(host) {
  if (["", "0.0.0.0", "::"].includes(host)) return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
