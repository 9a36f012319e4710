/** The address of the file that the embedded backend's thread is started with (vite.config.ts). */
declare module "virtual:backend-thread" {
  const address: string;
  export default address;
}

/** The address of the file that a backup's process is started with (vite.config.ts). */
declare module "virtual:backup-process" {
  const address: string;
  export default address;
}
