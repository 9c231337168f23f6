import { type Caller, ForbiddenError } from '@slipway/service-kit';
import { canonicalUserId } from './PersonHasher.ts';

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
