// Serves the build with other timeouts than production's: `node serve-with-timeouts.mjs '{"loopSilence":3000}'`. The
// packed program does not contain this file, and reads no timeouts from its arguments or environment.
import { serve } from "../../bin/serve.mjs";

await serve({ timeouts: JSON.parse(process.argv[2] ?? "{}") });
