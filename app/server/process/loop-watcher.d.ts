/** URL of the entry file of the thread that watches the event loop (vite.config.ts). */
declare module "virtual:loop-watcher" {
  const address: string;
  export default address;
}
