/** URL of an entry of the build that runs in a separate thread or process (vite.config.ts). */
declare module "virtual:*" {
  const address: string;
  export default address;
}
