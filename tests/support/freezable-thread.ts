/**
 * Settings of a product with a thread that a test can freeze with SIGUSR2. The script is loaded into each of its threads
 * before anything else.
 * @param how `wait` sleeps forever, `loop` uses a whole processor, `second` sleeps for one second
 * @param thread `main` is the one that serves pages
 */
export function makeThreadFreezable(
  how: "wait" | "loop" | "second",
  thread: "database" | "main" = "database",
): Record<string, string> {
  const stick = { wait: sleep("Infinity"), loop: "for (;;);", second: sleep("1000") }[how];
  const script = `
    import { isMainThread, workerData } from "node:worker_threads";
    const channel = new BroadcastChannel("stick");
    channel.unref();
    const stick = () => { ${stick} };
    if (isMainThread) process.on("SIGUSR2", ${thread === "main" ? "stick" : '() => channel.postMessage("now")'});
    // Only the watcher of the event loop gets these data.
    else if (!workerData) channel.onmessage = stick;`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

function sleep(ms: string): string {
  return `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`;
}
