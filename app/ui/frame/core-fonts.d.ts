declare module "virtual:core-fonts/*" {
  /** Address of the file. */
  const address: string;
  export default address;
}
