import type { Group, Person } from '../api/PeopleApi';

/** Formats a value of an event for display. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Reads the page on which an event happened, from the properties that PostHog's SDKs set. */
export function pageOf(properties: Record<string, unknown>): string {
  return cellText(properties.$pathname ?? properties.$current_url);
}

/** The properties that name a person, best first. */
const NAMES = ['name', 'username', 'email', '$email'];

/** Returns the display name of a person: a name from the properties, or else the first id. */
export function personName({
  properties,
  id,
}: Pick<Person, 'properties' | 'id'>): string {
  const named = NAMES.map(name => cellText(properties[name])).find(Boolean);
  return named ?? id;
}

/** Returns the name of a group, or its key if it has none. */
export function groupName({ key, properties }: Group): string {
  const { name } = properties;
  return typeof name === 'string' && name !== '' ? name : key;
}
