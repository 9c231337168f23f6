import { fault } from '../faults.ts';
import {
  type Aggregate,
  call,
  type Expression,
  field,
  type PlanRows,
  type Select,
  valueOf,
} from '../language/Expression.ts';
import type { InsightContext } from '../QueryContext.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import {
  OTHER_OF_FUNNELS as OTHER,
  shownValue,
  shownValues,
} from './breakdowns.ts';
import { assertInsight } from './buckets.ts';
import {
  type Funnel,
  joinOthers,
  list,
  people,
  reached,
  reachedRow,
  readFunnel,
  secondsBetween,
  selectSteps,
  topOfPeople,
} from './funnelPlan.ts';
import {
  presentBins,
  presentFunnelTrends,
  presentSteps,
} from './funnelResults.ts';
import { readBreakdown, valueInFunnel } from './readBreakdown.ts';

/** Answers a FunnelsQuery: how many people complete each step, and how long it takes them. */
export async function answerFunnels(
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
  assertInsight(query, { breaksDown: true });
  const { funnelsFilter = {} } = query;
  const breakdown = readBreakdown(query, context, { emptyIsNone: true });
  const funnel = await readFunnel(query, context, breakdown?.by);
  const shape = funnelsFilter.funnelVizType ?? 'steps';
  if (shape === 'time_to_convert') {
    if (breakdown) {
      throw fault('query.breakdownFilter', `cannot be used with ${shape}`);
    }
    return timeToConvert(funnel, query, context);
  }
  const isOverTime = shape === 'trends';
  const select = (persons: Select, shown?: Expression) =>
    isOverTime
      ? selectRates(persons, { funnel, query, shown })
      : selectSteps(persons, funnel.fold.steps, shown);
  const present = (
    rows: PlanRows['rows'],
    value?: string | string[],
  ): object[] =>
    isOverTime
      ? presentFunnelTrends(funnel.buckets, rows, value)
      : [presentSteps(query, rows[0] ?? [], value)];
  if (!breakdown) {
    const { rows } = await context.ask(select(people(funnel)));
    return { results: present(rows).flat() };
  }
  const { hidesOther } = breakdown;
  const value = field(1, 'text');
  const { by } = breakdown;
  const top = await topOfPeople(people(funnel, by), breakdown, context);
  const shown = shownValue(value, top, OTHER);
  const persons = people(joinOthers(funnel, breakdown, top), by);
  const { rows } = await context.ask(select(persons, shown));
  return {
    results: shownValues(top, { other: OTHER, hidesOther }).flatMap(each =>
      present(
        rows.filter(row => row.at(-1) === each),
        valueInFunnel(each, breakdown),
      ),
    ),
    hasMore: top.hasMore,
  };
}

function endsOf({ funnelsFilter = {}, series = [] }: Query): {
  from: number;
  to: number;
} {
  const { funnelFromStep: from = 0, funnelToStep: to = series.length - 1 } =
    funnelsFilter;
  if (from >= to || to >= series.length) {
    throw fault(
      'query.funnelsFilter.funnelToStep',
      'must be a step after funnelFromStep',
      'maximum',
    );
  }
  return { from, to };
}

async function timeToConvert(
  funnel: Funnel,
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
  const { from, to } = endsOf(query);
  const seconds = secondsBetween(from, to);
  const aggregate = (name: 'count' | 'avg' | 'min' | 'max'): Aggregate => ({
    kind: 'aggregate',
    function: name,
    args: name === 'count' ? [] : [seconds],
    of: 'number',
  });
  const select = (columns: Expression[], groupBy: Expression[]): Select => ({
    kind: 'select',
    from: people(funnel),
    columns,
    where: [reachedRow(to + 1)],
    groupBy,
  });
  const { rows } = await context.ask(
    select(
      ['count', 'avg', 'min', 'max'].map(each => aggregate(each as 'avg')),
      [],
    ),
  );
  const [count, average, least, most] = (rows[0] ?? []).map(Number);
  const { binCount } = query.funnelsFilter ?? {};
  return presentBins({ count, average, least, most, binCount }, async width => {
    const bin = call(
      'floor',
      [
        call(
          'divide',
          [call('minus', [seconds, valueOf(least)], 'number'), valueOf(width)],
          'number',
        ),
      ],
      'number',
    );
    return (await context.ask(select([bin, aggregate('count')], [bin]))).rows;
  });
}

/** Selects how many people began in each bucket, and how many of them converted. */
function selectRates(
  persons: Select,
  options: { funnel: Funnel; query: Query; shown?: Expression },
): Select {
  const { funnel, query, shown } = options;
  const { from, to } = endsOf(query);
  const start = call('item', [list, valueOf(0)], 'number');
  const bucket = call(
    'bucket',
    [start, ...funnel.buckets.starts.map(each => valueOf(each, 'time'))],
    'number',
  );
  const keys = [bucket, ...(shown ? [shown] : [])];
  return {
    kind: 'select',
    from: persons,
    columns: [bucket, reached(from + 1), reached(to + 1), ...keys.slice(1)],
    where: [reachedRow(1)],
    groupBy: keys,
  };
}
