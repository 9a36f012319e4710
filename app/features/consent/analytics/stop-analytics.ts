declare global {
  interface Window {
    /** defined by Google's tag, if the page has it */
    gtag?: (command: "consent", action: "update", states: Record<string, "denied">) => void;
  }
}

/** Stops Google's tag on a page that stays open after consent was withdrawn. The next page no longer has the tag. */
export function stopAnalytics(): void {
  if (!window.gtag) return;
  const source = document.querySelector<HTMLScriptElement>('script[src*="googletagmanager.com/gtag/js"]')?.src;
  const measurementId = source && new URL(source).searchParams.get("id");
  // Google's own switch: the tag sends and stores nothing more for this property.
  if (measurementId) Object.assign(window, { [`ga-disable-${measurementId}`]: true });
  const denied = ["ad_storage", "ad_user_data", "ad_personalization", "analytics_storage"];
  window.gtag(
    "consent",
    "update",
    Object.fromEntries(denied.map((name) => [name, "denied"])) as Record<string, "denied">,
  );
}
