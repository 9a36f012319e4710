/** URL of the entry file of the embedded backend's worker thread (vite.config.ts). */
declare module "virtual:backend-thread" {
  const address: string;
  export default address;
}

/** URL of the entry file of a backup process (vite.config.ts). */
declare module "virtual:backup-process" {
  const address: string;
  export default address;
}
