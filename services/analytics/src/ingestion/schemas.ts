import { Type } from 'typebox';
import { DROP_REASONS } from '../capture/sdkEvents.ts';

const Moment = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });

const UnknownRequests = Type.Array(
  Type.Object({ name: Type.String(), requests: Count, last_at: Moment }),
);

export const IngestionBody = Type.Object({
  last_event_at: Type.Union([Moment, Type.Null()], {
    description: 'When the last event of the last seven days arrived',
  }),
  received: Type.Integer({
    description: 'Events of the last 24 hours, including repeated ones',
  }),
  repeated: Type.Integer({
    description: 'Events of the last 24 hours that were sent again',
  }),
  repaired: Type.Integer({
    description:
      'SDK events of the last 24 hours whose name, person, time or uuid had to be changed',
  }),
  minutes: Type.Array(Type.Object({ at: Moment, received: Count }), {
    description: 'The last hour, oldest first',
  }),
  lag: Type.Object(
    {
      events: Count,
      oldest_at: Type.Union([Moment, Type.Null()], {
        description: 'When the oldest of them arrived',
      }),
    },
    {
      description:
        'Events of all projects in the journal that wait to be moved to columns; queries include them',
    },
  ),
  deferred: Type.Integer({
    description: 'Events that wait until the limit of the project allows them',
  }),
  deferred_limit: Type.Integer({
    description: 'How many may wait; further ones are lost',
  }),
  dropped: Type.Array(
    Type.Object({
      reason: Type.String({ enum: [...DROP_REASONS] }),
      events: Type.Integer(),
      last_at: Moment,
    }),
    { description: 'Events lost in the last seven days' },
  ),
  unknown: Type.Optional(
    Type.Object(
      { keys: UnknownRequests, paths: UnknownRequests },
      {
        description:
          'For admins: requests with keys, masked, and paths that the service does not know',
      },
    ),
  ),
});
