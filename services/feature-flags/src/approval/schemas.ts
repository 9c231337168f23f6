import { Timestamp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { StrategyResponse } from '../flags/featureSchemas.ts';
import { Variants } from '../flags/schemas.ts';
import {
  CHANGE_REQUEST_STATES,
  type ChangeRequestState,
} from '../model/ChangeRequest.ts';
import { PlanResponse } from '../schedules/schemas.ts';

const State = Type.Unsafe<ChangeRequestState>(
  Type.String({ enum: [...CHANGE_REQUEST_STATES] }),
);

const FlagState = Type.Object({
  enabled: Type.Boolean(),
  strategies: Type.Array(StrategyResponse),
  variants: Variants,
});

const NullableTime = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const ChangeRequestResponse = Type.Object({
  id: Type.Integer(),
  featureName: Type.String(),
  environment: Type.String(),
  state: State,
  createdBy: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  scheduledAt: NullableTime,
  endedBy: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  requiredApprovals: Type.Integer(),
  approvals: Type.Array(Type.String(), {
    description: 'The people who have approved it.',
  }),
  mayApprove: Type.Boolean({
    description: 'Whether the caller may approve it now.',
  }),
  reviews: Type.Array(
    Type.Object({
      createdBy: Type.String(),
      createdAt: Type.String({ format: 'date-time' }),
      verdict: Type.String({ enum: ['approved', 'rejected', 'comment'] }),
      comment: Type.Optional(Type.String()),
    }),
  ),
  change: Type.Object(
    {
      before: Type.Optional(FlagState),
      after: Type.Optional(FlagState),
      schedule: Type.Optional(PlanResponse),
    },
    {
      description:
        'The state of the flag before and after, or the requested schedule.',
    },
  ),
});

/** Body of 202, if a change became a change request. */
export const Requested = Type.Object(
  { changeRequest: ChangeRequestResponse },
  {
    description:
      'The environment is protected: the change waits in a change request.',
  },
);

export const ChangeRequestList = Type.Object({
  changeRequests: Type.Array(ChangeRequestResponse),
});

export const ChangeRequestsQuery = Type.Object({
  featureName: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  state: Type.Optional(
    Type.Unsafe<'open' | 'closed'>(Type.String({ enum: ['open', 'closed'] })),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Returns requests older than the one with this id.',
    }),
  ),
});

const LARGEST_ID = 2_147_483_647;

export const IdPath = Type.Object({
  id: Type.Integer({ minimum: 0, maximum: LARGEST_ID }),
});

/** Checks whether a number is valid in {@link IdPath}. */
export function isRequestId(id: number): boolean {
  return Number.isInteger(id) && id >= 0 && id <= LARGEST_ID;
}

const Comment = Type.String({ minLength: 1, maxLength: 2_000 });

export const StateBody = Type.Object({
  state: Type.Unsafe<Exclude<ChangeRequestState, 'In review'>>(
    Type.String({
      enum: CHANGE_REQUEST_STATES.filter(each => each !== 'In review'),
    }),
  ),
  comment: Type.Optional(Comment),
  scheduledAt: Type.Optional(Timestamp),
});

export const CommentBody = Type.Object({ text: Comment });
