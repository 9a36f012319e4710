/** Returns a path as a shell reads it: in quotes where it has to be. */
export function shellWord(path: string): string {
  return /^[\w./:@%+,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns a command of this installation as its operator types it, e.g. `site restore backup.tar.gz --replace` on a small
 * server. SITE_COMMAND says how the program is called here: the wrapper, the unit and the image set it, and bin/site.mjs
 * sets it for a checkout.
 * @param words the command and its arguments
 */
export function commandLine(words: string): string {
  const program = process.env.SITE_COMMAND || "node bin/site.mjs";
  const [name = "", ...rest] = words.split(" ");
  // npm passes on only what stands behind two dashes.
  const separator = program === "npm run" && rest.length > 0 ? " --" : "";
  return [`${program} ${name}${separator}`, ...rest].join(" ");
}
