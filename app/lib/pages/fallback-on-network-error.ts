/**
 * Keeps a form on the screen when its post never reached the server: Remix would replace it with its error page.
 * Redirects pass.
 * @param answer the server's
 * @param otherwise what the page gets when there is none
 */
export async function fallbackOnNetworkError<Answer, Fallback>(
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
