import { company } from "../company";
import { networkPeriods } from "../facts";

/** Response to a mail program that stops the network's mail for its user. The same for an unknown link. */
export const networkStopText =
  `You get no more email from the investor network of ${company.name}. We delete what it keeps about you in ` +
  `${networkPeriods.stoppedDays} days. To take this back until then, open the link in any of its emails.\n`;
