/** Ten thousand million guesses: zxcvbn's highest score. */
const minGuessesLog10 = 10;

/**
 * Tells whether guessers reach a password early: the most common ones, dates, rows of keys and sequences, also repeated, in other spellings
 * and with signs around them. The estimate is zxcvbn's. Its lists are loaded when a password is set, which few starts do.
 * @param words that guessers try first for this person
 */
export async function isGuessedEarly(password: string, words: readonly string[] = []): Promise<boolean> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const estimator = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary });
  return estimator.check(password, [...words]).guessesLog10 < minGuessesLog10;
}
