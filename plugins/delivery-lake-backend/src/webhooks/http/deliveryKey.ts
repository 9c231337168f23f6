import { createHash } from 'node:crypto';
import { Forge } from '../../config';

/** What the lake's table of deliveries takes as a key and as a type. */
const PLAIN_KEY = /^[\x20-\x7e]{1,255}$/;
const TYPE_LIMIT = 128;
const SEPARATOR = '#';

/** Headers that name a delivery, the same when it is sent once more. */
const ID_HEADERS: Record<Forge, readonly string[]> = {
  github: ['x-github-delivery'],
  // Not X-Gitlab-Event-UUID: hooks that one request sets off share it.
  gitlab: ['webhook-id', 'idempotency-key'],
  gitea: ['x-gitea-delivery'],
  forgejo: ['x-forgejo-delivery', 'x-gitea-delivery'],
};

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
  header(name: string): string | undefined;
  rawBody: string;
}): string {
  const { forge, header, rawBody } = options;
  const id = ID_HEADERS[forge].map(header).find(Boolean);
  return id ? keyOf(id) : digestOf(rawBody);
}
