import { findRefusedPost } from "./refused-post";

/**
 * Submission result for conform if no response came: keeps the input and removes earlier errors, because nothing was
 * validated.
 */
export const noServerResult = { status: "error" as const };

/**
 * Loads a page as a document if a script could not reach the server. The browser then shows its own offline page, whose
 * reload button retries.
 * @param result result of the server's action or loader
 * @param address address of the page
 */
export async function reloadOnNetworkError<Result>(result: Promise<Result>, address: string): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    // `fetch` rejects with a TypeError on a network error.
    if (!(error instanceof TypeError)) throw error;
    location.assign(address);
    return new Promise<Result>(() => {});
  }
}

/**
 * Keeps a form on the screen if its post never reached the server: Remix would replace it with its error page. Rethrows
 * redirects, and a refusal that returns the input, because this form can never be accepted from this page.
 * @param result result of the server's action or loader
 * @param otherwise result for the page if there is none
 */
export async function fallbackOnNetworkError<Result, Fallback>(
  result: Promise<Result>,
  otherwise: Fallback,
): Promise<Result | Fallback> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Response || findRefusedPost(error)?.typed.length) throw error;
    return otherwise;
  }
}
