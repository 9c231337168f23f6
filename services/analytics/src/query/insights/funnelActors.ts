import { fault } from '../faults.ts';
import { field, not } from '../language/Expression.ts';
import type { InsightContext } from '../QueryContext.ts';
import { OTHER_OF_FUNNELS } from './breakdowns.ts';
import { assertInsight } from './buckets.ts';
import {
  joinOthers,
  people,
  reachedRow,
  readFunnel,
  topOfPeople,
} from './funnelPlan.ts';
import { readBreakdown } from './readBreakdown.ts';
import type { SelectActors, SelectedNumber } from './selectedNumber.ts';
import { readValue } from './selectedValue.ts';
import { assertOfPeople } from './subject.ts';

/** Reads the people who reached a step of a FunnelsQuery, or who dropped off just before it. */
export async function readFunnelActors(
  { query, source }: SelectedNumber,
  context: InsightContext,
): Promise<SelectActors> {
  const { funnelStep: step = 0 } = source;
  assertInsight(query, { breaksDown: true });
  assertOfPeople(query, 'a funnel of people');
  if (query.funnelsFilter?.funnelAggregateByHogQL) {
    throw fault(
      'query.funnelsFilter.funnelAggregateByHogQL',
      'is not supported: use a funnel of people',
    );
  }
  const breakdown = readBreakdown(query, context, { emptyIsNone: true });
  const funnel = await readFunnel(query, context, breakdown?.by);
  const { steps } = funnel.fold;
  if (step === 0 || step === -1 || Math.abs(step) > steps) {
    throw fault(
      'query.source.funnelStep',
      `must be 1 to ${steps} for those who reached a step, or -2 to -${steps} for those who only reached the one before`,
      'enum',
    );
  }
  const reached =
    step > 0
      ? [reachedRow(step)]
      : [reachedRow(-step - 1), not(reachedRow(-step))];
  const selected = await readValue(
    field(1, 'text'),
    source.funnelStepBreakdown,
    {
      breakdown,
      path: 'query.source.funnelStepBreakdown',
      none: '',
      other: OTHER_OF_FUNNELS,
      top: of => topOfPeople(people(funnel, of.by), of, context),
    },
  );
  const { others } = selected;
  const followed =
    others && breakdown ? joinOthers(funnel, breakdown, others) : funnel;
  const { events } = followed;
  const person = field(breakdown ? 2 : 1, 'text');
  return conditions => ({
    kind: 'select',
    from: people(
      {
        ...followed,
        events: { ...events, where: [...events.where, ...conditions] },
      },
      breakdown?.by,
      { named: true },
    ),
    columns: [person],
    where: [...reached, ...selected.where],
    groupBy: [person],
  });
}
