/** Writes a number with its noun, e.g. "1 day", "1,234 people". @param many plural, with "s" by default */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
