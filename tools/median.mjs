/** Returns the middle of an odd number of values. @param {number[]} values */
export function median(values) {
  return values.toSorted((a, b) => a - b)[(values.length - 1) / 2] ?? Number.NaN;
}
