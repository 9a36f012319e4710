import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Whether files can be written into a folder, which is made when it is missing. Tried, because rights tell only half. */
export function canWriteInto(folder: string): boolean {
  const trial = join(folder, `.trial-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(trial, "");
    rmSync(trial);
    return true;
  } catch {
    return false;
  }
}
