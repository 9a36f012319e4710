/** One figure of a metric. */
export interface Sample {
  /** behind the metric's name, e.g. `_bucket` */
  suffix?: string;
  labels?: Record<string, string>;
  value: number;
}

/** A metric as Prometheus knows it, and how to read it now. */
export interface Metric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  read(): Iterable<Sample> | Promise<Iterable<Sample>>;
}

/** The content type of {@link formatMetrics}. */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Writes metrics in Prometheus' text format, version 0.0.4 (prometheus.io, "Exposition formats"). A metric that cannot
 * be read now is left out: the others are still worth having.
 */
export async function formatMetrics(metrics: readonly Metric[]): Promise<string> {
  const blocks = await Promise.all(metrics.map(formatMetric));
  return blocks.join("");
}

async function formatMetric({ name, help, type, read }: Metric): Promise<string> {
  try {
    const lines = [...(await read())].map(
      ({ suffix = "", labels, value }) => `${name}${suffix}${formatLabels(labels)} ${formatValue(value)}\n`,
    );
    return lines.length === 0 ? "" : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
  } catch {
    return "";
  }
}

function formatLabels(labels: Record<string, string> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function formatValue(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

/** A count of things that happen now and then, apart by their labels. */
export interface Counter<Labels extends Record<string, string>> extends Metric {
  add(labels: Labels): void;
}

/**
 * Makes a counter.
 * @param name ends in `_total`
 * @param known label values that are shown as 0 from the start, so that a first event is seen as a rise
 */
export function createCounter<Labels extends Record<string, string>>(
  name: string,
  help: string,
  known: Labels[] = [],
): Counter<Labels> {
  const counts = new Map<string, { labels: Labels; value: number }>();
  const find = (labels: Labels) => {
    const key = JSON.stringify(labels);
    const count = counts.get(key) ?? { labels, value: 0 };
    counts.set(key, count);
    return count;
  };
  for (const labels of known) find(labels);
  return { name, help, type: "counter", add: (labels) => void find(labels).value++, read: () => counts.values() };
}
