import type { Group } from '../api/PeopleApi';

/** Returns the name of a group, or its key if it has none. */
export function groupName({ key, properties }: Group): string {
  const { name } = properties;
  return typeof name === 'string' && name !== '' ? name : key;
}
