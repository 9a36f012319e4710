/** Thrown when PGlite lacks something that this program replaces or relies on. The message names it. */
export class LibraryChanged extends Error {
  override readonly name = "LibraryChanged";

  constructor(missing: string) {
    super(
      `PGlite has no ${missing}, which this site replaces. Durability depends on it. ` +
        "Install the packages that package-lock.json names (npm ci).",
    );
  }
}
