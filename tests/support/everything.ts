/**
 * True in `npm run verify`, which proves everything: both databases, all generated input, each phase and each repetition.
 * `npm test` proves one of each kind.
 */
export const isEverything = process.env.TESTS === "all";
