export { type Forge, FORGES, type HeaderOf } from './Forge.ts';
export {
  anyDeliveryIdOf,
  anyEventOf,
  deliveryIdOf,
  eventHeaderOf,
  eventOf,
} from './headers.ts';
export {
  checkSignature,
  isSigned,
  type SignatureCheck,
  type UnverifiedDelivery,
} from './isSigned.ts';
export { isHmacOf, isSameSecret } from './secrets.ts';
