import { statusPage } from "~/content/privacy/data-rights-links";
import { linkAddress } from "~/lib/pages/link-address";

/** Query parameter that shows the second step. */
export const withdrawParameter = "withdraw";

/** Props of {@link Withdrawal}. */
export interface WithdrawalProps {
  /** token of the status link */
  token: string;
  /** the first button was pressed: show the consequences and the second button */
  isAsking: boolean;
}

/**
 * Withdraws a data rights request in two steps. The first button only shows the second, so that neither a slip nor a
 * program that presses buttons withdraws it.
 */
export function Withdrawal({ token, isAsking }: WithdrawalProps) {
  const { withdraw, asking } = statusPage;
  if (!isAsking) {
    return (
      <form action="/data-rights/status#withdraw" className="mt-10">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name={withdrawParameter} value="ask" />
        <button className="button button-quiet">{withdraw}</button>
      </form>
    );
  }
  return (
    <form id="withdraw" method="post" action="/data-rights/status" className="withdrawal">
      <h2 className="text-2xl">{asking.title}</h2>
      <p className="mt-2">{asking.text}</p>
      <input type="hidden" name="token" value={token} />
      <p className="link-ways">
        <button className="button">{asking.confirm}</button>
        <a href={linkAddress("/data-rights/status", token)}>{asking.cancel}</a>
      </p>
    </form>
  );
}
