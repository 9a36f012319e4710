import { choiceWords, consentChanges, consentWords } from "~/content/privacy/consent";
import { PreferencesOpener } from "~/ui/frame/preferences-opener";
import type { ConsentView } from "../state/consent-view.server";
import { useConsentForm } from "./use-consent-form";

/** Props of {@link ConsentBanner}. */
export interface ConsentBannerProps {
  consent: ConsentView;
  /** path and query of the page that shows it */
  page: string;
  /** address of the preferences; `dialogId` is null if they are already open on this page */
  preferences: { address: string; dialogId: string | null };
}

const titleId = "cookie-banner-title";

/**
 * The cookie banner. First in the document, so that keyboard and screen reader users meet it first; displayed at the
 * bottom of the window, in the page's flow. Refusing is as easy as agreeing: equal buttons, side by side.
 */
export function ConsentBanner({ consent, page, preferences }: ConsentBannerProps) {
  const { askedAgain, texts } = consent;
  const { banner, version } = consentWords(consent.analyticsInUse);
  const { send, isSending, failure } = useConsentForm(!consent.asks);
  return (
    <section className="consent-banner" aria-labelledby={titleId}>
      <form method="post" action="/consent" className="wrap" autoComplete="off" onSubmit={send}>
        <input type="hidden" name="page" value={page} />
        <input type="hidden" name="source" value="banner" />
        <input type="hidden" name="text" value={texts.banner} />
        {/*
         * Matches :user-valid once the form was sent; the style sheet then hides the banner (stay-on-page.server.ts). A
         * failure shows it again. Text browsers show less of an empty list than of any other control.
         */}
        {failure === null ? <select className="sent-mark" hidden aria-label={banner.title} /> : null}
        <div>
          <p id={titleId} className="sr-only">
            {banner.title}
          </p>
          {askedAgain ? (
            <p>
              {choiceWords.askedAgain[askedAgain]} {askedAgain === "text" ? consentChanges[version] : null}
            </p>
          ) : null}
          <p>
            {banner.text} <a href={banner.policy.path}>{banner.policy.label}</a>
          </p>
          {failure === null ? null : <p role="alert">{failure}</p>}
        </div>
        <div className="consent-actions">
          <button name="choice" value="reject" className="button" disabled={isSending}>
            {banner.reject}
          </button>{" "}
          <button name="choice" value="accept" className="button" disabled={isSending}>
            {banner.accept}
          </button>{" "}
          <PreferencesOpener {...preferences} label={banner.customize} className="button button-quiet" />{" "}
          <button name="choice" value="close" className="button button-quiet" disabled={isSending}>
            {banner.close}
          </button>
        </div>
      </form>
    </section>
  );
}
