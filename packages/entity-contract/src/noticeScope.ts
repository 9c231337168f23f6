/** The kinds of entities that notifications are about. */
const KINDS = ['component', 'system', 'group', 'user'] as const;

/**
 * Returns the scope of a notification about an entity: it begins with the reference, so that the
 * notifications about a namespace can be found when that is removed.
 *
 * @param key - names the notification, without the entity: `build:shop#3`.
 */
export function scopeAbout(entityRef: string | undefined, key: string): string {
  return entityRef === undefined ? key : `${entityRef} ${key}`;
}

/** Returns how references to the entities of a namespace begin, and scopes of notifications about them. */
export function beginningsOf(namespace: string): string[] {
  return KINDS.map(kind => `${kind}:${namespace}/`);
}
