/**
 * Returns a command of this installation as its operator types it, e.g. `site restore backup.tar.gz --replace` on a small
 * server. SITE_COMMAND says how the program is called here: the wrapper, the unit and the image set it, and bin/site.mjs
 * sets it for a checkout.
 * @param words the command and its arguments
 * @param siteCommand SITE_COMMAND; empty for its default
 */
export function commandLine(words: string, siteCommand = process.env.SITE_COMMAND ?? ""): string {
  const program = siteCommand || "node bin/site.mjs";
  const [name = "", ...rest] = words.split(" ");
  // npm passes on only what stands behind two dashes.
  const separator = program === "npm run" && rest.length > 0 ? " --" : "";
  return [`${program} ${name}${separator}`, ...rest].join(" ");
}
