// Copies the data folder, or a backup, to DATABASE_URL: npm run move-to-supabase [-- <backup file>]
import { operate } from "./operate.mjs";

await operate("move-to-supabase");
