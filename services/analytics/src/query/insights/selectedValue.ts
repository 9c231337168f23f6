import { fault } from '../faults.ts';
import { call, equals, type Expression } from '../language/Expression.ts';
import { type BreakdownValues, isOther, shownValue } from './breakdowns.ts';
import { type Breakdown, joinParts } from './readBreakdown.ts';

/** The value of a breakdown whose people are selected. */
interface SelectedValue {
  /** The condition that a value is the selected one; empty if no value is selected. */
  readonly where: readonly Expression[];
  /** If all other values together are selected: the values that are shown separately. */
  readonly others?: BreakdownValues;
}

/**
 * Parses which value of a breakdown is selected.
 * @param options.path - the field of the request, for errors.
 * @param options.none - the value in results for events without a value.
 * @param options.other - the value in results for all values that are not shown separately.
 * @param options.top - chooses the values that are shown separately.
 * @param options.isJoined - true if `value` already replaces all other values by one.
 */
export async function readValue(
  value: Expression | undefined,
  selected: string | number | string[] | undefined,
  options: {
    breakdown: Breakdown | undefined;
    path: string;
    none: string;
    other?: string;
    top: (of: Breakdown) => Promise<BreakdownValues>;
    isJoined?: boolean;
  },
): Promise<SelectedValue> {
  const { breakdown, path, none, other, top, isJoined } = options;
  if (selected === undefined) {
    return { where: [] };
  }
  if (!breakdown || !value) {
    throw fault(path, 'needs a query with a breakdown');
  }
  const parts = [selected].flat().map(String);
  if (parts.length !== breakdown.properties) {
    throw fault(path, 'must have one value for each property', 'type');
  }
  // With several properties, only funnels have events without a value.
  const isNone =
    parts.every(part => part === none) && (parts.length === 1 || none === '');
  if (isNone) {
    return { where: [call('isNull', [value], 'boolean')] };
  }
  if (!parts.every(isOther)) {
    return { where: [equals(value, joinParts(parts))] };
  }
  const others = await top(breakdown);
  const shown = isJoined ? value : shownValue(value, others, other);
  return { where: [equals(shown, parts[0])], others };
}
