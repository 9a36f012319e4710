import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, type Registry } from "prom-client";

const nanosecondsPerSecond = 1e9;
const resolutionMs = 20;

/**
 * Starts measuring memory, processor time and event loop lag of the process. prom-client's own process metrics are 25
 * more.
 * @returns a function that adds the current values to a registry
 */
export function createProcessMetrics(): (registry: Registry) => void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  return (registry) => {
    const registers = [registry];
    const gauge = (name: string, help: string, value: number) => new Gauge({ name, help, registers }).set(value);
    const lag = new Gauge({
      name: "nodejs_eventloop_lag_seconds",
      help: "Event loop lag since the last scrape.",
      labelNames: ["quantile"],
      registers,
    });
    const late = { "0.5": delay.percentile(50), "0.99": delay.percentile(99), "1": delay.max };
    delay.reset();
    // The delay includes the timer's own interval.
    for (const [quantile, nanoseconds] of Object.entries(late))
      lag.set({ quantile }, Math.max(0, nanoseconds / nanosecondsPerSecond - resolutionMs / 1000));
    const { rss, heapUsed, external } = process.memoryUsage();
    gauge("process_resident_memory_bytes", "Resident memory of the process.", rss);
    gauge(
      "nodejs_heap_used_bytes",
      "JavaScript heap of the site's thread; the embedded database has its own.",
      heapUsed,
    );
    gauge("nodejs_external_memory_bytes", "Buffers of the site's thread.", external);
    const { user, system } = process.cpuUsage();
    const cpu = { name: "process_cpu_seconds_total", help: "Processor time, user and system." };
    new Counter({ ...cpu, registers }).inc((user + system) / 1e6);
    const started = "Start time of the process, in seconds since 1970.";
    gauge("process_start_time_seconds", started, Math.round(performance.timeOrigin / 1000));
  };
}
