import type { ActorsSource } from '../../schemas.ts';

export type Insight = ActorsSource['source'];

/** A number of a result, and the source that selects it. */
export type Numbered = { source: ActorsSource; count: number };

/** Returns all numbers of the result of an insight. */
export function numbersOf(
  query: Insight,
  results: readonly unknown[],
): Numbered[] {
  switch (query.kind) {
    case 'FunnelsQuery':
      return numbersOfFunnel(query, results);
    case 'RetentionQuery':
      return numbersOfRetention(query, results as any[]);
    case 'PathsQuery':
      return (results as any[]).map(({ source, target, value }) => ({
        source: {
          kind: 'InsightActorsQuery',
          source: {
            ...query,
            pathsFilter: {
              ...query.pathsFilter,
              pathStartKey: source,
              pathEndKey: target,
            },
          },
        },
        count: value,
      }));
    default:
      return (results as any[]).flatMap(line => {
        const numbers: number[] = line.days.length
          ? line.data
          : [line.aggregated_value];
        return numbers.map((count, index): Numbered => ({
          source: {
            kind: 'InsightActorsQuery',
            source: query,
            series: line.action.order,
            // When clocks are set back, two hours have the same name and only their index differs.
            ...(line.days.length > 0 && {
              day:
                line.days.indexOf(line.days[index]) === index
                  ? line.days[index]
                  : index,
            }),
            compare: line.compare_label,
            breakdown: line.breakdown_value,
            status: line.status,
          },
          // Dormant people are negative numbers.
          count: Math.abs(count),
        }));
      });
  }
}

function numbersOfFunnel(
  query: Insight,
  results: readonly unknown[],
): Numbered[] {
  const groups = (Array.isArray(results[0]) ? results : [results]) as any[][];
  return groups.flatMap(steps =>
    steps.flatMap(({ count, breakdown_value: value }, index) => {
      const of = (funnelStep: number, number: number): Numbered => ({
        source: {
          kind: 'FunnelsActorsQuery',
          source: query,
          funnelStepBreakdown: value,
          funnelStep,
        },
        count: number,
      });
      return [
        of(index + 1, count),
        ...(index > 0 ? [of(-index - 1, steps[index - 1].count - count)] : []),
      ];
    }),
  );
}

function numbersOfRetention(query: Insight, rows: readonly any[]): Numbered[] {
  const starts = [...new Set(rows.map(({ date }) => date))];
  return rows.flatMap(({ date, values, breakdown_value: value }) =>
    values.map(({ count }: { count: number }, later: number) => ({
      source: {
        kind: 'InsightActorsQuery',
        source: query,
        breakdown: value,
        interval: starts.indexOf(date),
        returnInterval: later,
      },
      count,
    })),
  );
}

/** Checks whether a number counts events or moves, which are summed over the people behind it. */
export function countsEvents({ source, series = 0 }: ActorsSource): boolean {
  return (
    source.kind === 'PathsQuery' ||
    (source.kind === 'TrendsQuery' && !source.series?.[series]?.math)
  );
}

/**
 * Returns a few numbers whose statements together cover every form, preferring numbers with
 * the most people.
 */
export function eachForm(numbers: readonly Numbered[]): Numbered[] {
  const left = new Set(numbers.flatMap(formsOf));
  return [...numbers]
    .sort((a, b) => b.count - a.count)
    .filter(number => {
      const isNew = formsOf(number).some(form => left.has(form));
      formsOf(number).forEach(form => left.delete(form));
      return isNew && number.count > 0;
    });
}

function formsOf({ source }: Numbered): string[] {
  const { series, funnelStep = 0, breakdown, funnelStepBreakdown } = source;
  const [value] = [breakdown ?? funnelStepBreakdown].flat();
  const isOwn = value && !/other|null/i.test(String(value));
  return [
    `series ${series}`,
    `step ${Math.sign(funnelStep)}`,
    `value ${isOwn ? 'of its own' : value}`,
    `status ${source.status}`,
    `place ${source.source.pathsFilter?.pathStartKey?.charAt(0)}`,
  ];
}
