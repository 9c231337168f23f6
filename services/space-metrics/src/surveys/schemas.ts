import { Type } from 'typebox';
import { FreeText, OccurredAt, TeamName, UserId } from '../schemas.ts';

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

export const PulseReceipt = Type.Object({
  status: Type.String(),
  survey_id: Type.String(),
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
});
