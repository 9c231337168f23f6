import type { Attributed } from '../people/Attribution.ts';
import type { Contribution } from '../records/Contribution.ts';

/** The six scales of the NASA task load index (Hart and Staveland, 1988). */
export const SCALES = [
  'mental_demand',
  'physical_demand',
  'temporal_demand',
  'performance',
  'effort',
  'frustration',
] as const;
export type Scale = (typeof SCALES)[number];

/** 0 to 100 each; `performance` runs from 0, perfect, to 100, failure. */
export type Scores = Readonly<Record<Scale, number>>;

/** How a task felt to somebody. */
export interface CognitiveLoad extends Attributed {
  readonly id: string;
  readonly task: string;
  readonly scores: Scores;
}

/** The raw task load index: the mean of the six scores, to a thousandth. */
export function loadIndex(scores: Scores): number {
  return indexInThousandths(scores) / 1_000;
}

/** What an assessment adds to the numbers of its team and day. */
export function contributionOfLoad(
  load: Pick<CognitiveLoad, 'team' | 'day' | 'scores'>,
  person: number,
): Contribution {
  return {
    team: load.team,
    day: load.day,
    totals: {
      'load.count': 1,
      'load.index_thousandths': indexInThousandths(load.scores),
    },
    presence: { subject: 'load', person },
  };
}

function indexInThousandths(scores: Scores): number {
  const sum = SCALES.reduce((total, scale) => total + scores[scale], 0);
  return Math.round((sum / SCALES.length) * 1_000);
}
