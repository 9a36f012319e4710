import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listNames } from "../firm/folder-marks.server";
import { editablePages } from "./editable-pages.server";
import { type WordChange, readWordFile } from "./word-file.server";

const largestBytes = 64 * 1024;

/** The words of a folder. With any mistake, no change counts: all files or none. */
export interface FoundWords {
  readonly changes: readonly WordChange[];
  readonly mistakes: readonly string[];
}

interface WordFile {
  readonly name: string;
  readonly isFile: boolean;
  readonly size: number;
}

/**
 * Lists the files of words, in the order of their names. Editors' own files, such as `.home.yaml.swp` and `home.yaml~`,
 * are not words.
 * @returns an empty list if the folder does not exist
 * @throws an error with a `code`, if it cannot be read
 */
function listWordFiles(folder: string): WordFile[] {
  return listNames(folder)
    .filter((name) => /^[^.~#].*\.ya?ml$/i.test(name))
    .map((name) => {
      const found = lstatSync(join(folder, name));
      return { name, isFile: found.isFile(), size: found.size };
    });
}

/** Reads all files of words. */
export function readWordFolder(folder: string): FoundWords {
  const found = listWordFiles(folder).map((file) => {
    try {
      const page = file.name.replace(/\.yaml$/, "");
      const builtIn = Object.hasOwn(editablePages, page) ? editablePages[page] : undefined;
      if (builtIn === undefined)
        throw new WordFileError(
          `no page has this name; known are ${Object.keys(editablePages)
            .map((name) => `${name}.yaml`)
            .join(", ")}`,
        );
      return readWordFile(page, builtIn, decode(readBytes(folder, file)));
    } catch (error) {
      if (!(error instanceof WordFileError)) throw error;
      return { changes: [], mistakes: [`${file.name}: ${error.message}`] };
    }
  });
  const mistakes = found.flatMap((each) => each.mistakes);
  return { mistakes, changes: mistakes.length > 0 ? [] : found.flatMap(({ changes }) => changes) };
}

/** The file cannot be read. The message says what to do. */
class WordFileError extends Error {}

function readBytes(folder: string, { name, isFile, size }: WordFile): Buffer {
  if (!isFile) throw new WordFileError("it is no file: put the words themselves here, not a link or a folder");
  if (size > largestBytes) throw new WordFileError(`it is too large: words fit into ${largestBytes / 1024} kB`);
  try {
    return readFileSync(join(folder, name));
  } catch (error) {
    throw new WordFileError(
      `it cannot be read (${(error as NodeJS.ErrnoException).code}): let the site’s user read it`,
    );
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new WordFileError("it is no text in UTF-8: save it as that");
  }
}
