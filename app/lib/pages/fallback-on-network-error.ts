import { findRefusedPost } from "./refused-post";

/** For conform, where nothing answered: what was typed stays, and mistakes of an earlier answer go, because nobody judged it. */
export const unjudged = { status: "error" as const };

/**
 * Loads a page as a document where a script could not reach the server: the browser then says itself that the line is lost, and its
 * reload button tries again.
 * @param answer the server's
 * @param address of the page
 */
export async function leaveOnNetworkError<Answer>(answer: Promise<Answer>, address: string): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    // As `fetch` says that it did not get there.
    if (!(error instanceof TypeError)) throw error;
    location.assign(address);
    return new Promise<Answer>(() => {});
  }
}

/**
 * Keeps a form on the screen when its post never reached the server: Remix would replace it with its error page.
 * Redirects pass, and the refusal that gives back what was typed: this form will never be taken where it is.
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
    if (error instanceof Response || findRefusedPost(error)?.typed.length) throw error;
    return otherwise;
  }
}
