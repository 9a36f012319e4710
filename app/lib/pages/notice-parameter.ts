/** Query parameter that shows a notice after a form was sent (decision 6). */
export const noticeParameter = "notice";

/**
 * Addresses whose notice is always true, so that it needs no signature. They are the same for everyone and are in page
 * memory.
 */
export const lastingNotices = { loginRequired: `/login?${noticeParameter}=loginRequired` } as const;
