import type { DeliveryLake } from '../delivery/DeliveryLake.ts';
import type { Measure } from '../ledger/Contribution.ts';
import {
  readPeriods,
  type Dimension,
  type DimensionQuery,
  type DimensionReadings,
  type Field,
  type Reading,
} from './Dimension.ts';
import type { FirstCommitTimes } from './FirstCommitTimes.ts';
import { ratio, rounded } from './numbers.ts';
import { readDeliveries } from './readDeliveries.ts';
import type { ReleasedReader } from './ReleasedReader.ts';

const MEASURES: readonly Measure[] = ['load.count', 'load.index_thousandths'];

/** How freely work flows: to the first commit, to production, and how heavy it feels. */
export class EfficiencyDimension implements Dimension {
  readonly name = 'efficiency';
  readonly fields: readonly Field[] = [
    {
      name: 'time_to_first_commit_hours',
      sample: 'joiners',
      better: 'lower',
      deadBand: { share: 0.1 },
    },
    {
      name: 'time_to_production_hours',
      sample: 'changes',
      better: 'lower',
      deadBand: { share: 0.1 },
    },
    {
      name: 'cognitive_load_index',
      sample: 'assessments',
      better: 'lower',
      deadBand: { absolute: 3 },
    },
  ];
  readonly #reader: ReleasedReader;
  readonly #firstCommits: FirstCommitTimes;
  readonly #lake: DeliveryLake;

  constructor(options: {
    reader: ReleasedReader;
    firstCommits: FirstCommitTimes;
    lake: DeliveryLake;
  }) {
    this.#reader = options.reader;
    this.#firstCommits = options.firstCommits;
    this.#lake = options.lake;
  }

  read(query: DimensionQuery): Promise<DimensionReadings> {
    const { team } = query;
    return readPeriods(query, async periods => {
      const [loads, people, joining, deliveries] = await Promise.all([
        this.#reader.read('load', { team, periods, measures: MEASURES }),
        this.#reader.people('load', { team, periods }),
        this.#firstCommits.read(team, periods),
        readDeliveries(this.#lake, query),
      ]);
      return periods.map((_, index): Reading => {
        const { all, shown, suppressed } = loads[index];
        const { hours, joiners } = joining[index];
        const { value: delivery, stale } = deliveries[index];
        return {
          values: {
            time_to_first_commit_hours: hours === null ? null : rounded(hours),
            time_to_production_hours: rounded(delivery?.leadTimeHours ?? 0),
            cognitive_load_index: shown
              ? ratio(
                  (shown['load.index_thousandths'] ?? 0) / 1_000,
                  shown['load.count'] ?? 0,
                )
              : null,
          },
          samples: {
            assessments: all['load.count'] ?? 0,
            people: people[index],
            joiners,
            changes: delivery?.changes ?? 0,
          },
          suppressed: suppressed || joining[index].suppressed,
          ...(stale && { stale }),
        };
      });
    });
  }
}
