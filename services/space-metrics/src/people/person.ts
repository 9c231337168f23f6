import { createHmac } from 'node:crypto';
import { type Caller, ForbiddenError } from '@slipway/service-kit';

/**
 * Computes the pseudonym under which a person is stored: HMAC-SHA256 of the canonical user id, with
 * a configured key. Without the key, people cannot be found by trying names; if it is lost, so is
 * the link to people, permanently.
 */
export class PersonHasher {
  readonly #key: string;

  constructor(options: { key: string }) {
    this.#key = options.key;
  }

  /** Hashes the id of a user. @returns 32 hexadecimal characters. */
  hash(userId: string): string {
    return this.hashText(canonicalUserId(userId));
  }

  /**
   * Hashes a text that may contain names.
   *
   * @returns 32 hexadecimal characters.
   */
  hashText(text: string): string {
    return createHmac('sha256', this.#key)
      .update(text)
      .digest('hex')
      .slice(0, 32);
  }
}

/**
 * Normalizes a user id: `ada`, `User:Default/Ada` and `user:default/ada` are the same. An email
 * address is only converted to lower case.
 */
export function canonicalUserId(userId: string): string {
  const id = userId.trim().normalize('NFC').toLocaleLowerCase('en-US');
  if (id.includes('@')) {
    return id;
  }
  const [, kind = 'user', namespace = 'default', name] =
    /^(?:([^:/]+):)?(?:([^:/]+)\/)?(.*)$/s.exec(id) ?? [];
  return `${kind}:${namespace}/${name}`;
}

/**
 * Returns the person of a submission: the signed-in user, whatever the submission claims; otherwise
 * the user that it names, because holders of a key submit for others.
 */
export function submitterOf(caller: Caller, userId: string): string {
  return caller.kind === 'user' ? caller.id : userId;
}

/**
 * Checks that callers access only their own data; holders of a key may access anyone's.
 *
 * @throws ForbiddenError for data of other people.
 */
export function assertOwn(caller: Caller, userId: string): void {
  if (
    caller.kind === 'user' &&
    canonicalUserId(caller.id) !== canonicalUserId(userId)
  ) {
    throw new ForbiddenError('You can access only your own data');
  }
}

/**
 * Checks that a person accesses their own data. No one else may, not even with a key: a key that
 * submits for everyone could otherwise read everyone's answers.
 *
 * @throws ForbiddenError for all other callers.
 */
export function assertSelf(caller: Caller, userId: string): void {
  if (caller.kind !== 'user') {
    throw new ForbiddenError(
      'Stored data is shown only to its owner, signed in to the portal',
    );
  }
  assertOwn(caller, userId);
}
