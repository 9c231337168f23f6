import type { Measure } from '../ledger/Contribution.ts';
import {
  readPeriods,
  type Dimension,
  type DimensionQuery,
  type DimensionReadings,
  type Field,
  type Reading,
} from './Dimension.ts';
import { ratio } from './numbers.ts';
import type { Released, ReleasedReader } from './ReleasedReader.ts';

const MEASURES: readonly Measure[] = [
  'survey.count',
  'survey.satisfaction',
  'survey.promoters',
  'survey.passives',
  'survey.detractors',
];

/** What people say in pulse surveys. */
export class SatisfactionDimension implements Dimension {
  readonly name = 'satisfaction';
  readonly fields: readonly Field[] = [
    {
      name: 'enps_score',
      sample: 'responses',
      better: 'higher',
      deadBand: { absolute: 5 },
    },
    {
      name: 'avg_rating',
      sample: 'responses',
      better: 'higher',
      deadBand: { absolute: 0.1 },
    },
  ];
  readonly #reader: ReleasedReader;

  constructor(reader: ReleasedReader) {
    this.#reader = reader;
  }

  read(query: DimensionQuery): Promise<DimensionReadings> {
    return readPeriods(query, async periods => {
      const { team } = query;
      const [released, people] = await Promise.all([
        this.#reader.read('survey', { team, periods, measures: MEASURES }),
        this.#reader.people('survey', { team, periods }),
      ]);
      return released.map((each, index) => describe(each, people[index]));
    });
  }
}

function describe(
  { all, shown, suppressed }: Released,
  people: number,
): Reading {
  const responses = all['survey.count'] ?? 0;
  const samples = { responses, people };
  if (!shown) {
    return {
      values: { enps_score: null, avg_rating: null, response_count: responses },
      samples,
      suppressed,
      breakdown: { promoters: null, passives: null, detractors: null },
    };
  }
  const count = shown['survey.count'] ?? 0;
  const promoters = shown['survey.promoters'] ?? 0;
  const passives = shown['survey.passives'] ?? 0;
  const detractors = shown['survey.detractors'] ?? 0;
  return {
    values: {
      enps_score: ratio((promoters - detractors) * 100, count, 1),
      avg_rating: ratio(shown['survey.satisfaction'] ?? 0, count),
      response_count: responses,
    },
    samples,
    suppressed,
    breakdown: { promoters, passives, detractors },
  };
}
