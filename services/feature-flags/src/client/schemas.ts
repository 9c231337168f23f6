import { Timestamp } from '@slipway/service-kit';
import { Type } from 'typebox';

/** A 202 has no body. */
export const Accepted = Type.Unsafe<undefined>({
  type: 'null',
  description: 'On disk',
});

export const NotModified = Type.Unsafe<undefined>({
  type: 'null',
  description: 'Nothing has changed',
});

/** Query of `GET /api/client/features`, as SDKs send it that are set to a part of the flags. */
export const FeatureQuery = Type.Object({
  project: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 100,
      description: 'May be repeated; what the token does not show stays out.',
    }),
  ),
  namePrefix: Type.Optional(Type.String({ maxLength: 100 })),
});

/** What SDKs read; they take more than this and need no more. */
export const ClientFeatures = Type.Object({
  version: Type.Integer(),
  features: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String(),
      project: Type.String(),
      enabled: Type.Boolean(),
      stale: Type.Boolean(),
      impressionData: Type.Boolean(),
      description: Type.String(),
      strategies: Type.Array(
        Type.Object({
          name: Type.String(),
          parameters: Type.Record(Type.String(), Type.String()),
          constraints: Type.Array(Type.Unknown()),
        }),
      ),
      variants: Type.Array(Type.Unknown()),
    }),
  ),
  query: Type.Object({
    project: Type.Array(Type.String()),
    environment: Type.String(),
    namePrefix: Type.Optional(Type.String()),
  }),
  meta: Type.Object({ revisionId: Type.Integer(), etag: Type.String() }),
});

const NAME_LENGTH = 200;

const AppName = Type.String({ minLength: 1, maxLength: NAME_LENGTH });

const Optional = Type.Optional(Type.String({ maxLength: NAME_LENGTH }));

/** Body of `POST /api/client/register`. */
export const Registration = Type.Object({
  appName: AppName,
  instanceId: Optional,
  sdkVersion: Optional,
  strategies: Type.Array(Type.String({ maxLength: NAME_LENGTH }), {
    maxItems: 100,
  }),
  started: Timestamp,
  interval: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Milliseconds between two reports of usage.',
  }),
});

const Count = Type.Integer({ minimum: 0, maximum: 1e12 });

/** Body of `POST /api/client/metrics`. */
export const UsageBody = Type.Object({
  appName: AppName,
  instanceId: Optional,
  // SDKs leave it out of a report that is about other things alone.
  bucket: Type.Optional(
    Type.Object({
      start: Timestamp,
      stop: Timestamp,
      toggles: Type.Record(
        Type.String(),
        Type.Object({ yes: Count, no: Count }),
      ),
    }),
  ),
  impactMetrics: Type.Optional(Type.Unknown()),
});
