/**
 * One instruction. `arguments` are the words behind it, or the list of its JSON form; `isList` says which.
 * @typedef {{ word: string, flags: Record<string, string>, arguments: string[], text: string, isList: boolean }} Step
 */
/** @typedef {{ name: string, base: string, steps: Step[] }} Stage */

/**
 * Reads a Dockerfile into its stages. It knows what ours uses: no here-documents, no escape directive, no ONBUILD.
 * @param {string} text
 * @returns {Stage[]} in order; a stage without a name is called by its number, as Docker does; variables are filled in
 * @throws Error for an instruction before the first FROM, other than ARG
 */
export function parseDockerfile(text) {
  /** @type {Stage[]} */
  const stages = [];
  /** @type {Map<string, string>} */
  const globals = new Map();
  /** @type {Map<string, string>} */
  let variables = new Map();
  for (const line of joinLines(text)) {
    const step = parseStep(line, stages.length === 0 ? globals : variables);
    const stage = stages.at(-1);
    if (step.word === "FROM") {
      const base = fill(line, globals).split(/\s+/)[1] ?? "";
      stages.push({ name: / AS (\S+)$/i.exec(line)?.[1] ?? String(stages.length), base, steps: [] });
      variables = new Map();
    } else if (step.word === "ARG" || step.word === "ENV") {
      for (const [name, value] of assignments(step.text)) (stage ? variables : globals).set(name, value);
    }
    if (stage && step.word !== "FROM") stage.steps.push(step);
    if (!stage && !["FROM", "ARG"].includes(step.word)) throw new Error(`${step.word} before the first FROM`);
  }
  return stages;
}

/**
 * The pairs of an ENV, ARG or LABEL.
 * @param {string} text e.g. `PORT=3000 TITLE="two words"`
 * @returns {[name: string, value: string][]}
 */
export function assignments(text) {
  return [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(([, name = "", quoted, plain]) => [
    name,
    quoted ?? plain ?? "",
  ]);
}

/** @param {string} text @returns {string[]} instructions without comments, each on one line */
function joinLines(text) {
  const lines = text.split("\n").filter((line) => !/^\s*(#|$)/.test(line));
  return lines
    .join("\n")
    .replace(/\\\n\s*/g, "")
    .split("\n");
}

/** @param {string} line @param {Map<string, string>} variables @returns {Step} */
function parseStep(line, variables) {
  const [, word = "", rest = ""] = /^(\S+)\s+(.*)$/s.exec(line) ?? [];
  // A shell fills in its own variables.
  let text = word === "RUN" ? rest : fill(rest, variables);
  /** @type {Record<string, string>} */
  const flags = {};
  for (let flag; (flag = /^--([\w-]+)=(\S+)\s+/.exec(text)); text = text.slice(flag[0].length))
    flags[flag[1] ?? ""] = flag[2] ?? "";
  const list = /\[.*\]$/s.exec(text)?.[0];
  const isList = list !== undefined && ["CMD", "HEALTHCHECK", "ENTRYPOINT"].includes(word);
  return { word, flags, text, isList, arguments: isList ? JSON.parse(list) : text.trim().split(/\s+/) };
}

/** @param {string} text @param {Map<string, string>} variables */
function fill(text, variables) {
  return text.replace(/\$\{(\w+)\}/g, (_, /** @type {string} */ name) => variables.get(name) ?? "");
}
