/** How a text is written where it stands in a page; each does exactly what the framework does there. */
export type Escape = (text: string) => string;

const entities: Record<string, string> = { '"': "&quot;", "&": "&amp;", "'": "&#x27;", "<": "&lt;", ">": "&gt;" };

/** As React writes text and attributes; NUL is in no page of ours (entry.server). */
export const escapeMarkup: Escape = (text) => text.replace(/["&'<>\0]/g, (character) => entities[character] ?? "");

/** As React writes a text area: a browser drops the line break that stands first, so that gets another one. */
export const escapeTextArea: Escape = (text) => (text.startsWith("\n") ? "\n" : "") + escapeMarkup(text);

/** As Remix writes a page's data: JSON in a string of a script, in which nothing can end the script. */
export const escapeData: Escape = (text) =>
  quote(quote(text)).replace(
    /[&<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const quote = (text: string) => JSON.stringify(text).slice(1, -1);
