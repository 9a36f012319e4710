import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";

/** Node 20 has no WebSocket, and `createClient` refuses to be without; nothing here ever connects. */
class NoSocket extends EventTarget {}

/** supabase-js on the embedded backend, as its users hold it. */
export function clientOf(backend: EmbeddedBackend, key: string): SupabaseClient {
  return createClient(backend.url, key, {
    global: { fetch: backend.fetch },
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: NoSocket as unknown as typeof WebSocket },
  });
}
