import ts from "typescript";

/**
 * A small change of a product file: `text` at `start` becomes `replacement`.
 * @typedef {{ file: string, kind: string, start: number, text: string, replacement: string }} Change
 */

/** @param {string} file @param {string} source @returns {Change[]} every change that can be made to this file */
export function listChanges(file, source) {
  return file.endsWith(".sql") ? listSqlChanges(file, source) : listScriptChanges(file, source);
}

/** @param {string} file @param {string} source */
function listScriptChanges(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  /** @type {Change[]} */
  const changes = [];
  /** @param {ts.Node} node @param {string} kind @param {(text: string) => string} write */
  const add = (node, kind, write) => {
    const text = node.getText(tree);
    changes.push({ file, kind, start: node.getStart(tree), text, replacement: write(text) });
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (ts.isIfStatement(node) || ts.isWhileStatement(node))
      add(node.expression, "condition negated", (text) => `!(${text})`);
    if (ts.isConditionalExpression(node)) add(node.condition, "condition negated", (text) => `!(${text})`);
    if (ts.isExpressionStatement(node)) add(node, "statement removed", () => ";");
    if (ts.isNumericLiteral(node)) add(node, "constant changed", (text) => `(${text} + 1)`);
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "constant changed", () => "false");
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "constant changed", () => "true");
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return changes;
}

/** Changes of SQL, line by line: no parser of it is installed. @param {string} file @param {string} source */
function listSqlChanges(file, source) {
  /** @type {[kind: string, pattern: RegExp, write: (text: string) => string][]} */
  const kinds = [
    ["condition negated", /(?<=^ *(?:els)?if ).*(?= then$)/gm, (text) => `not (${text})`],
    ["statement removed", /(?<=^ +)(?:delete|update|insert|perform) [^;\n]*;$/gm, () => "null;"],
    ["condition removed", /(?<=^ +)(?:and|or) [^()\n]*?(?:\([^()\n]*\))?[^()\n;]*(?=;?$)/gm, () => ""],
    ["constant changed", /(?<=interval ')\d+/g, (text) => String(Number(text) + 1)],
    ["constant changed", /(?<=[<>=] )\d+(?=\W)/g, (text) => String(Number(text) + 1)],
  ];
  return kinds.flatMap(([kind, pattern, write]) =>
    [...source.matchAll(pattern)]
      .filter(({ index }) => !source.slice(source.lastIndexOf("\n", index) + 1, index).includes("--"))
      .map(({ 0: text, index: start }) => ({ file, kind, start, text, replacement: write(text) })),
  );
}
