export type { AddressRules, AddressVerdict } from './AddressRules.ts';
export { anyAddress } from './AddressRules.ts';
export { EgressRules, isAllowedHost } from './EgressRules.ts';
export {
  AddressRefusedError,
  PrivateAddressError,
  TooManyRedirectsError,
  UnexpectedAnswerError,
  UnknownEncodingError,
} from './errors.ts';
export { type GuardedAnswer, GuardedFetch } from './GuardedFetch.ts';
export {
  admit,
  type GuardedRequest,
  guardedRequest,
} from './guardedRequest.ts';
export { isPrivateAddress } from './privateAddresses.ts';
export { publicLookup, type ResolveAll } from './publicLookup.ts';
export { redactUrl } from './redactUrl.ts';
