import type { DeliveryLake } from '../delivery/DeliveryLake.ts';
import type { Measure } from '../records/Contribution.ts';
import {
  type Dimension,
  type Field,
  type Reading,
  ratio,
  rounded,
} from './Dimension.ts';
import type { Numbers } from './Numbers.ts';

const MEASURES: readonly Measure[] = ['load.count', 'load.index_thousandths'];

const FIELDS: readonly Field[] = [
  {
    name: 'time_to_first_commit_hours',
    sample: 'joiners',
    better: 'lower',
    scale: 'ratio',
  },
  {
    name: 'time_to_production_hours',
    sample: 'changes',
    better: 'lower',
    scale: 'ratio',
  },
  {
    name: 'cognitive_load_index',
    sample: 'assessments',
    better: 'lower',
    scale: 'load',
  },
];

/**
 * Describes how efficiently work flows: time to the first commit, time to production, and perceived
 * task load.
 */
export function efficiencyDimension(options: {
  numbers: Numbers;
  lake: DeliveryLake;
}): Dimension {
  const { numbers, lake } = options;
  return {
    name: 'efficiency',
    fields: FIELDS,
    async read(query, periods) {
      const { team } = query;
      const [loads, joining, deliveries] = await Promise.all([
        numbers.read('load', {
          team,
          periods,
          measures: MEASURES,
          crowd: 'people',
        }),
        numbers.joining(team, periods),
        lake.read(query),
      ]);
      return periods.map((_, index): Reading => {
        const { totals, people } = loads[index];
        const { hours, joiners } = joining[index];
        const { value: delivery, stale } = deliveries[index];
        const assessments = totals?.['load.count'] ?? 0;
        return {
          values: {
            time_to_first_commit_hours: hours === null ? null : rounded(hours),
            time_to_production_hours: rounded(delivery?.leadTimeHours ?? 0),
            cognitive_load_index: totals
              ? ratio(
                  (totals['load.index_thousandths'] ?? 0) / 1_000,
                  assessments,
                )
              : null,
          },
          samples: {
            assessments,
            people,
            joiners,
            changes: delivery?.changes ?? 0,
          },
          suppressed: !totals || hours === null,
          ...(stale && { stale }),
        };
      });
    },
  };
}
