/** The address of the file that the embedded backend's thread is started with (vite.config.ts). */
declare module "virtual:backend-thread" {
  const address: string;
  export default address;
}
