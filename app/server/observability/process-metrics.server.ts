import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metric } from "./prometheus-format.server";

const nanosecondsPerSecond = 1e9;
const resolutionMs = 20;

/**
 * How the process is: memory, processor time, and how long things wait for their turn in the site's thread. Watching costs a timer, so it
 * begins here, and only where metrics are served.
 */
export function watchProcess(): Metric[] {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  return [
    {
      name: "nodejs_eventloop_lag_seconds",
      help: "How late the event loop came, since the last reading.",
      type: "gauge",
      read() {
        const [p50, p99] = [delay.percentile(50), delay.percentile(99)];
        const max = delay.max;
        delay.reset();
        return Object.entries({ "0.5": p50, "0.99": p99, "1": max }).map(([quantile, nanoseconds]) => ({
          labels: { quantile },
          // The timer's own pace is part of what is measured.
          value: Math.max(0, nanoseconds / nanosecondsPerSecond - resolutionMs / 1000),
        }));
      },
    },
    gauge("process_resident_memory_bytes", "Memory that the process holds.", () => process.memoryUsage.rss()),
    gauge(
      "nodejs_heap_used_bytes",
      "JavaScript objects of the site's thread; the embedded database has another.",
      () => process.memoryUsage().heapUsed,
    ),
    gauge("nodejs_external_memory_bytes", "Buffers of the site's thread.", () => process.memoryUsage().external),
    {
      name: "process_cpu_seconds_total",
      help: "Processor time, user and system.",
      type: "counter",
      read() {
        const { user, system } = process.cpuUsage();
        return [{ value: (user + system) / 1e6 }];
      },
    },
    gauge("process_start_time_seconds", "When the process began, in seconds since 1970.", () =>
      Math.round(performance.timeOrigin / 1000),
    ),
  ];
}

function gauge(name: string, help: string, read: () => number): Metric {
  return { name, help, type: "gauge", read: () => [{ value: read() }] };
}
