import { type Static, Type } from 'typebox';

const fields = {
  event: Type.String({ minLength: 1, maxLength: 1_000 }),
  properties: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'Any JSON object',
    }),
  ),
};

/** An event as the contract has it. */
const eventBody = Type.Object({
  ...fields,
  distinct_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Required here or in properties.distinct_id',
    }),
  ),
  timestamp: Type.Optional(
    Type.String({ maxLength: 64, description: 'ISO 8601; now when left out' }),
  ),
  uuid: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'What is sent twice under one uuid is kept once',
    }),
  ),
});
export type EventBody = Static<typeof eventBody>;

const Anything = Type.Optional(Type.Unknown());

/** An event as SDKs send it: what is not understood about it does not lose it. */
const sdkEventBody = Type.Object({
  ...fields,
  distinct_id: Anything,
  timestamp: Anything,
  uuid: Anything,
  offset: Anything,
  $set: Anything,
  $set_once: Anything,
});
export type SdkEventBody = Static<typeof sdkEventBody>;

const ApiKey = Type.Optional(
  Type.String({ description: 'Required here or as X-Api-Key' }),
);
const SentAt = Type.Optional(
  Type.Unknown({ description: "The sender's clock, to correct the times by" }),
);

/** Body of `POST /api/capture`. */
export const CaptureRequest = Type.Object({
  api_key: ApiKey,
  sent_at: SentAt,
  ...eventBody.properties,
});

const MOST_EVENTS = 50_000;

/** Body of `POST /api/batch`. */
export const BatchRequest = Type.Object({
  api_key: ApiKey,
  sent_at: SentAt,
  batch: Type.Array(eventBody, { minItems: 1, maxItems: MOST_EVENTS }),
});

/** Body of `POST /batch/`. */
export const SdkBatchRequest = Type.Object({
  api_key: ApiKey,
  token: Type.Optional(Type.String()),
  sent_at: SentAt,
  batch: Type.Array(sdkEventBody, { minItems: 1, maxItems: MOST_EVENTS }),
});

export const CaptureAnswer = Type.Object({ status: Type.Integer() });
