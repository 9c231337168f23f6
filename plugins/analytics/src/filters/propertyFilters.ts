import type { PropertyFilter } from '../api/EventsApi';

/** The conditions that forms offer. */
export const OPERATORS = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'gt',
  'gte',
  'lt',
  'lte',
  'regex',
  'not_regex',
  'is_set',
  'is_not_set',
] as const;
/** The owners of properties that forms offer. */
export const TYPES = ['event', 'person'] as const;

/** The owner of a filter by a cohort, whose id is the value. */
export const COHORT = 'cohort';
/** The conditions of filters by cohorts. */
export const COHORT_OPERATORS = ['in', 'not_in'] as const;

/** Returns the name of the owner of group properties, by the number of the group type. */
export function groupOwner(index: number): string {
  return `group_${index}`;
}

/** Returns the owner of the property of a filter: one of {@link TYPES}, or a type of groups. */
export function ownerOf(filter: PropertyFilter): string {
  const { type = 'event', group_type_index: index = 0 } = filter;
  return type === 'group' ? groupOwner(index) : type;
}

/** Returns a filter on a property of another owner. */
export function withOwner(
  { group_type_index: _, ...own }: PropertyFilter,
  owner: string,
): PropertyFilter {
  if (owner === COHORT) {
    return { type: COHORT, key: 'id', operator: 'in', value: '' };
  }
  const filter =
    own.type === COHORT ? { key: '', operator: 'exact', value: '' } : own;
  const index = /^group_(\d)$/.exec(owner)?.[1];
  return index === undefined
    ? { ...filter, type: owner }
    : { ...filter, type: 'group', group_type_index: Number(index) };
}

/** Parses filters from the text of {@link textOf}; returns none for any other text. */
export function filtersOf(text: string): PropertyFilter[] {
  try {
    const value: unknown = JSON.parse(text || '[]');
    return Array.isArray(value) ? value.filter(isFilter) : [];
  } catch {
    return [];
  }
}

/** Formats filters as a text for the URL; empty if there are none. */
export function textOf(filters: readonly PropertyFilter[]): string {
  return filters.length === 0 ? '' : JSON.stringify(filters);
}

function isFilter(value: unknown): value is PropertyFilter {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as PropertyFilter).key === 'string'
  );
}

/** Checks whether a filter compares with a value. */
export function takesValue({ operator }: PropertyFilter): boolean {
  return operator !== 'is_set' && operator !== 'is_not_set';
}

/** Checks whether a filter has a property, and a value if its operator needs one. */
export function isComplete(filter: PropertyFilter): boolean {
  const { key, value } = filter;
  const hasValue = [value ?? ''].flat().join('').trim() !== '';
  return key.trim() !== '' && (!takesValue(filter) || hasValue);
}

/** Returns a filter without white space around its texts, and without an unused value. */
export function trimmed(filter: PropertyFilter): PropertyFilter {
  const { key, value, ...rest } = filter;
  return {
    ...rest,
    key: key.trim(),
    ...(takesValue(filter) && {
      value: typeof value === 'string' ? value.trim() : value,
    }),
  };
}

export function isOneOf<T extends string>(
  all: readonly T[],
  text: string,
): text is T {
  return (all as readonly string[]).includes(text);
}

/** Returns the choices, adding the current one if a program set a different one. */
export function withOwn(
  all: readonly string[],
  own: string,
): readonly string[] {
  return all.includes(own) ? all : [...all, own];
}

/** Formats a value as a string literal in HogQL. */
export function textLiteral(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}
