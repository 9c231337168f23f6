import { isoOf } from '@slipway/entity-contract';
import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { ApplicationStore } from '../storage/ApplicationStore.ts';
import type { FlagAccess } from '../tokens/access.ts';
import { findOutdatedSdks } from './outdatedSdks.ts';

const MOST = 500;
const tags = ['usage'];
const Time = Type.String({ format: 'date-time' });

const ApplicationList = Type.Object({
  applications: Type.Array(
    Type.Object({
      appName: Type.String(),
      instances: Type.Integer(),
      sdkVersions: Type.Array(Type.String()),
      seenAt: Time,
    }),
  ),
});

const OutdatedSdkList = Type.Object({
  sdks: Type.Array(
    Type.Object({
      sdkVersion: Type.String(),
      minimum: Type.String({
        description: 'The oldest version that is not outdated.',
      }),
      applications: Type.Array(
        Type.Object({
          appName: Type.String(),
          environment: Type.String(),
          instances: Type.Integer(),
          seenAt: Time,
        }),
      ),
    }),
  ),
});

/** Adds `/api/admin/metrics/applications` and `/api/admin/metrics/sdks/outdated`. */
export function applicationRoutes(
  app: ServiceApp,
  options: {
    applications: ApplicationStore;
    /** The oldest versions that are not outdated, by SDK name. */
    minimumSdks: Readonly<Record<string, string>>;
    access: FlagAccess;
  },
): void {
  const { applications, minimumSdks, access } = options;
  const config = { access: access.read };

  app.get(
    '/api/admin/metrics/applications',
    {
      config,
      schema: {
        tags,
        summary: 'List applications, most recently seen first',
        response: { 200: ApplicationList },
      },
    },
    async () => ({
      applications: (await applications.list(MOST)).map(one => ({
        ...one,
        sdkVersions: [...one.sdkVersions],
        seenAt: isoOf(one.seenAt),
      })),
    }),
  );

  app.get(
    '/api/admin/metrics/sdks/outdated',
    {
      config,
      schema: {
        tags,
        summary:
          'List versions of SDKs that are outdated, with the applications that use them',
        response: { 200: OutdatedSdkList },
      },
    },
    async () => ({
      sdks: findOutdatedSdks(await applications.sdkUses(), minimumSdks).map(
        ({ applications: users, ...sdk }) => ({
          ...sdk,
          applications: users.map(({ sdkVersion: _version, ...one }) => ({
            ...one,
            seenAt: isoOf(one.seenAt),
          })),
        }),
      ),
    }),
  );
}
