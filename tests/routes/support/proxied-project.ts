import { beforeAll } from "vitest";
import { type HostedBackend, startHostedBackend } from "../../database/support/hosted-backend.ts";
import { type Answering, answerJson } from "./stub-project";
import { useProject } from "./world";

/** Starts a project with a real database before the tests of a file, and closes it after them. */
export function useHostedProject() {
  const backend = {} as HostedBackend;
  beforeAll(async () => {
    Object.assign(backend, await startHostedBackend());
    return () => backend.close();
  });
  const working = proxyTo(backend);
  return { backend, project: useProject(working), working };
}

/**
 * Responds like a project with a real database and PostgREST. Its sign-in service knows no accounts, and its functions
 * accept everything.
 * @param user response of the sign-in service to a call about a session
 */
export function proxyTo(backend: HostedBackend, user?: object): Answering {
  return async (call, response, request) => {
    if (call.path.startsWith("/functions/")) return answerJson(200, { ok: true })(call, response, request);
    if (call.path.startsWith("/auth/v1/user") && user) return answerJson(200, user)(call, response, request);
    if (call.path.startsWith("/auth/")) {
      const refusal = { error_code: "invalid_credentials", msg: "Invalid login credentials" };
      return answerJson(400, refusal)(call, response, request);
    }
    const headers = new Headers(call.headers as Record<string, string>);
    // A visitor's client sends its key as a token, too.
    if (headers.get("authorization") === `Bearer ${headers.get("apikey")}`) headers.delete("authorization");
    headers.set("apikey", backend.rest.publishableKey);
    const body = call.body === "" ? undefined : call.body;
    const answer = await backend.rest.fetch(`http://project.localhost${call.path}`, {
      method: call.method,
      headers,
      body,
    });
    response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "text/plain" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
}
