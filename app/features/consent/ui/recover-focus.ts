/**
 * Moves the focus to the page's content if the focused control is gone from the page. Browsers notice only later that a
 * control within a closed dialog is gone.
 */
export function recoverFocus(): void {
  const { activeElement, body } = document;
  const isLost = activeElement === null || activeElement === body || activeElement.getClientRects().length === 0;
  if (isLost) document.getElementById("main")?.focus({ preventScroll: true });
}
