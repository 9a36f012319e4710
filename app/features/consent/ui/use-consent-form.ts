import { useFetcher } from "@remix-run/react";
import { type FormEvent, useEffect } from "react";
import { stopAnalytics } from "../analytics/stop-analytics";

interface Answer {
  isKept: boolean;
}

/**
 * Where scripts run, sends a consent form without leaving the page, so that nothing typed elsewhere is lost.
 * @param onKept called once the choice has been kept; the same function in every rendering
 */
export function useConsentForm(onKept?: () => void) {
  const fetcher = useFetcher<Answer>();
  const { data, state } = fetcher;
  useEffect(() => {
    if (state === "idle" && data?.isKept) onKept?.();
  }, [state, data, onKept]);
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const form = new FormData(event.currentTarget, submitter);
    form.set("answer", "data");
    const choice = form.get("choice");
    if (choice === "reject" || (choice === "save" && !form.has("analytics"))) stopAnalytics();
    fetcher.submit(form, { method: "post", action: "/consent" });
  }
  return { send, isSending: state !== "idle", hasFailed: state === "idle" && data?.isKept === false };
}
