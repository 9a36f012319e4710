// Puts a backup into the data folder: npm run restore -- <file> [--replace]
import { operate } from "./operate.mjs";

await operate("restore");
