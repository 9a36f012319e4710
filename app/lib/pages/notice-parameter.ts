/** Name of the query parameter that shows a message on the page after a form was sent (decision 9). */
export const noticeParameter = "notice";

/**
 * Addresses whose message is true whenever they are opened, and so needs no signature. They look alike to everyone, and the pages
 * are in memory.
 */
export const lastingNotices = {
  loginRequired: `/login?${noticeParameter}=loginRequired`,
  cookieNotKept: `/login?${noticeParameter}=cookieNotKept`,
} as const;
