import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import remixConfig from "./remix.config.js";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

export default defineConfig({
  plugins: [tailwindcss(), remix(remixConfig)],
  resolve: {
    alias: {
      "~": fileURLToPath(new URL("./app", import.meta.url)),
      "#supabase": fileURLToPath(new URL("./supabase", import.meta.url)),
    },
  },
  build: {
    target: "es2022",
    // Our server serves public/ itself: copied into the client build, every file would be immutable for a year.
    copyPublicDir: false,
    assetsInlineLimit: 0,
  },
  optimizeDeps: { include: ["@conform-to/react"] },
});
