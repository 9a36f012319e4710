import { type TestSite, type TestSiteOptions, startSite } from "../../support/site";
import { findFreePort } from "../../support/free-port";

/** A product with the operator's port, which shows more than its public response. */
export interface MonitoredProduct extends TestSite {
  /** reads /readyz on the operator's port */
  readiness(): Promise<{ status: number; parts: Record<string, unknown> }>;
}

/** Starts the built product with the operator's port open. Each of its readiness requests probes the backend. */
export async function startMonitored(
  settings: Record<string, string> = {},
  timeouts: TestSiteOptions["timeouts"] = {},
): Promise<MonitoredProduct> {
  const port = await findFreePort();
  const product = await startSite(
    { METRICS_PORT: String(port), ...settings },
    {
      isWarm: true,
      timeouts: { probeReuse: 0, ...timeouts },
    },
  );
  const readiness = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    return { status: answer.status, parts: (await answer.json()) as Record<string, unknown> };
  };
  return { ...product, readiness };
}
