// Finds modules with state: a top-level binding that is reassigned, or a top-level object, Map, Set or WeakMap that a
// function writes to. All state belongs to the site object (docs/ARCHITECTURE.md), so that two sites with different
// settings can run in one process. One module may have state, for stock remix-serve.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const mayHoldOne = "app/server/default-site.server.ts";
const writers = new Set([
  "set",
  "add",
  "delete",
  "clear",
  "push",
  "pop",
  "shift",
  "unshift",
  "splice",
  "sort",
  "reverse",
  "fill",
]);

const files = ["app", "supabase/embedded"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
);
const findings = files
  .filter((file) => !/\.test\.tsx?$/.test(file) && file.replaceAll("\\", "/") !== mayHoldOne)
  .flatMap((file) => findState(file));
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exit(1);

/** @param {string} file */
function findState(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const names = new Set(
    source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations.flatMap(({ name }) => namesIn(name))),
  );
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node @param {ReadonlySet<string>} visible @param {boolean} isInFunction */
  const visit = (node, visible, isInFunction) => {
    const hidden = ts.isFunctionLike(node) || ts.isBlock(node) ? namesDeclaredIn(node) : [];
    const seen = hidden.length === 0 ? visible : new Set([...visible].filter((name) => !hidden.includes(name)));
    const inside = isInFunction || ts.isFunctionLike(node);
    const written = findWritten(node);
    if (written !== null && seen.has(written.name) && (inside || written.isAssigned)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1} the module-level "${written.name}" is written to`);
    }
    ts.forEachChild(node, (child) => visit(child, seen, inside));
  };
  visit(source, names, false);
  return found;
}

/** @param {ts.BindingName} name @returns {string[]} */
function namesIn(name) {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));
}

/**
 * Lists the parameters of a function, or the variables that a block declares. @param {ts.Node} node @returns {string[]}
 */
function namesDeclaredIn(node) {
  if (ts.isFunctionLike(node)) return node.parameters.flatMap(({ name }) => namesIn(name));
  if (!ts.isBlock(node)) return [];
  return node.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations.flatMap(({ name }) => namesIn(name)));
}

/** Finds the binding that a node writes to. @param {ts.Node} node */
function findWritten(node) {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return target(node.left);
  if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && isStep(node.operator))
    return target(node.operand);
  if (ts.isDeleteExpression(node)) return target(node.expression);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const { name, expression } = node.expression;
  return writers.has(name.text) && ts.isIdentifier(expression) ? { name: expression.text, isAssigned: false } : null;
}

/** @param {ts.Expression} left @returns {{ name: string, isAssigned: boolean } | null} */
function target(left) {
  if (ts.isIdentifier(left)) return { name: left.text, isAssigned: true };
  if (ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left)) {
    const owner = target(left.expression);
    return owner && { ...owner, isAssigned: false };
  }
  return null;
}

/** @param {ts.SyntaxKind} kind */
function isAssignment(kind) {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** @param {ts.SyntaxKind} operator */
function isStep(operator) {
  return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
}
