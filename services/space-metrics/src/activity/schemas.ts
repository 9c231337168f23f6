import { Type } from 'typebox';
import { OccurredAt, TeamName, UserId } from '../schemas.ts';
import {
  BUILD_RESULTS,
  KINDS,
  type BuildResult,
  type Kind,
} from './ActivityEvent.ts';

const SourceName = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'The reporting system, e.g. its address.',
});

const EventId = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Id of the event within its source; duplicates count once.',
});

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 });

const batchSize = { minItems: 1, maxItems: 1_000 };

/** One element of `events`. */
export const EventItem = Type.Object({
  source: Type.Optional(SourceName),
  id: EventId,
  kind: Type.Unsafe<Kind>(Type.String({ enum: [...KINDS] })),
  user_id: Type.Optional(UserId),
  team: Type.Optional(TeamName),
  timestamp: Type.Optional(OccurredAt),
  count: Type.Optional(Count),
  result: Type.Optional(
    Type.Unsafe<BuildResult>(
      Type.String({
        enum: [...BUILD_RESULTS],
        description: 'Result of a build.',
      }),
    ),
  ),
});

/** Body of `POST /api/v1/activity/events`. Each element is validated separately. */
export const EventBatch = Type.Object({
  source: Type.Optional(SourceName),
  events: Type.Array(Type.Unknown(), {
    ...batchSize,
    description:
      'Items like EventItem; an invalid one does not affect the others.',
  }),
});

/** One element of `counts`: the number of messages, never their content. */
export const ChatItem = Type.Object({
  id: EventId,
  user_id: Type.Optional(UserId),
  team: Type.Optional(TeamName),
  timestamp: Type.Optional(OccurredAt),
  messages: Count,
  people: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Number of authors, if the item is not about one user.',
    }),
  ),
});

/** Body of `POST /api/v1/activity/chat`. */
export const ChatBatch = Type.Object({
  source: Type.Optional(SourceName),
  counts: Type.Array(Type.Unknown(), {
    ...batchSize,
    description: 'Items like ChatItem.',
  }),
});

/** The result of a batch; `results` are in the order of the elements. */
export const BatchReceipt = Type.Object({
  status: Type.String(),
  accepted: Type.Integer(),
  duplicates: Type.Integer(),
  rejected: Type.Integer(),
  results: Type.Array(
    Type.Object({
      id: Type.Optional(Type.String()),
      status: Type.String({ enum: ['accepted', 'duplicate', 'rejected'] }),
      error: Type.Optional(
        Type.Object({
          message: Type.String(),
          field: Type.Optional(Type.String()),
        }),
      ),
    }),
  ),
});
