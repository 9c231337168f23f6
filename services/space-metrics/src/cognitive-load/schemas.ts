import { type Static, Type } from 'typebox';
import { v7 } from 'uuid';
import type { Attributed } from '../people/Attribution.ts';
import { notBlank, OccurredAt, TeamName, UserId } from '../schemas.ts';
import { type CognitiveLoad, scoresOf } from './CognitiveLoad.ts';

const Score = Type.Number({ minimum: 0, maximum: 100 });

/** Body of `POST /api/v1/cognitive-load/submit`. */
export const LoadSubmission = Type.Object({
  user_id: UserId,
  team: Type.Optional(TeamName),
  timestamp: Type.Optional(OccurredAt),
  task: Type.String({ minLength: 1, maxLength: 1_000, ...notBlank }),
  scores: Type.Object({
    mental_demand: Score,
    physical_demand: Score,
    temporal_demand: Score,
    performance: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'From 0 (perfect) to 100 (failure).',
    }),
    effort: Score,
    frustration: Score,
  }),
});

/** Creates the assessment of a submission. */
export function toCognitiveLoad(
  { task, scores }: Static<typeof LoadSubmission>,
  by: Attributed,
): CognitiveLoad {
  return { ...by, id: `tlx_${v7()}`, task, scores: scoresOf(scores) };
}

export const LoadReceipt = Type.Object({
  status: Type.String(),
  assessment_id: Type.String(),
  cognitive_load_index: Type.Number({ minimum: 0, maximum: 100 }),
  message: Type.String(),
});

/** Response of `GET /api/v1/cognitive-load/assessment`. */
export const AssessmentForm = Type.Object({
  title: Type.String(),
  instructions: Type.String(),
  scale: Type.Object({
    min: Type.Integer(),
    max: Type.Integer(),
    step: Type.Integer(),
  }),
  dimensions: Type.Array(
    Type.Object({
      id: Type.String(),
      label: Type.String(),
      question: Type.String(),
      low_label: Type.String(),
      high_label: Type.String(),
    }),
  ),
});
