import { createHash } from 'node:crypto';
import { LakeEvent } from './LakeEvent';

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => [name, sorted(member)]),
    );
  }
  return value;
}

/** JSON with sorted members and without what is undefined: equal values, equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** An event with the text and the hash by which it is known. */
export interface DigestedEvent<E extends LakeEvent = LakeEvent> {
  event: E;
  /** The event in canonical form. */
  body: string;
  /** SHA-256 of `body` in hexadecimal: the same event twice is one. */
  digest: string;
}

/** Hashes an event. */
export function digestEvent<E extends LakeEvent>(event: E): DigestedEvent<E> {
  const body = canonicalJson(event);
  return {
    event,
    body,
    digest: createHash('sha256').update(body).digest('hex'),
  };
}
