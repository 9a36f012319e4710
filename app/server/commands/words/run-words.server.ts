import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editablePages } from "~/content/words/editable-pages.server";
import { writeWordFile } from "~/content/words/export-words.server";
import { readWordFolder } from "~/content/words/word-folder.server";
import { dataDirOf } from "#supabase/embedded/operations/command-words";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { printOutcome } from "#supabase/embedded/operations/run-operation";

/**
 * Runs `words export [<page>]`, which writes the built-in words of pages as files to change, or `words check`.
 * @param args command-line arguments after the command
 * @returns the exit code: 0, or 1 if the command failed or a file has mistakes
 */
export async function runWords([action, page]: string[], environment = process.env): Promise<number> {
  return printOutcome(async () => {
    const folder = join(dataDirOf(environment), "words");
    return action === "export" ? exportWords(folder, page) : checkWords(folder);
  });
}

function exportWords(folder: string, page: string | undefined): string {
  const known = Object.keys(editablePages);
  if (page !== undefined && !known.includes(page))
    throw new OperationRefused(`No page has this name. Known are ${known.join(", ")}.`);
  mkdirSync(folder, { recursive: true });
  return (page === undefined ? known : [page])
    .map((name) => {
      const file = join(folder, `${name}.yaml`);
      if (existsSync(file)) return `${file} exists, and stays as it is`;
      writeFileSync(file, writeWordFile(name), { flag: "wx" });
      return `Wrote ${file}`;
    })
    .join("\n");
}

function checkWords(folder: string): string {
  const { mistakes, changes } = readWordFolder(folder);
  if (mistakes.length > 0) throw new OperationRefused(mistakes.join("\n"));
  return `${changes.length} texts of ${folder} have no mistakes. A running site shows them within 15 seconds.`;
}
