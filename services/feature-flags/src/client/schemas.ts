import { Type } from 'typebox';
import type { Loose } from './reports.ts';

/** A 202 has no body. */
export const Accepted = Type.Unsafe<undefined>({
  type: 'null',
  description: 'Stored',
});

export const NotModified = Type.Unsafe<undefined>({
  type: 'null',
  description: 'Not changed',
});

/**
 * Query of `GET /api/client/features`, as sent by SDKs that are configured to read only some flags.
 */
export const FeatureQuery = Type.Object({
  project: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 100,
      description: 'May be repeated; projects outside the token are ignored.',
    }),
  ),
  namePrefix: Type.Optional(Type.String({ maxLength: 100 })),
  tag: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 100,
      description:
        'type:value. May be repeated: flags with any of the tags are returned.',
    }),
  ),
});

/** One flag as SDKs read it. */
export const ClientFeature = Type.Object({
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
      segments: Type.Optional(Type.Array(Type.Integer())),
      variants: Type.Optional(Type.Array(Type.Unknown())),
    }),
  ),
  variants: Type.Array(Type.Unknown()),
  dependencies: Type.Optional(Type.Array(Type.Unknown())),
});

/** The fields that SDKs need; they accept further ones. */
export const ClientFeatures = Type.Object({
  version: Type.Integer(),
  features: Type.Array(ClientFeature),
  segments: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        constraints: Type.Array(Type.Unknown()),
      }),
      {
        description:
          'For SDKs with Unleash-Client-Spec 4.2.0 and above; others get the constraints in the strategies.',
      },
    ),
  ),
  query: Type.Object({
    project: Type.Array(Type.String()),
    environment: Type.String(),
    namePrefix: Type.Optional(Type.String()),
    tag: Type.Optional(Type.Array(Type.Array(Type.String()))),
    inlineSegmentConstraints: Type.Optional(Type.Boolean()),
  }),
  meta: Type.Object({ revisionId: Type.Integer(), etag: Type.String() }),
});

const described = (description: string) => Type.Unsafe<Loose>({ description });

const Name = described('Text or number; cut at 200 characters.');
const Time = described('ISO 8601, or seconds or milliseconds since the epoch.');

/** Body of `POST /api/client/register`. */
export const Registration = Type.Object({
  appName: Name,
  instanceId: Type.Optional(Name),
  sdkVersion: Type.Optional(Name),
  strategies: Type.Array(Type.Unsafe<Loose>({}), { maxItems: 10_000 }),
  started: Time,
  interval: described('Milliseconds between two reports of usage.'),
});

/** Usage of flags between two points in time. */
const Bucket = Type.Object({
  start: Type.Optional(Time),
  stop: Type.Optional(Time),
  toggles: Type.Record(Type.String(), Type.Unsafe<Loose>({}), {
    default: {},
    description: '{name: {yes, no}}',
  }),
});

/** Body of `POST /api/client/metrics`. */
export const UsageBody = Type.Object({
  appName: Name,
  instanceId: Type.Optional(Name),
  // SDKs omit it from reports that contain only other data.
  bucket: Type.Optional(Bucket),
  impactMetrics: Type.Optional(Type.Unknown()),
});

/** Body of `POST /api/client/metrics/bulk`, which Edge sends for many instances. */
export const BulkBody = Type.Object({
  applications: Type.Array(
    Type.Object({
      appName: Name,
      instanceId: Type.Optional(Name),
      environment: Type.Optional(Name),
      sdkVersion: Type.Optional(Name),
      strategies: Type.Optional(
        Type.Array(Type.Unsafe<Loose>({}), { maxItems: 10_000 }),
      ),
      started: Type.Optional(Time),
      interval: Type.Optional(Type.Unsafe<Loose>({})),
    }),
    { maxItems: 10_000 },
  ),
  metrics: Type.Array(
    Type.Object({
      featureName: Type.String(),
      appName: Name,
      environment: Type.Optional(Name),
      sdkVersion: Type.Optional(Name),
      timestamp: Type.Optional(Time),
      yes: Type.Optional(Type.Unsafe<Loose>({})),
      no: Type.Optional(Type.Unsafe<Loose>({})),
      variants: Type.Optional(Type.Unsafe<Loose>({})),
    }),
    { maxItems: 50_000 },
  ),
  impactMetrics: Type.Optional(Type.Unknown()),
});
