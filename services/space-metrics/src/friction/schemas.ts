import { type Static, Type } from 'typebox';
import { v7 } from 'uuid';
import type { Attributed } from '../people/Attribution.ts';
import {
  OccurredAt,
  PeriodAnswer,
  TeamName,
  UserId,
  notBlank,
  periodQuery,
} from '../schemas.ts';
import {
  type FrictionLog,
  normaliseCategory,
  SEVERITIES,
  type Severity,
} from './FrictionLog.ts';

const SeverityName = Type.Unsafe<Severity>(
  Type.String({ enum: [...SEVERITIES] }),
);

/** Body of `POST /api/v1/friction-log/submit`. */
export const FrictionSubmission = Type.Object({
  user_id: UserId,
  team: Type.Optional(TeamName),
  timestamp: Type.Optional(OccurredAt),
  category: Type.String({
    minLength: 1,
    maxLength: 64,
    ...notBlank,
    description:
      'Any text; suggested: build, deployment, testing, tooling, documentation, environment, process, other.',
  }),
  description: Type.String({
    minLength: 1,
    maxLength: 10_000,
    ...notBlank,
  }),
  severity: SeverityName,
  time_lost_minutes: Type.Integer({
    minimum: 0,
    // The minutes of a working year.
    maximum: 120_000,
  }),
});

/** Creates the log of a submission. */
export function toFrictionLog(
  log: Static<typeof FrictionSubmission>,
  by: Attributed,
): FrictionLog {
  return {
    ...by,
    id: `friction_${v7()}`,
    category: normaliseCategory(log.category),
    severity: log.severity,
    timeLostMinutes: log.time_lost_minutes,
    description: log.description,
  };
}

export const FrictionReceipt = Type.Object({
  status: Type.String(),
  friction_id: Type.String(),
  message: Type.String(),
});

/** Query of `GET /api/v1/friction-log/top`. */
export const TopQuery = Type.Object({
  ...periodQuery,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
});

export const TopAnswer = Type.Object({
  team: Type.String(),
  period: PeriodAnswer,
  minimum_group_size: Type.Integer(),
  items: Type.Array(
    Type.Object({
      category: Type.String(),
      entries: Type.Integer(),
      reporters: Type.Integer({
        description: 'Number of different people, in the cycle with the most.',
      }),
      time_lost_minutes: Type.Integer(),
      texts: Type.Array(Type.Object({ description: Type.String() }), {
        description:
          'Texts that at least the minimum group size of people wrote identically, in no particular order.',
      }),
    }),
  ),
});
