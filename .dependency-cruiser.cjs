/**
 * Who may import whom (docs/ARCHITECTURE.md): always downward, no cycles.
 * @type {import("dependency-cruiser").IConfiguration}
 */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true, pathNot: "^virtual:" } },
    only("features", "^app/features/([^/]+)/", ["^app/features/$1/", "^app/(server|ui|content|lib)/", shared()]),
    only("ui", "^app/ui/", ["^app/(ui|lib)/"]),
    only("server", "^app/server/", ["^app/(server|content|lib)/", "^supabase/"]),
    within("config", []),
    within("observability", ["config"]),
    within("cookies", ["config"]),
    within("document", []),
    within("backend", ["config", "cookies", "observability"]),
    within("counting", ["backend", "observability"]),
    within("limits", ["backend", "config", "observability"]),
    within("forms", ["default-site", "limits", "notices", "observability", "site-context"]),
    within("http", ["config", "forms", "limits", "observability"]),
    within("process", ["backend", "config", "observability", "site"]),
    within("commands", ["config"]),
    only("content", "^app/content/", ["^app/(content|lib)/"]),
    only("lib", "^app/lib/", ["^app/lib/"]),
    only("functions", "^supabase/functions/([^/]+)/", ["^supabase/functions/(_shared|$1)/", "^app/lib/"]),
    only("embedded", "^supabase/embedded/", ["^supabase/(embedded|migrations)/", "^app/lib/"]),
    {
      name: "routes-are-leaves",
      comment: "Nothing imports a route, the root or an entry.",
      severity: "error",
      from: {},
      to: { path: "^app/(routes/|root|entry)" },
    },
    {
      name: "browser-stays-clean",
      comment:
        "A component that reaches the browser takes no server module; routes may, their server parts are cut off.",
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
      comment: "An image holds bin/ and the build, and no other code of ours.",
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

/** The one schema that the app and the function must agree on, and what the functions ask of their host. */
function shared() {
  return "^supabase/functions/_shared/";
}

/** A folder of app/server imports itself, the named ones below it, and what is pure. */
function within(folder, below) {
  return {
    name: `server-${folder}-imports-downward`,
    severity: "error",
    from: { path: `^app/server/${folder}/` },
    to: {
      path: "^app/",
      pathNot: [folder, ...below].map((name) => `^app/server/${name}`).concat("^app/(content|lib)/"),
    },
  };
}

function only(name, from, allowed) {
  return {
    name: `${name}-import-downward`,
    severity: "error",
    from: { path: from },
    to: { path: "^(app|supabase)/", pathNot: allowed },
  };
}
