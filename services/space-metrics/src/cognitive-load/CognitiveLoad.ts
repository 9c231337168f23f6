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
type Scale = (typeof SCALES)[number];

/** Scores from 0 to 100; `performance` ranges from 0, perfect, to 100, failure. */
export type Scores = Readonly<Record<Scale, number>>;

/** Extracts the scores from a row or a submission, which may have other members. */
export function scoresOf(members: Readonly<Record<string, unknown>>): Scores {
  return Object.fromEntries(
    SCALES.map(scale => [scale, Number(members[scale])]),
  ) as Record<Scale, number>;
}

/** A person's assessment of the load of a task. */
export interface CognitiveLoad extends Attributed {
  readonly id: string;
  readonly task: string;
  readonly scores: Scores;
}

/** Computes the raw task load index: the mean of the six scores, to a thousandth. */
export function loadIndex(scores: Scores): number {
  return indexInThousandths(scores) / 1_000;
}

/** Returns the contribution of an assessment to the numbers of its team and day. */
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

interface FormDimension {
  id: Scale;
  label: string;
  question: string;
  low_label: string;
  high_label: string;
}

/** The form from which clients render the assessment. */
export const assessmentForm: {
  title: string;
  instructions: string;
  scale: { min: number; max: number; step: number };
  dimensions: FormDimension[];
} = {
  title: 'Cognitive load of a task',
  instructions:
    'Think of one task that you finished recently and mark how it felt on each scale. ' +
    'There are no right answers. Note the performance scale: it runs from perfect, ' +
    '0, to failure, 100.',
  scale: { min: 0, max: 100, step: 5 },
  dimensions: [
    {
      id: 'mental_demand',
      label: 'Mental demand',
      question:
        'How much thinking, remembering and searching did the task take?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
    {
      id: 'physical_demand',
      label: 'Physical demand',
      question: 'How much physical effort did the task take?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
    {
      id: 'temporal_demand',
      label: 'Temporal demand',
      question: 'How hurried or rushed was the pace of the task?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
    {
      id: 'performance',
      label: 'Performance',
      question: 'How well did you do what you set out to do?',
      low_label: 'Perfect',
      high_label: 'Failure',
    },
    {
      id: 'effort',
      label: 'Effort',
      question: 'How hard did you have to work to get there?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
    {
      id: 'frustration',
      label: 'Frustration',
      question: 'How annoyed, stressed or insecure were you?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
  ],
};
