export { closeUnread, inTurns } from './bodies.ts';
export { brokenRequestAnswer, ignoreExpectations } from './brokenRequests.ts';
export {
  type AddressRules,
  type AddressVerdict,
  anyAddress,
  EgressRules,
  isAllowedHost,
  isPrivateAddress,
} from './egress/AddressRules.ts';
export {
  type GuardedAnswer,
  GuardedFetch,
  TooManyRedirectsError,
  UnexpectedAnswerError,
  UnknownEncodingError,
} from './egress/GuardedFetch.ts';
export {
  AddressRefusedError,
  admit,
  guardedRequest,
  PrivateAddressError,
  type ResolveAll,
} from './egress/guardedRequest.ts';
export { redactUrl } from './egress/redactUrl.ts';
export { formPayload } from './forges/forms.ts';
export {
  anyDeliveryIdOf,
  anyEventOf,
  deliveryIdOf,
  eventHeaderOf,
  eventOf,
  type Forge,
  FORGE_TITLES,
  FORGES,
  type HeaderOf,
  type Sender,
  SENDER_TITLES,
  SENDERS,
  type Tracker,
} from './forges/headers.ts';
export {
  checkSignature,
  isHmacOf,
  isSameSecret,
  isSigned,
  type SignatureCheck,
  type UnverifiedDelivery,
} from './forges/signatures.ts';
export {
  countersInMemory,
  countersInRedis,
  type MinuteCount,
  type MinuteCounters,
} from './limits/minuteCounters.ts';
export {
  findProductionFaults,
  type ProductionFault,
} from './production/findProductionFaults.ts';
export { DEVELOPMENT_CREDENTIALS } from './production/secrets.ts';
