/** Label and target of a link in header, menu or footer. */
export interface ChromeLink {
  readonly label: string;
  readonly path: string;
}
