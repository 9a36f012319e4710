/**
 * Keeps a form on the screen when its post fails in a way that the server had no say in: Remix would put its error page
 * there instead. Redirects pass.
 * @param answer the server's
 * @param otherwise what the page gets when there is none
 */
export async function keepPage<Answer, Fallback>(
  answer: Promise<Answer>,
  otherwise: Fallback,
): Promise<Answer | Fallback> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Response) throw error;
    return otherwise;
  }
}
