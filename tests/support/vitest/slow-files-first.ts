import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders whose tests start processes, or copy and open whole databases. */
const slow = /\/tests\/(?:embedded|routes\/(?:process|backend))\//;

/**
 * What takes long comes first, so that what is left in the end is short and no worker waits for another. Files with a process of
 * their own are the very first: between the others they would end workers that have everything loaded.
 */
export class SlowFilesFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = new Map(files.map(({ moduleId }) => [moduleId, statSync(moduleId).size]));
    const sizeOf = ({ moduleId }: TestSpecification) => sizes.get(moduleId) ?? 0;
    return Promise.resolve(files.toSorted((a, b) => rank(a) - rank(b) || sizeOf(b) - sizeOf(a)));
  }
}

function rank({ project, moduleId }: TestSpecification): number {
  if (project.config.isolate) return 0;
  return slow.test(moduleId) ? 1 : 2;
}
