import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { realtime } from "#supabase/functions/_shared/host/realtime.ts";

/** supabase-js on the embedded backend, as its users hold it. */
export function clientOf(backend: EmbeddedBackend, key: string): SupabaseClient {
  return createClient(backend.url, key, {
    global: { fetch: backend.fetch },
    auth: { persistSession: false, autoRefreshToken: false },
    realtime,
  });
}
