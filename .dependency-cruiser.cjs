/**
 * Import rules (docs/ARCHITECTURE.md): each folder imports only the folders listed for it, and files form no cycles.
 * @type {import("dependency-cruiser").IConfiguration}
 */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true, pathNot: "^virtual:" } },
    only("features", "^app/features/([^/]+)/", ["^app/features/$1/", "^app/(server|ui|content|lib)/", shared()]),
    only("ui", "^app/ui/", ["^app/(ui|lib)/"]),
    only("server", "^app/server/", ["^app/(server|content|lib|styles)/", "^supabase/"]),
    within("config", []),
    within("observability", ["config"]),
    within("cookies", ["config"]),
    within("document", []),
    within("backend", ["config", "cookies", "observability"]),
    within("counting", ["backend", "observability"]),
    within("limits", ["backend", "config", "observability"]),
    within("forms", ["backend", "default-site", "limits", "notices", "observability", "site-context"]),
    within("http", ["config", "forms", "limits", "observability", "site-context"]),
    within("process", ["backend", "config", "observability", "site"]),
    within("commands", ["backend", "config", "document"]),
    only("content", "^app/content/", ["^app/(content|lib)/"]),
    only("lib", "^app/lib/", ["^app/lib/"]),
    only("functions", "^supabase/functions/([^/]+)/", ["^supabase/functions/(_shared|$1)/", "^app/lib/"]),
    only("embedded", "^supabase/embedded/", ["^supabase/(embedded|migrations)/", "^app/lib/"]),
    {
      name: "routes-are-leaves",
      comment: "No module imports a route, the root or an entry.",
      severity: "error",
      from: {},
      to: { path: "^app/(routes/|root|entry)" },
    },
    {
      name: "browser-stays-clean",
      comment: "Browser code imports no server modules. Routes may, because the build removes their server code.",
      severity: "error",
      from: { path: "^app/(features|ui|lib|content)/", pathNot: "\\.(server|test)\\.tsx?$" },
      to: { path: "\\.server\\.tsx?$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "tests-stay-out",
      severity: "error",
      from: { path: "^(app|supabase)/" },
      to: { path: "^(tests|scripts|tools|bin)/" },
    },
    {
      name: "bin-stands-alone",
      comment: "The image holds bin/ and the build, and no other code of ours.",
      severity: "error",
      from: { path: "^bin/" },
      to: { path: "^(app|supabase|tests|scripts|tools)/", dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["browser", "import", "node", "default", "types"],
    },
  },
};

/** Schemas shared by the app and the functions, and the interface between the functions and their host. */
function shared() {
  return "^supabase/functions/_shared/";
}

/** Lets a folder of app/server import itself, the named folders, and the pure ones. Its tests may import any folder. */
function within(folder, others) {
  return {
    name: `server-${folder}-imports`,
    severity: "error",
    from: { path: `^app/server/${folder}/`, pathNot: "\\.test\\.tsx?$" },
    to: {
      path: "^app/",
      pathNot: [folder, ...others].map((name) => `^app/server/${name}`).concat("^app/(content|lib|styles)/"),
    },
  };
}

function only(name, from, allowed) {
  return {
    name: `${name}-imports`,
    severity: "error",
    from: { path: from },
    to: { path: "^(app|supabase)/", pathNot: allowed },
  };
}
