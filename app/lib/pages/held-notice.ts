/** Handle of a route module with rules for notices, by key. */
interface NoticeHandle {
  notices: Partial<Record<string, (shown: unknown) => boolean>>;
}

/**
 * Returns true unless a matched page's rules (`export const handle = { notices }`) say that a notice contradicts the
 * loader's data. A reload, Back or another tab can show the address of a notice after its claim has ended.
 */
export function holdsNotice(matches: readonly { handle?: unknown; data: unknown }[], key: string): boolean {
  return matches.every(({ handle, data }) => {
    const { notices = {} } = (handle ?? {}) as Partial<NoticeHandle>;
    return data === undefined || (notices[key]?.(data) ?? true);
  });
}
