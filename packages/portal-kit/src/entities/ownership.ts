import { type Entity, stringifyEntityRef } from '@backstage/catalog-model';

/** The plugin that reads summaries for users who are absent. */
export const INBOX_SUBJECT = 'plugin:inbox';

/**
 * Returns the entity references of a user and the user's groups, the same as Backstage determines
 * at sign-in.
 */
export function ownershipOf(user: Entity): string[] {
  const groups = (user.relations ?? [])
    .filter(
      ({ type, targetRef }) =>
        type === 'memberOf' && targetRef.startsWith('group:'),
    )
    .map(({ targetRef }) => targetRef);
  return [...new Set([stringifyEntityRef(user), ...groups])];
}
