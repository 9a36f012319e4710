import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, type Registry } from "prom-client";

const nanosecondsPerSecond = 1e9;
const resolutionMs = 20;

/**
 * Begins to watch how the process is: memory, processor time, and how long things wait for their turn in the site's thread. The library's
 * own figures of these are 25 more, under names that neither alerts nor dashboard ask for.
 * @returns adds the figures of now to a registry
 */
export function createProcessMetrics(): (registry: Registry) => void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  return (registry) => {
    const registers = [registry];
    const gauge = (name: string, help: string, value: number) => new Gauge({ name, help, registers }).set(value);
    const lag = new Gauge({
      name: "nodejs_eventloop_lag_seconds",
      help: "How late the event loop came, since the last reading.",
      labelNames: ["quantile"],
      registers,
    });
    const late = { "0.5": delay.percentile(50), "0.99": delay.percentile(99), "1": delay.max };
    delay.reset();
    // The timer's own pace is part of what is measured.
    for (const [quantile, nanoseconds] of Object.entries(late))
      lag.set({ quantile }, Math.max(0, nanoseconds / nanosecondsPerSecond - resolutionMs / 1000));
    const { rss, heapUsed, external } = process.memoryUsage();
    gauge("process_resident_memory_bytes", "Memory that the process holds.", rss);
    gauge(
      "nodejs_heap_used_bytes",
      "JavaScript objects of the site's thread; the embedded database has another.",
      heapUsed,
    );
    gauge("nodejs_external_memory_bytes", "Buffers of the site's thread.", external);
    const { user, system } = process.cpuUsage();
    const cpu = { name: "process_cpu_seconds_total", help: "Processor time, user and system." };
    new Counter({ ...cpu, registers }).inc((user + system) / 1e6);
    const started = "When the process began, in seconds since 1970.";
    gauge("process_start_time_seconds", started, Math.round(performance.timeOrigin / 1000));
  };
}
