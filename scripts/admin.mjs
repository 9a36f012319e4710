// Accounts of the embedded backend: npm run admin -- list | set-password | revoke | grant | sign-out-all
import { operate } from "./operate.mjs";

await operate("admin");
