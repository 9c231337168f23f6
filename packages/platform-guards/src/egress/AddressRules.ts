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
   * Whether an address that was judged `public` may lead to this IP address; when left
   * out, to public ones alone.
   */
  admits?(ip: string): boolean;
}

/** For addresses that the operator wrote down. */
export const anyAddress: AddressRules = { judge: () => 'trusted' };
