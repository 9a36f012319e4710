/**
 * Settings of a product whose database thread a test can freeze with SIGUSR2. The script is loaded into each of its
 * threads before anything else.
 * @param how `wait` sleeps forever, `loop` uses a whole processor
 */
export function makeThreadFreezable(how: "wait" | "loop"): Record<string, string> {
  const stick = { wait: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", loop: "for (;;);" }[how];
  const script = `
    import { isMainThread } from "node:worker_threads";
    const channel = new BroadcastChannel("stick");
    channel.unref();
    if (isMainThread) process.on("SIGUSR2", () => channel.postMessage("now"));
    else channel.onmessage = () => { ${stick} };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
