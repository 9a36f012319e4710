import { useFetcher } from "@remix-run/react";
import { type FormEvent, useEffect } from "react";
import { messages } from "~/content/messages";
import { choiceWords } from "~/content/privacy/consent";
import { stopAnalytics } from "../analytics/stop-analytics";

const { choiceNotKept } = messages;

interface Answer {
  isKept: boolean;
}

/**
 * Where scripts run, sends a consent form without leaving the page, so that nothing typed elsewhere is lost.
 * @param isChosen whether the page knows an answer: it comes back with the browser's cookies, once it was sent
 * @param onKept called once the choice has been kept; the same function in every rendering
 */
export function useConsentForm(isChosen: boolean, onKept?: () => void) {
  const fetcher = useFetcher<Answer>();
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
