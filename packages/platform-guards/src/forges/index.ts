export { type Forge, FORGES, type HeaderOf } from './Forge.ts';
export {
  anyDeliveryIdOf,
  anyEventOf,
  deliveryIdOf,
  eventHeaderOf,
  eventOf,
} from './headers.ts';
export { hasSignature, isSigned, type UnverifiedDelivery } from './isSigned.ts';
export { isHmacOf, isSameSecret } from './secrets.ts';
