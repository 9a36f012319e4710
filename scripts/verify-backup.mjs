// Proves that a backup is whole and can be started: npm run verify-backup -- <file>
import { operate } from "./operate.mjs";

await operate("verify-backup");
