import { useAdmin } from "./admin.ts";
import {
  callByLink,
  enterRequest,
  findRow,
  previewErasure,
  readActions,
  readKinds,
  readMails,
  type ReceivedRequest,
  receiveConfirmed,
  receiveRequest,
  type RequestOptions,
  setRequest,
  takeStep,
} from "./data-rights.ts";
import type { TestBackend } from "./test-backend.ts";

/** Returns an admin of the backend, and the functions of `data-rights.ts` for its requests. */
export function useRequests(backend: TestBackend) {
  const admin = useAdmin(backend);
  type Stored = Pick<ReceivedRequest, "id">;
  return {
    admin,
    receive: (options?: RequestOptions) => receiveRequest(backend, options),
    receiveConfirmed: (options?: RequestOptions) => receiveConfirmed(backend, options),
    enter: (changes?: Record<string, unknown>) => enterRequest(admin, changes),
    take: (id: string, step: string, note?: string) => takeStep(admin, id, step, note),
    callByLink: (name: string, token: string | null, more?: object) => callByLink(backend, name, token, more),
    set: (request: Stored, assignments: string) => setRequest(backend, request, assignments),
    findRow: (request: Stored) => findRow(backend, request),
    readActions: (request: Stored) => readActions(backend, request),
    readMails: (request: Stored) => readMails(backend, request),
    readKinds: (request: Stored) => readKinds(backend, request),
    previewErasure: (request: Stored) => previewErasure(admin, request),
  };
}
