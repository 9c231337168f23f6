/**
 * What may be asked of an address. `trusted`: an operator named its host, wherever that
 * is. `public`: anybody may have chosen it, so what is dialled must be a public address.
 */
export type AddressVerdict = 'trusted' | 'public' | 'refused';

/** Decides where requests may go. */
export interface AddressRules {
  /** Judges an address by what is written in it; a name may still lead anywhere. */
  judge(url: URL): AddressVerdict;
  /**
   * Tells whether an address that was judged `public` may lead to this IP address; when
   * left out, public ones alone are dialled.
   */
  admits?(ip: string): boolean;
}

/** Rules that trust every address; for those that the operator wrote down. */
export const anyAddress: AddressRules = { judge: () => 'trusted' };

/**
 * The host of an address as a resolver takes it: without the brackets of IPv6 and the
 * dot of the root. Decimal, octal and hexadecimal forms have become dotted ones in the URL.
 */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
