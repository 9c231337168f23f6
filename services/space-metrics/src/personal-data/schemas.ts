import { Type } from 'typebox';
import { SCALES } from '../cognitive-load/CognitiveLoad.ts';

const origin = { timestamp: Type.String(), team: Type.String() };

/** Response of `GET /api/v1/people/{id}`. */
export const PersonAnswer = Type.Object({
  user_id: Type.String(),
  surveys: Type.Array(
    Type.Object({
      survey_id: Type.String(),
      ...origin,
      responses: Type.Object({
        overall_satisfaction: Type.Integer(),
        productivity_this_week: Type.Integer(),
        recommend: Type.Optional(Type.Integer()),
        blockers: Type.String(),
        wins: Type.String(),
      }),
    }),
  ),
  friction_logs: Type.Array(
    Type.Object({
      friction_id: Type.String(),
      ...origin,
      category: Type.String(),
      severity: Type.String(),
      time_lost_minutes: Type.Integer(),
      description: Type.String(),
    }),
  ),
  cognitive_loads: Type.Array(
    Type.Object({
      assessment_id: Type.String(),
      ...origin,
      task: Type.String(),
      scores: Type.Object(
        Object.fromEntries(SCALES.map(scale => [scale, Type.Number()])),
      ),
    }),
  ),
  activity: Type.Array(
    Type.Object({
      source: Type.String(),
      id: Type.String(),
      kind: Type.String(),
      ...origin,
      count: Type.Integer(),
    }),
  ),
});

/** Response of `DELETE /api/v1/people/{id}`. */
export const ErasureAnswer = Type.Object({
  status: Type.String(),
  erased: Type.Object({
    surveys: Type.Integer(),
    friction_logs: Type.Integer(),
    cognitive_loads: Type.Integer(),
    activity: Type.Integer(),
  }),
});
