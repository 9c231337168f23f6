import { type Formula, readFormula } from './formula.ts';
import { bucketLabel, type Buckets, dayOf } from './buckets.ts';
import { type Breakdown, breakdownLabel, partsOf } from './readBreakdown.ts';
import { nameOf } from './series.ts';
import type { Series } from '../insightSchemas.ts';
import type { Query } from '../schemas.ts';

/** The numbers of a series in a period, for one value of the breakdown. */
export interface Line {
  readonly series: Series;
  readonly order: number;
  readonly value?: string;
  /** One number per bucket, or a single one for the whole period. */
  readonly numbers: readonly number[];
  readonly buckets: Buckets;
  /** The current or the previous period. */
  readonly label: string;
}

interface Options {
  readonly query: Query;
  readonly breakdown: Breakdown | undefined;
  readonly isTotal: boolean;
  /** True if each number includes the numbers before it. */
  readonly isCumulative: boolean;
  readonly isCompared: boolean;
}

/** Formats lines as PostHog does, or the results of formulas over them. */
export function presentTrends(
  lines: readonly Line[],
  options: Options,
): object[] {
  const { query, breakdown } = options;
  const formulas = formulasOf(query);
  if (formulas.length === 0) {
    return lines.map(line => ({
      ...presentLine(line, labelOfLine(line, options), options),
      action: actionOf(line),
    }));
  }
  const series = query.series!.length;
  return formulas.flatMap(({ formula, name }, order) =>
    groupsOf(lines).map(group => {
      const line: Line = {
        ...group[0],
        numbers: workOut(formula, group, series),
      };
      const { value } = line;
      const label =
        value === undefined || !breakdown
          ? name
          : breakdownLabel(value, breakdown);
      return {
        ...presentLine(line, label, options),
        action: null,
        order,
      };
    }),
  );
}

function formulasOf({
  trendsFilter = {},
  series = [],
}: Query): { formula: Formula; name: string }[] {
  const { formulaNodes, formulas, formula } = trendsFilter;
  const path = 'query.trendsFilter';
  const nodes =
    formulaNodes?.map((node, index) => ({
      ...node,
      field: `${path}.formulaNodes.${index}.formula`,
    })) ??
    formulas?.map((each, index) => ({
      formula: each,
      custom_name: undefined,
      field: `${path}.formulas.${index}`,
    })) ??
    (formula
      ? [{ formula, custom_name: undefined, field: `${path}.formula` }]
      : []);
  return nodes.map(({ formula: source, custom_name: name, field }) => ({
    formula: readFormula(source, { field, series: series.length }),
    name: name || `Formula (${source})`,
  }));
}

/** Groups the lines of different series by period and breakdown value. */
function groupsOf(lines: readonly Line[]): Line[][] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.label, line.value]);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()];
}

function workOut(
  formula: Formula,
  group: readonly Line[],
  series: number,
): number[] {
  // A series without this breakdown value counts as 0.
  const numbers = Array.from(
    { length: series },
    (_, order) => group.find(line => line.order === order)?.numbers,
  );
  return group[0].numbers.map((_, index) =>
    formula(numbers.map(each => each?.[index] ?? 0)),
  );
}

function presentLine(
  { numbers, buckets, label: period, value }: Line,
  label: string,
  { query, breakdown, isTotal, isCumulative, isCompared }: Options,
): object {
  const data = isTotal ? [] : smooth(numbers, query);
  return {
    label,
    count: isCumulative
      ? (data.at(-1) ?? 0)
      : data.reduce((sum, number) => sum + number, 0),
    ...(isTotal && { aggregated_value: numbers[0] }),
    data,
    days: isTotal ? [] : buckets.starts.map(start => dayOf(start, buckets)),
    labels: isTotal
      ? []
      : buckets.starts.map(start => bucketLabel(start, buckets)),
    ...(value !== undefined &&
      breakdown && {
        // As in PostHog, a breakdown by a list of properties has a list of values.
        breakdown_value: breakdown.isList ? partsOf(value, breakdown) : value,
      }),
    ...(isCompared && { compare: true, compare_label: period }),
  };
}

/** Returns the moving average of the numbers; the window is shorter at the start. */
function smooth(
  numbers: readonly number[],
  { trendsFilter = {} }: Query,
): readonly number[] {
  const { smoothingIntervals: width = 1 } = trendsFilter;
  if (width === 1) {
    return numbers;
  }
  return numbers.map((_, index) => {
    const window = numbers.slice(Math.max(0, index - width + 1), index + 1);
    return window.reduce((sum, number) => sum + number, 0) / window.length;
  });
}

function labelOfLine(
  { series, value }: Line,
  { query, breakdown }: Options,
): string {
  const name = nameOf(series);
  if (value === undefined || !breakdown) {
    return name;
  }
  const label = breakdownLabel(value, breakdown);
  return query.series!.length === 1 ? label : `${name} - ${label}`;
}

function actionOf({ series, order }: Line): object {
  return {
    id: series.event || null,
    type: 'events',
    order,
    name: nameOf(series),
    custom_name: series.custom_name ?? null,
    math: series.math ?? 'total',
    math_property: series.math_property ?? null,
  };
}
