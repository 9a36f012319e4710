import { pathToFileURL } from "node:url";
import { type ServerBuild, createRequestHandler } from "@remix-run/node";
import { expect, it } from "vitest";

function loader(): never {
  throw Object.assign(new Error("secret words"), { name: "Function" });
}

// GHSA-337j-9hxr-rhxg: in the browser Remix takes a constructor from `window` by the name that an error brought along.
it("sends neither the name nor the words of a thrown error, from which a browser would choose a constructor", async () => {
  const built = (await import(/* @vite-ignore */ pathToFileURL("build/server/index.js").href)) as ServerBuild;
  const routes = Object.fromEntries(
    Object.entries(built.routes).map(([id, route]) => [id, { ...route, module: { ...route!.module, loader } }]),
  );
  // The mode of site.server.ts.
  const handle = createRequestHandler({ ...built, routes } as ServerBuild, "production");
  for (const path of ["/contact.data", "/_root.data"]) {
    const response = await handle(new Request(`http://localhost${path}`), {} as never);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).toContain('"SanitizedError"');
    expect(text).toContain("Unexpected Server Error");
    expect(text).not.toMatch(/Function|secret words/);
  }
});
