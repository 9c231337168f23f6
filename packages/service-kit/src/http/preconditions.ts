import { Type } from 'typebox';
import { PreconditionFailedError } from '../errors/ServiceError.ts';

/**
 * Builds the schema of headers with `If-Match`.
 *
 * @param what - what the request changes.
 */
export const preconditionOf = (what: string) =>
  Type.Object({
    'if-match': Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: `The ETag of the ${what} when it was read: 412 if it has changed since.`,
      }),
    ),
  });

/**
 * Checks the `If-Match` of a request.
 *
 * @param options.tags - the entity tags of the current state.
 * @param options.what - names the resource in the error message.
 * @throws PreconditionFailedError if none of the sent tags match.
 */
export function assertMatches(
  ifMatch: string | undefined,
  { tags, what }: { tags: readonly string[]; what: string },
): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') {
    return;
  }
  // Proxies that compress a response make its tag weak.
  const sent = ifMatch.split(',').map(tag => tag.trim().replace(/^W\//, ''));
  if (!sent.some(tag => tags.includes(tag))) {
    throw new PreconditionFailedError(`${what} has changed since it was read`);
  }
}
