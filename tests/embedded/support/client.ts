import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { realtime } from "#supabase/functions/_shared/host/realtime.ts";

/** Creates a supabase-js client on the embedded backend. */
export function clientOf(backend: EmbeddedBackend, key: string): SupabaseClient {
  return createClient(backend.url, key, {
    global: { fetch: backend.fetch },
    auth: { persistSession: false, autoRefreshToken: false },
    realtime,
  });
}

/** SQL of a function that inserts into `public.rows`, because the gateway serves functions only. */
export const addRow = `
  create function public.add_row(id int) returns void language sql set search_path = '' as
    $$ insert into public.rows values (id) $$;`;
