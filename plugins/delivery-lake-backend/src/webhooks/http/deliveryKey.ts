import { createHash } from 'node:crypto';
import { deliveryIdOf, Forge, HeaderOf } from '@slipway/forge-webhooks';

/** What the lake's table of deliveries takes as a key and as a type. */
const PLAIN_KEY = /^[\x20-\x7e]{1,255}$/;
const TYPE_LIMIT = 128;
const SEPARATOR = '#';

/** A key that fits, of texts of any length; other texts, another key. */
export function keyOf(...parts: string[]): string {
  const plain = parts.join(SEPARATOR);
  return PLAIN_KEY.test(plain) &&
    !parts.slice(1).some(part => part.includes(SEPARATOR))
    ? plain
    : createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** A type that fits: what is longer is none that the lake reads. */
export function storableType(type: string): string {
  return type.slice(0, TYPE_LIMIT);
}

/** SHA-256 of all parts, in hex. */
export function digestOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** The forge's id of a delivery; without one, what it says is what it is. */
export function deliveryKey(options: {
  forge: Forge;
  header: HeaderOf;
  rawBody: string;
}): string {
  const { forge, header, rawBody } = options;
  const id = deliveryIdOf(forge, header);
  return id ? keyOf(id) : digestOf(rawBody);
}
