// Serves the build with other timeouts than production's: `node serve-with-timeouts.mjs '{"loopSilence":3000}'`.
import { findBuild } from "../../bin/find-build.mjs";

const build = await import(findBuild("index.js"));
await build.entry.module.startServer(build, { timeouts: JSON.parse(process.argv[2] ?? "{}") });
