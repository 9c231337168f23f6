import { Type } from 'typebox';
import { eventBody } from '../capture/routes.ts';
import { MOST_EVENTS } from '../events/AnalyticsEvent.ts';
import { LONGEST_PERSON_ID } from '../people/PersonChange.ts';

const Moment = Type.String({ maxLength: 64 });

/** Body of `POST …/events`. */
export const ImportedEvents = Type.Object({
  batch: Type.Array(
    Type.Object({
      ...eventBody.properties,
      created_at: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'When it first arrived, ISO 8601; default: now',
        }),
      ),
    }),
    { minItems: 1, maxItems: MOST_EVENTS },
  ),
});

export const ImportedEventsAnswer = Type.Object({
  events: Type.Integer(),
  duplicates: Type.Optional(
    Type.Integer({ description: 'Those that already existed in the project' }),
  ),
});

/** Body of `POST …/persons`. */
export const ImportedPersons = Type.Object({
  persons: Type.Array(
    Type.Object({
      distinct_ids: Type.Array(
        Type.String({ minLength: 1, maxLength: LONGEST_PERSON_ID }),
        {
          minItems: 1,
          maxItems: 1_000,
          description: 'Ids of one person; the first stands for all of them',
        },
      ),
      properties: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
      ),
      is_identified: Type.Optional(Type.Boolean({ default: false })),
      created_at: Type.Optional(Moment),
      updated_at: Type.Optional(
        Type.String({
          maxLength: 64,
          description:
            'Time at which the properties were valid; later events override them; default: created_at',
        }),
      ),
    }),
    { minItems: 1, maxItems: 5_000 },
  ),
});

export const ImportedPersonsAnswer = Type.Object({ persons: Type.Integer() });
