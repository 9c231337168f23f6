import { type Static, Type } from 'typebox';
import { v7 } from 'uuid';
import type { Attributed } from '../people/Attribution.ts';
import { FreeText, OccurredAt, TeamName, UserId } from '../schemas.ts';
import type { PulseSurvey } from './PulseSurvey.ts';

/** Body of `POST /api/v1/surveys/pulse/submit`. */
export const PulseSubmission = Type.Object({
  user_id: UserId,
  team: Type.Optional(TeamName),
  timestamp: Type.Optional(OccurredAt),
  responses: Type.Object({
    overall_satisfaction: Type.Integer({ minimum: 1, maximum: 5 }),
    productivity_this_week: Type.Integer({ minimum: 1, maximum: 5 }),
    blockers: Type.Optional(FreeText),
    wins: Type.Optional(FreeText),
    recommend: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description:
          'Likelihood to recommend; if given, it decides between promoter, passive and detractor.',
      }),
    ),
  }),
});

/** Creates the survey of a submission. */
export function toSurvey(
  { responses }: Static<typeof PulseSubmission>,
  by: Attributed,
): PulseSurvey {
  const { recommend, blockers = '', wins = '' } = responses;
  return {
    ...by,
    id: `survey_${v7()}`,
    overallSatisfaction: responses.overall_satisfaction,
    productivityThisWeek: responses.productivity_this_week,
    ...(recommend !== undefined && { recommend }),
    blockers,
    wins,
  };
}

export const PulseReceipt = Type.Object({
  status: Type.String(),
  survey_id: Type.String({
    description:
      'The id of these answers, which are not kept if the same person has given later ones, by their timestamp, in this survey cycle.',
  }),
  message: Type.String(),
});

/** Body of `PUT /api/v1/surveys/pulse/reminder`; missing members do not change. */
export const ReminderChange = Type.Object({
  user_id: Type.Optional(UserId),
  snoozed_until: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 64 }),
  ),
  opted_out: Type.Optional(Type.Boolean()),
});

const Moment = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const ReminderAnswer = Type.Object({
  due: Type.Boolean({ description: 'Whether a reminder is due now.' }),
  due_at: Moment,
  last_answered_at: Moment,
  snoozed_until: Moment,
  opted_out: Type.Boolean(),
  cadence_days: Type.Integer(),
  closes_at: Type.String({
    format: 'date-time',
    description:
      'The time when the current survey closes. Until then, answers replace earlier ones; then their numbers are released.',
  }),
});
