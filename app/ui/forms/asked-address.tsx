import { askedAddressField } from "~/lib/pages/asked-address";

/** Says with the next post that its sender was asked about this address and keeps it; nothing where nobody was asked. */
export function AskedAddress({ address }: { address: string | null }) {
  return address === null ? null : <input type="hidden" name={askedAddressField} value={address} />;
}
