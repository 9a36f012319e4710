/** Words and target of a link in the chrome. */
export interface ChromeLink {
  readonly label: string;
  readonly path: string;
}
