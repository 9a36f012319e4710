import { type BackendLog, stackWithoutMessage } from "./log.ts";

/** Module of an edge function: `export default { fetch }`. */
export interface EdgeFunction {
  default: { fetch(request: Request): Promise<Response> };
}

/** Maps names to lazy imports; the name is the path's last part, `/functions/v1/<name>`. */
export type EdgeFunctions = Record<string, () => Promise<EdgeFunction>>;

/**
 * Passes a request to the function that its path names.
 * @returns 404 for an unknown name; 500 without details when the function throws
 */
export async function callFunction(functions: EdgeFunctions, request: Request, log: BackendLog): Promise<Response> {
  const name = /^\/functions\/v1\/([a-z0-9-]+)(?:\/|$)/.exec(new URL(request.url).pathname)?.[1] ?? "";
  const load = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!load) return Response.json({ code: "NOT_FOUND", message: "Requested function was not found" }, { status: 404 });
  try {
    const module = await load();
    return await module.default.fetch(request);
  } catch (error) {
    log({
      event: "embedded.function-error",
      level: "error",
      function: name,
      class: error instanceof Error ? error.name : typeof error,
      stack: stackWithoutMessage(error),
    });
    return Response.json({ error: "internal" }, { status: 500 });
  }
}
