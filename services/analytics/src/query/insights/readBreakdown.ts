import {
  call,
  equals,
  type Expression,
  GROUP_OWNERS,
  valueOf,
} from '../language/Expression.ts';
import { assertEmpty, fault, INSTEAD } from '../faults.ts';
import { MOST_BREAKDOWNS } from '../insightSchemas.ts';
import type { InsightContext } from '../QueryContext.ts';
import type { Query } from '../schemas.ts';
import { isOther, NONE } from './breakdowns.ts';
import { parseExpressionIn, textOf } from './series.ts';

/** The property that events are broken down by, or the combinations of several. */
export interface Breakdown {
  /** The value of an event; the values of several properties are joined by {@link JOINT}. */
  readonly by: Expression;
  /** The number of values that are shown separately. */
  readonly limit: number;
  /** True to omit the values that are not shown separately. */
  readonly hidesOther: boolean;
  /** The number of properties. */
  readonly properties: number;
  /** True if the query lists its properties, for which PostHog returns lists of values. */
  readonly isList: boolean;
  /** True for properties of groups. */
  readonly isOfGroups: boolean;
}

/** A character that no property is expected to contain. */
const JOINT = '\u001F';

/**
 * Parses the breakdown of a query; undefined if it has none.
 * @param options.emptyIsNone - true if an empty property counts as absent, as in PostHog's
 *   funnels: the value is null if all properties are empty. Otherwise, the value is null if
 *   the only property is absent; among several properties, absent ones are {@link NONE}.
 */
export function readBreakdown(
  { breakdownFilter = {} }: Query,
  context: InsightContext,
  { emptyIsNone = false } = {},
): Breakdown | undefined {
  const {
    breakdown = [],
    breakdown_type: type,
    breakdown_limit: limit = 25,
    breakdown_group_type_index: group,
    breakdown_hide_other_aggregation: hidesOther = false,
    breakdowns = [],
  } = breakdownFilter;
  const path = 'query.breakdownFilter';
  assertEmpty(breakdownFilter, ['breakdown_histogram_bin_count'], {
    path,
    instead: INSTEAD,
  });
  const isList = breakdowns.length > 0 || typeof breakdown !== 'string';
  const asked = breakdowns.length
    ? breakdowns.map((each, index) => {
        const field = `${path}.breakdowns.${index}`;
        assertEmpty(each, ['histogram_bin_count'], {
          path: field,
          instead: INSTEAD,
        });
        return { ...each, field: `${field}.property` };
      })
    : namesIn(breakdown, `${path}.breakdown`).map(property => ({
        property,
        type,
        group_type_index: group,
        normalize_url: breakdownFilter.breakdown_normalize_url,
        field: `${path}.breakdown`,
      }));
  const parts = asked
    .filter(({ property }) => property !== '')
    .map(each => partOf(each, context));
  if (parts.length === 0) {
    return undefined;
  }
  context.assertShown(parts);
  return {
    by: emptyIsNone ? joinNonEmpty(parts) : joinAll(parts),
    limit,
    hidesOther,
    properties: parts.length,
    isList,
    isOfGroups: asked.every(each => each.type === 'group'),
  };
}

/**
 * Returns the properties of a breakdown.
 * @throws InvalidRequestError for numbers and for more values than {@link MOST_BREAKDOWNS}:
 *   the schema accepts them for cohorts.
 */
function namesIn(
  breakdown: string | number | readonly (string | number)[],
  field: string,
): string[] {
  const names = [breakdown].flat();
  if (names.length > MOST_BREAKDOWNS) {
    throw fault(
      field,
      `has more than ${MOST_BREAKDOWNS} properties`,
      'maxItems',
    );
  }
  return names.map(name => {
    if (typeof name === 'number') {
      throw fault(field, 'must be a property, not a number', 'type');
    }
    return name;
  });
}

/** Splits a value of the breakdown into the values of its properties. */
export function partsOf(
  value: string,
  { properties }: Pick<Breakdown, 'properties'>,
): string[] {
  if (properties === 1) {
    return [value];
  }
  return isOther(value)
    ? new Array<string>(properties).fill(value)
    : value.split(JOINT);
}

/** Joins the values of all properties into a value of the breakdown: the inverse of {@link partsOf}. */
export function joinParts(parts: readonly string[]): string {
  return parts.join(JOINT);
}

/**
 * Returns a value of a funnel's breakdown in PostHog's shape: a list, with an empty text
 * for each absent value; for a property of groups, a single text.
 */
export function valueInFunnel(
  value: string,
  breakdown: Breakdown,
): string | string[] {
  const { properties, isList, isOfGroups } = breakdown;
  const parts =
    value === NONE
      ? new Array<string>(properties).fill('')
      : partsOf(value, breakdown);
  return isOfGroups && !isList ? parts[0] : parts;
}

/** Returns a value of the breakdown as PostHog writes it in labels: `Chrome::95`. */
export function breakdownLabel(
  value: string,
  breakdown: Pick<Breakdown, 'properties'>,
): string {
  return partsOf(value, breakdown).join('::');
}

function joinAll(parts: readonly Expression[]): Expression {
  return parts.length === 1 ? parts[0] : join(parts, NONE);
}

function joinNonEmpty(parts: readonly Expression[]): Expression {
  const empty = JOINT.repeat(parts.length - 1);
  return call('nullIf', [join(parts, ''), valueOf(empty)], 'text');
}

function join(parts: readonly Expression[], none: string): Expression {
  return parts
    .map(part => call('coalesce', [part, valueOf(none)], 'text'))
    .reduce((joined, part) =>
      call('concat', [joined, valueOf(JOINT), part], 'text'),
    );
}

interface Asked {
  readonly property: string;
  readonly type?: string;
  readonly group_type_index?: number;
  readonly normalize_url?: boolean;
  /** The field of the request, for errors. */
  readonly field: string;
}

function partOf(asked: Asked, context: InsightContext): Expression {
  const { property, type = 'event', normalize_url: isAddress, field } = asked;
  const { group_type_index: group = 0 } = asked;
  const value: Expression =
    type === 'hogql'
      ? textOf(parseExpressionIn(property, field, context), field)
      : {
          kind: 'property',
          path: [property],
          as: 'text',
          ...(type === 'person' && { owner: 'person' as const }),
          ...(type === 'group' && { owner: GROUP_OWNERS[group] }),
        };
  return isAddress ? withoutEnding(value) : value;
}

/** Removes trailing slashes, `?` and `#` from an address; an address of nothing else becomes `/`. */
function withoutEnding(address: Expression): Expression {
  const cut = call(
    'replaceRegexpOne',
    [address, valueOf('[/?#]*$'), valueOf('')],
    'text',
  );
  return call('if', [equals(cut, ''), valueOf('/'), cut], 'text');
}
