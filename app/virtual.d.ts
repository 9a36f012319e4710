/** URL of a file that the build makes beside the server, or of a typeface (vite.config.ts). */
declare module "virtual:*" {
  const address: string;
  export default address;
}
