import packageJson from "../../package.json" with { type: "json" };

/** Set by the build (vite.config.ts): twelve digits of the commit, or "unknown". */
declare const SITE_COMMIT: string | undefined;

/** The commit of this build. */
export const siteCommit: string = typeof SITE_COMMIT === "undefined" ? "unknown" : SITE_COMMIT;

/**
 * The version of this build for operators, as semantic versioning writes it: `0.1.0+1a2b3c4d5e6f`. Between
 * releases it has `-dev`.
 */
export const siteVersion = siteCommit === "unknown" ? packageJson.version : `${packageJson.version}+${siteCommit}`;

/** The version of PostgreSQL inside PGlite, as `server_version` gives it. */
export const postgresqlVersion: string = packageJson.config.postgresql;

/** The versions that run a site, for its operator. `postgresql` is null if a hosted project has the database. */
export function versionsOf({ backend }: { backend: { kind: "embedded" | "hosted" } }) {
  return { version: siteVersion, postgresql: backend.kind === "embedded" ? postgresqlVersion : null };
}
