import type { EdgeFunction, EdgeFunctions } from "#supabase/embedded/functions";

const modules = import.meta.glob<EdgeFunction>("/supabase/functions/*/index.ts");

/** Edge functions of this site by the last part of their path. */
export const edgeFunctions: EdgeFunctions = Object.fromEntries(
  Object.entries(modules).map(([path, load]) => [path.split("/").at(-2), load]),
);
