import { useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { adminContentId } from "~/lib/pages/admin-area";

/**
 * Moves focus to the page's content when loading removed the focused control, such as the button of a message that left
 * the list.
 * @returns true while loading
 */
export function useFocusFallback(): boolean {
  const isLoading = useNavigation().state !== "idle";
  const wasLoading = useRef(false);
  useEffect(() => {
    if (wasLoading.current && !isLoading && document.activeElement === document.body)
      document.getElementById(adminContentId)?.focus({ preventScroll: true });
    wasLoading.current = isLoading;
  }, [isLoading]);
  return isLoading;
}
