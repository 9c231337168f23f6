/** The kinds of entities that notifications are about. */
const KINDS = ['component', 'system', 'group', 'user'] as const;

/**
 * Returns the scope of a notification about an entity. It begins with the entity reference, so that
 * the notifications about a namespace can be found when the namespace is removed.
 *
 * @param key - identifies the notification, without the entity: `build:shop#3`.
 */
export function scopeAbout(entityRef: string | undefined, key: string): string {
  return entityRef === undefined ? key : `${entityRef} ${key}`;
}

/**
 * Returns the prefixes of references to a namespace's entities, and of scopes of notifications
 * about them.
 */
export function beginningsOf(namespace: string): string[] {
  return KINDS.map(kind => `${kind}:${namespace}/`);
}
