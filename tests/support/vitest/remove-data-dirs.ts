import { afterAll } from "vitest";
import { removeDataDirs } from "../site-folder";

// Files share a process. Without this, their folders would stay in memory until the last file ends.
afterAll(removeDataDirs);
