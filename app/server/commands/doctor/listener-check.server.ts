import { type Finding, type Installation, lookAt } from "./finding.server";

/** Finds listeners of the site that accept connections past the proxy. A container's network keeps others out. */
export async function checkListeners({ settings, isContainer }: Installation): Promise<Finding[]> {
  const { host, metrics, trustedProxies } = settings;
  const findings: Finding[] = [];
  if (isContainer) return findings;
  if (isUnspecified(host) && trustedProxies > 0)
    findings.push(
      lookAt(
        "listeners",
        `HOST=${host}: other machines reach the site past the proxy, and can choose the address they are counted by.`,
        "Set HOST=127.0.0.1, or let only the proxy connect.",
      ),
    );
  if (metrics && isUnspecified(metrics.host))
    findings.push(
      lookAt("listeners", "METRICS_PORT accepts connections from every address.", "Set METRICS_HOST=127.0.0.1."),
    );
  return findings;
}

function isUnspecified(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}
