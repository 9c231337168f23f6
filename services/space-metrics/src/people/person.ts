import { createHmac } from 'node:crypto';
import { type Caller, ForbiddenError } from '@slipway/service-kit';

/**
 * What stands for a person in storage: HMAC-SHA256 of the canonical user id, keyed by
 * configuration. Without the key nobody can be found by trying names, and whoever loses
 * the key loses the link for good.
 */
export class PersonHasher {
  readonly #key: string;

  constructor(options: { key: string }) {
    this.#key = options.key;
  }

  /** @returns 32 hexadecimal characters. */
  hash(userId: string): string {
    return this.hashText(canonicalUserId(userId));
  }

  /** Stands for a text that may hold names. @returns 32 hexadecimal characters. */
  hashText(text: string): string {
    return createHmac('sha256', this.#key)
      .update(text)
      .digest('hex')
      .slice(0, 32);
  }
}

/**
 * One spelling per person: `ada`, `User:Default/Ada` and `user:default/ada` are the
 * same. An e-mail address stays what it is, in lower case.
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
 * Whose a submission is: of the signed-in user, whatever it says, else of whom it
 * names, as holders of a key submit for others.
 */
export function submitterOf(caller: Caller, userId: string): string {
  return caller.kind === 'user' ? caller.id : userId;
}

/**
 * Lets users at what is theirs, and holders of a key at anything.
 *
 * @throws ForbiddenError for what is somebody else's.
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
 * Lets people at what is theirs, and nobody else: a key that submits for all would
 * otherwise read the answers of each.
 *
 * @throws ForbiddenError for anybody else.
 */
export function assertSelf(caller: Caller, userId: string): void {
  if (caller.kind !== 'user') {
    throw new ForbiddenError(
      'Stored data is shown only to its owner, signed in to the portal',
    );
  }
  assertOwn(caller, userId);
}
