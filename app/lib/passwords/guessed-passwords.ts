/** 10 billion guesses: zxcvbn's highest score. */
const minGuessesLog10 = 10;

/**
 * Returns true if a password is easy to guess: the most common ones, dates, keyboard patterns and sequences, also
 * repeated, in other spellings and with added symbols. zxcvbn makes the estimate. Its word lists load only when a
 * password is set, so most processes never load them.
 * @param words words that attackers try first for this person
 */
export async function isGuessedEarly(password: string, words: readonly string[] = []): Promise<boolean> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const estimator = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary });
  return estimator.check(password, [...words]).guessesLog10 < minGuessesLog10;
}
