import type { Measure } from '../records/Contribution.ts';
import {
  type Dimension,
  type Field,
  type Reading,
  ratio,
} from './Dimension.ts';
import type { Numbers, Sums } from './Numbers.ts';

const MEASURES: readonly Measure[] = [
  'survey.count',
  'survey.satisfaction',
  'survey.productivity',
  'survey.promoters',
  'survey.passives',
  'survey.detractors',
];

const FIELDS: readonly Field[] = [
  {
    name: 'enps_score',
    sample: 'responses',
    better: 'higher',
    scale: 'score',
  },
  {
    name: 'avg_rating',
    sample: 'responses',
    better: 'higher',
    scale: 'rating',
  },
];

/** Describes satisfaction as reported in pulse surveys. */
export function satisfactionDimension(numbers: Numbers): Dimension {
  return {
    name: 'satisfaction',
    fields: FIELDS,
    async read({ team }, periods) {
      const sums = await numbers.read('survey', {
        team,
        periods,
        measures: MEASURES,
        crowd: 'people',
      });
      return sums.map(describe);
    },
  };
}

function describe({ totals, people }: Sums): Reading {
  if (!totals) {
    return {
      values: {
        enps_score: null,
        avg_rating: null,
        avg_productivity: null,
        response_count: 0,
      },
      samples: { responses: 0, people: 0 },
      suppressed: true,
      breakdown: { promoters: null, passives: null, detractors: null },
    };
  }
  const count = totals['survey.count'] ?? 0;
  const promoters = totals['survey.promoters'] ?? 0;
  const passives = totals['survey.passives'] ?? 0;
  const detractors = totals['survey.detractors'] ?? 0;
  return {
    values: {
      enps_score: ratio((promoters - detractors) * 100, count, 1),
      avg_rating: ratio(totals['survey.satisfaction'] ?? 0, count),
      avg_productivity: ratio(totals['survey.productivity'] ?? 0, count),
      response_count: count,
    },
    samples: { responses: count, people },
    suppressed: false,
    breakdown: { promoters, passives, detractors },
  };
}
