import { afterAll } from "vitest";
import { removeDataDirs } from "../site-folder";

// Some files share a process: what one of them has made would otherwise stay, in memory, until the last is through.
afterAll(removeDataDirs);
