// Writes one archive of the data folder, also while the server runs on it: npm run backup [-- <file>]
import { operate } from "./operate.mjs";

await operate("backup");
