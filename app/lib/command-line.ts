/**
 * Returns a command of this installation as its operator types it, e.g. `site restore backup.tar.gz --replace` on a small
 * server. SITE_COMMAND says how the program is called here: the wrapper, the unit and the image set it, and bin/site.mjs
 * sets it for a checkout.
 * @param words the command and its arguments
 * @param siteCommand SITE_COMMAND; empty for its default
 */
export function commandLine(words: string, siteCommand = process.env.SITE_COMMAND ?? ""): string {
  const [name = "", ...rest] = words.split(" ");
  let program = siteCommand || "node bin/site.mjs";
  // A second container runs every command, also while the server is stopped, but has a network without that server.
  if (name === "doctor") program = program.replace(/compose run --rm (\S+)$/, "compose exec $1 node bin/site.mjs");
  // npm passes on only what stands behind two dashes.
  const separator = program.endsWith("npm run") && rest.length > 0 ? " --" : "";
  return [`${program} ${name}${separator}`, ...rest].join(" ");
}

/** Quotes a path for a shell, if it needs that. */
export function quotePath(path: string): string {
  return /^[\w./:@%+,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
