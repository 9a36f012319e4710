import { useFetcher } from "@remix-run/react";
import { type FormEvent, useEffect } from "react";
import { messages } from "~/content/messages";
import { choiceWords } from "~/content/privacy/consent";
import { stopAnalytics } from "../analytics/stop-analytics";

const { choiceNotKept } = messages;

interface ConsentResult {
  isKept: boolean;
}

/**
 * Sends a consent form without leaving the page if scripts run, so that input in other forms is not lost.
 * @param isChosen the page shows a decision; after a post, this confirms that the browser returned the cookie
 * @param onKept called once the decision was saved; must be the same function in every render
 */
export function useConsentForm(isChosen: boolean, onKept?: () => void) {
  const fetcher = useFetcher<ConsentResult>();
  const { data, state } = fetcher;
  const isDone = state === "idle" && data !== undefined;
  const isKept = isDone && data.isKept && isChosen;
  useEffect(() => {
    if (isKept) onKept?.();
  }, [isKept, onKept]);
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const form = new FormData(event.currentTarget, submitter);
    form.set("answer", "data");
    const choice = form.get("choice");
    if (choice === "reject" || (choice === "save" && !form.has("analytics"))) stopAnalytics();
    fetcher.submit(form, { method: "post", action: "/consent" });
  }
  const failure = !isDone || isKept ? null : data.isKept ? choiceNotKept.text : choiceWords.unsent;
  return { send, isSending: state !== "idle", failure };
}
