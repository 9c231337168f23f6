import type { Strategy, Variant } from '../api/flags';
import { strategyText } from './strategies';
import { variantDetails } from './variants';

/** Shown for an empty value. */
const NOTHING = '–';

/** A changed field, with its values as texts. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** The settings of a flag by field, as the service sends them. */
type Fields = Readonly<Record<string, unknown>>;

/** Lists the fields that differ, each with a visible difference; empty if either side is missing. */
export function describeChange(
  from: Fields | null,
  to: Fields | null,
  segmentNames: ReadonlyMap<number, string>,
): FieldChange[] {
  if (!from || !to) {
    return [];
  }
  const fields = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...fields].flatMap(field => {
    const values = [from[field], to[field]];
    const [before, after] = values.map(value => textOf(value, segmentNames));
    if (before !== after) {
      return { field, before, after };
    }
    const [wholeBefore, wholeAfter] = values.map(wholeText);
    return before === NOTHING || wholeBefore === wholeAfter
      ? []
      : { field, before: wholeBefore, after: wholeAfter };
  });
}

/** Formats a value completely, with its fields in a fixed order. */
function wholeText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part,
  );
}

/** Formats a value briefly: without the group of a rollout, for example. */
function textOf(
  value: unknown,
  segmentNames: ReadonlyMap<number, string>,
): string {
  if (value === undefined || value === null || value === '') {
    return NOTHING;
  }
  if (Array.isArray(value)) {
    return value.length === 0
      ? NOTHING
      : value.map(each => elementText(each, segmentNames)).join('; ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Describes a strategy, variant, parent flag, tag or link. */
function elementText(
  element: unknown,
  segmentNames: ReadonlyMap<number, string>,
): string {
  const fields = (element ?? {}) as Readonly<Record<string, unknown>>;
  const { name, feature, type, value, url, title } = fields;
  if (typeof name === 'string' && typeof fields.parameters === 'object') {
    return strategyText(element as Strategy, segmentNames);
  }
  if (typeof name === 'string' && typeof fields.weight === 'number') {
    return variantDetails(element as Variant);
  }
  if (typeof feature === 'string') {
    const variants = Array.isArray(fields.variants) ? fields.variants : [];
    const state = fields.enabled === false ? 'off' : 'on';
    return [feature, variants.length > 0 ? variants.join(', ') : state].join(
      ' ',
    );
  }
  if (typeof type === 'string' && typeof value === 'string') {
    return `${type}:${value}`;
  }
  return typeof url === 'string'
    ? [title, url].filter(Boolean).join(' ')
    : JSON.stringify(element);
}
